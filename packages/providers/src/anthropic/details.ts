import type { MessagesThought } from '@switchyard/wire';
import { isMembers, list, members, text } from '../read.ts';

/** Marks details of this vendor's models among those of others: a signature is worth something only where it was made. */
const format = 'anthropic-claude-v1';

/** A piece of thinking as clients keep it in `reasoning_details` and send it back. Pieces of one index belong together. */
export const textDetail = (index: number, said: { text?: string; signature?: string }) => ({
  type: 'reasoning.text',
  ...said,
  format,
  index,
});

export const encryptedDetail = (index: number, data: string) => ({ type: 'reasoning.encrypted', data, format, index });

/** The thinking of an earlier answer, in its order. Without its signature it is worth nothing to the vendor. */
export function thoughtsIn(message: Readonly<Record<string, unknown>>): MessagesThought[] {
  return list(message.reasoning_details)
    .filter((detail) => isMembers(detail) && detail.format === format)
    .flatMap((detail): MessagesThought[] => {
      const { type, text: said, signature, data } = members(detail);
      const sealed = text(type === 'reasoning.encrypted' ? data : signature);
      if (sealed === undefined) return [];
      if (type === 'reasoning.encrypted') return [{ type: 'redacted_thinking', data: sealed }];
      return [{ type: 'thinking', thinking: text(said) ?? '', signature: sealed }];
    });
}
