import { items, type Members, members, text } from '../../read.ts';

/**
 * Reasoning of the Responses API as clients of chats keep it: a detail for each item, which only the vendor can read.
 * `leads_to`: the id of the call behind it; absent if a text follows. The vendor wants it back in that place.
 */
export interface SealedThought {
  type: 'reasoning.encrypted';
  data: string;
  id?: string;
  /** The vendor refuses an item whose summary was changed. */
  summary?: readonly unknown[];
  leads_to?: string;
  format: string;
  index: number;
}

/** Marks the details of one vendor among those of others. */
const sealedFormat = (vendorId: string): string => `${vendorId}-responses-v1`;

export const isSealedBy =
  (vendorId: string) =>
  (detail: unknown): boolean =>
    members(detail).format === sealedFormat(vendorId);

/** The item of an answer as a detail; `undefined` if it is not sealed. */
export function sealedThought(item: Members, vendorId: string, index: number): SealedThought | undefined {
  const data = text(item.encrypted_content);
  if (data === undefined) return undefined;
  const id = text(item.id);
  const summary = items(item.summary);
  return {
    type: 'reasoning.encrypted',
    data,
    ...(id !== undefined && { id }),
    ...(summary.length > 0 && { summary }),
    format: sealedFormat(vendorId),
    index,
  };
}

/** The items of an earlier answer, each behind the reasoning that led to it. */
export function withThoughts(message: Members, texts: readonly Members[], calls: readonly Members[]): Members[] {
  const thoughts = items(message.reasoning_details).map(members);
  const called = new Set(calls.map((call) => call.call_id));
  const first = thoughts.filter((thought) => !called.has(thought.leads_to));
  const before = (call: Members) => thoughts.filter((thought) => thought.leads_to === call.call_id);
  const rest = calls.flatMap((call) => [...before(call).map(toItem), call]);
  // Reasoning that nothing follows is refused.
  return texts.length + calls.length === 0 ? [] : [...first.map(toItem), ...texts, ...rest];
}

const toItem = ({ id, summary, data }: Members): Members => ({
  type: 'reasoning',
  ...(id !== undefined && { id }),
  summary: items(summary),
  encrypted_content: data,
});
