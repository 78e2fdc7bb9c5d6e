import type { ChatRequest } from '@tallyport/wire';
import type { AssistantTurn, Turn } from '../conversation/conversation.ts';
import type { CallSignatures } from '../provider.ts';
import { items, type Members, members, text } from '../read.ts';
import { thinkingDetails } from '../thinking-details.ts';

/** Marks the details of this vendor's models among those of other vendors. */
const format = 'google-gemini-v1';
const details = thinkingDetails(format);

/** The vendor's placeholder for a lost signature. The request is accepted, with some loss of quality. */
const lost = 'skip_thought_signature_validator';

/** The signature of a call or an image, in the member that Google's own OpenAI-format endpoint uses. */
export const signatureExtra = (signature: string | undefined): { extra_content?: Record<string, unknown> } =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

export const signatureInExtra = (sent: Members): string | undefined =>
  text(members(members(sent.extra_content).google).thought_signature);

/** The signature of a text. Clients keep it in `reasoning_details`. */
export const signatureDetail = (signature: string, index: number) => details.encrypted(index, signature);

/** The signature of the text in an earlier answer. */
export const textSignatureOf = (message: Members): string | undefined =>
  text(
    items(message.reasoning_details)
      .map(members)
      .findLast((detail) => detail.format === format)?.data,
  );

/** The signatures of the calls of one step: the client's, else the remembered ones. */
export function callSignatures(turn: AssistantTurn, kept: CallSignatures, required: boolean): (string | undefined)[] {
  const known = turn.calls.map(({ id, sent }) => signatureInExtra(sent) ?? kept.get(id));
  // Only the first of parallel calls is signed.
  if (required && !known.some((signature) => signature !== undefined)) known[0] = lost;
  return known;
}

/** Whether a turn is after the last user message: only there does the vendor check signatures. */
export const isCurrent = (turns: readonly Turn[], index: number): boolean =>
  index > turns.findLastIndex((turn) => turn.role === 'user');

/** The first call of each step of the current turn in which no call has a signature. */
export function missingSignatures({ messages }: ChatRequest): string[] {
  const begin = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(begin + 1).flatMap((message) => {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    return calls.some((call) => signatureInExtra(call) !== undefined) ? [] : calls.slice(0, 1).map(({ id }) => id);
  });
}
