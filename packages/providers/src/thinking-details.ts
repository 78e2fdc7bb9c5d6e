import { longestPiece, wholeDetails } from './fold/reasoning-details.ts';
import { isMembers, items, type Members, members, text } from './read.ts';

/** A block of thinking in an earlier answer, with the signature that proves its origin to the vendor. */
type SignedThought = { kind: 'text'; text: string; signature: string } | { kind: 'encrypted'; data: string };

/**
 * Thinking as clients keep it in `reasoning_details` and send it back. `format` marks the details of one vendor,
 * because a signature is valid only at the vendor that made it.
 */
export function thinkingDetails(format: string) {
  return {
    /** A piece of thinking. Pieces with the same index belong together. */
    text: (index: number, piece: { text?: string; signature?: string }) => ({
      type: 'reasoning.text',
      ...piece,
      format,
      index,
    }),
    encrypted: (index: number, data: string) => ({ type: 'reasoning.encrypted', data, format, index }),
    has: (detail: Members): boolean => detail.format === format,
    /**
     * The thinking of an earlier answer, in order. Streamed pieces are joined. Blocks without a signature are left out,
     * because the vendor refuses them. `reads`: further details that the vendor accepts.
     */
    signedIn(message: Members, reads: (detail: Members) => boolean = () => false): SignedThought[] {
      const ours = items(message.reasoning_details).filter(
        (detail) => isMembers(detail) && (detail.format === format || reads(detail)),
      );
      const thoughts = wholeDetails(ours, message).flatMap((detail) => signedThought(members(detail)) ?? []);
      return items(message.tool_calls).length > 0 ? thoughts : thoughts.filter(isCertain);
    },
  };
}

/** A short text may be only a part of what is signed. Only calls need it so much that it is worth a try. */
const isCertain = (thought: SignedThought): boolean =>
  thought.kind === 'encrypted' || thought.text === '' || thought.text.length > longestPiece;

function signedThought({ type, text: thought, signature, data }: Members): SignedThought | undefined {
  const proof = text(type === 'reasoning.encrypted' ? data : signature);
  if (proof === undefined) return undefined;
  if (type === 'reasoning.encrypted') return { kind: 'encrypted', data: proof };
  return { kind: 'text', text: text(thought) ?? '', signature: proof };
}
