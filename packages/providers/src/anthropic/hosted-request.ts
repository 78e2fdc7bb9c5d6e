import type { Offer } from '@tallyport/contracts';
import { editMembers, type MemberEdit, type NativeRequest, replaceMembers } from '@tallyport/wire';
import type { NativeCall } from '../spec/provider.ts';
import { loweredLimit } from './native.ts';

/** The client's body as another vendor's cloud takes it, where the address names the model. */
export const hostedBody = (call: NativeCall, offer: Offer, edit: MemberEdit): Buffer =>
  replaceMembers(editMembers(call.body, edit), loweredLimit(call, offer));

/** Anthropic's name of several features, which the clouds know only by their own names. */
const collective: Readonly<Record<string, readonly string[]>> = {
  'advanced-tool-use-2025-11-20': ['tool-examples-2025-10-29', 'tool-search-tool-2025-10-19'],
};

/** The betas that the client asks for and the cloud has. It would refuse the request for any other. */
export function acceptedBetas({ headers }: NativeRequest, accepted: ReadonlySet<string>): readonly string[] {
  const asked = (headers['anthropic-beta'] ?? '').split(',').map((name) => name.trim());
  const known = asked.flatMap((name) => (Object.hasOwn(collective, name) ? (collective[name] ?? []) : [name]));
  return [...new Set(known.filter((name) => accepted.has(name)))];
}
