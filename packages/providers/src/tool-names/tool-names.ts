import type { ChatRequest } from '@tallyport/wire';
import { nameHash, nameHashLength } from '../name-hash.ts';
import { namesIn } from './named-tools.ts';

/** The names of a request's functions as a vendor accepts them, and back. Any other name stays as it is. */
export interface AcceptedNames {
  toVendor(name: string): string;
  toClient(name: string): string;
}

/** The names that most vendors accept. */
export const usualNames = /^[\w-]{1,64}$/;

const longest = 64;

/**
 * `undefined` if the vendor accepts every name of the request. A name has the same replacement in every request with the
 * same names, so that a conversation stays the same prompt.
 */
export function toolNamesOf(request: ChatRequest, accepted: RegExp): AcceptedNames | undefined {
  const own = namesIn(request);
  const refused = [...own].filter((name) => !accepted.test(name));
  if (refused.length === 0) return undefined;
  const toVendor = replacements(own, refused, accepted);
  const toClient = new Map([...toVendor].map(([name, replacement]) => [replacement, name]));
  return {
    toVendor: (name) => toVendor.get(name) ?? name,
    toClient: (name) => toClient.get(name) ?? name,
  };
}

/** A replacement that is also another name, or that of another name, gets a part that only this name has. */
function replacements(own: ReadonlySet<string>, refused: readonly string[], accepted: RegExp): Map<string, string> {
  const plain = refused.map((name) => plainName(name, accepted));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isUnique = (name: string): boolean => name.length <= longest && counts.get(name) === 1 && !own.has(name);
  return new Map(
    refused.map((name, index) => {
      const short = plain[index] ?? '';
      return [name, isUnique(short) ? short : `${short.slice(0, longest - nameHashLength - 1)}_${nameHash(name)}`];
    }),
  );
}

/** Some vendors want a letter first. */
function plainName(name: string, accepted: RegExp): string {
  const plain = name.replaceAll(/[^\w-]/g, '_');
  return accepted.test(plain.slice(0, longest)) ? plain : `_${plain}`;
}
