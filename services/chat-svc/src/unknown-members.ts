import { GatewayError } from '@tallyport/contracts';
import { nearest } from '@tallyport/service-kit';
import { vendorMembers } from '@tallyport/providers';
import { chatRequestMembers, type ChatRequest } from '@tallyport/wire';

const known: ReadonlySet<string> = new Set([...chatRequestMembers, ...vendorMembers]);

/** What is logged and sent of the names that a client chose. */
const mostNames = 5;
const mostCharacters = 40;

/**
 * The members of a chat request that neither the gateway nor any vendor knows, at most five; `undefined` if there is
 * none. They are passed on where the vendor takes any member, and otherwise left out.
 */
export function findUnknownMembers(request: ChatRequest): readonly string[] | undefined {
  const names: string[] = [];
  for (const name in request) {
    if (known.has(name)) continue;
    names.push(printable(name));
    if (names.length === mostNames) break;
  }
  return names.length === 0 ? undefined : names;
}

/** In printable ASCII: any other character is escaped as in a URL. */
const printable = (name: string): string => encodeURIComponent(name.slice(0, mostCharacters).toWellFormed());

/** The header that reports unknown members. */
export function warningHeaders(names: readonly string[] | undefined): Readonly<Record<string, string>> | undefined {
  if (names === undefined) return undefined;
  const text = `The gateway does not know these members, so they may have no effect: ${names.map(withMeant).join(', ')}`;
  return { warning: `299 tallyport "${text}"` };
}

/** The header that reports what the vendor did not get as the client asked for it. */
export const weakenedHeaders = (weakened: readonly string[] | undefined): Readonly<Record<string, string>> =>
  weakened === undefined ? {} : { warning: `299 tallyport "Not sent as requested: ${weakened.join('; ')}"` };

/** Throws `unsupported_parameter` that names the members. */
export function refuseUnknownMembers(names: readonly string[] | undefined): void {
  const [first] = names ?? [];
  if (names === undefined || first === undefined) return;
  const which = names.length === 1 ? 'this member' : 'these members';
  throw new GatewayError(
    'unsupported_parameter',
    `The gateway does not know ${which}: ${names.map(withMeant).join(', ')}. Correct or leave out each of them.`,
    { param: first },
  );
}

/** The name with the one that was probably meant. */
function withMeant(name: string): string {
  const meant = name.length < shortest || name.length > mostCharacters ? undefined : nearest(name, known);
  return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
}

/** Shorter names resemble too many others. */
const shortest = 4;
