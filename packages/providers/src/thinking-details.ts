import { isMembers, items, type Members, members, text } from './read.ts';

/** A block of thinking in an earlier answer, with what proves to the vendor that it is its own. */
export type SignedThought = { kind: 'text'; text: string; signature: string } | { kind: 'encrypted'; data: string };

/**
 * Thinking as clients keep it in `reasoning_details` and send it back. `format` marks the details of one vendor among those
 * of others: a signature is valid only where it was made.
 */
export function thinkingDetails(format: string) {
  return {
    /** A piece of thinking. Pieces of one index belong together. */
    text: (index: number, piece: { text?: string; signature?: string }) => ({
      type: 'reasoning.text',
      ...piece,
      format,
      index,
    }),
    encrypted: (index: number, data: string) => ({ type: 'reasoning.encrypted', data, format, index }),
    /** The thinking of an earlier answer, in its order. Blocks without a signature are left out: the vendor refuses them. */
    signedIn: (message: Members): SignedThought[] =>
      items(message.reasoning_details)
        .filter((detail) => isMembers(detail) && detail.format === format)
        .flatMap((detail) => signedThought(members(detail)) ?? []),
  };
}

function signedThought({ type, text: thought, signature, data }: Members): SignedThought | undefined {
  const proof = text(type === 'reasoning.encrypted' ? data : signature);
  if (proof === undefined) return undefined;
  if (type === 'reasoning.encrypted') return { kind: 'encrypted', data: proof };
  return { kind: 'text', text: text(thought) ?? '', signature: proof };
}
