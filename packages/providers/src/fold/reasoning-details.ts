import { createDetailFold } from '@tallyport/wire';
import { isMembers, type Members, text } from '../read.ts';

/**
 * The details of a message with their pieces joined; the same list if all are already whole. If pieces were lost the
 * result is empty, because the vendor accepts only complete thinking.
 */
export function wholeDetails(pieces: readonly unknown[], message: Members): readonly unknown[] {
  const details = createDetailFold();
  for (const piece of pieces) details.add(piece);
  const whole = details.whole();
  return withPlainThinking(whole.length === pieces.length ? pieces : whole, message);
}

/**
 * The Node SDK of OpenAI keeps only the last piece of a streamed member that it does not know, so a shorter text may not be
 * all of it.
 */
export const longestPiece = 256;

/** Some clients keep only the last piece of a detail, with the signature, and the thinking as plain text beside it. */
function withPlainThinking(details: readonly unknown[], message: Members): readonly unknown[] {
  const bare = details.filter((detail) => isMembers(detail) && isBare(detail));
  const said = text(message.reasoning_content) ?? text(message.reasoning) ?? '';
  const known = details.map((detail) => (isMembers(detail) ? (text(detail.text) ?? '') : '')).join('');
  // Some models sign thinking without returning its text.
  if (bare.length === 0 || said === known) return details;
  if (bare.length > 1 || known !== '' || said.length <= longestPiece) return [];
  return details.map((detail) => (isMembers(detail) && detail === bare[0] ? { ...detail, text: said } : detail));
}

const isBare = ({ type, signature, text: thought }: Members): boolean =>
  type === 'reasoning.text' && text(signature) !== undefined && typeof thought !== 'string';
