import { createHash } from 'node:crypto';
import type { Offer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import type { AssistantTurn } from '../conversation/conversation.ts';
import { messageText } from '../conversation/text-parts.ts';
import type { AnswerFollower } from '../one-choice.ts';
import type { CallSignatures, PlacedName } from '../spec/call-signatures.ts';
import type { CallSignatureRules, TranslationContext } from '../spec/provider.ts';
import { geminiRules } from './models.ts';
import { placeholderSignature, signatureInExtra, textSignatureOf } from './signatures.ts';

/** Signatures that clients do not keep are remembered: of a call under its id, of a text under its hash. */
export const geminiSignatures: CallSignatureRules = { missingIn: missingSignatures };

/** Models that think sign their answers, also those that do not require the signatures. */
function signs(modelName: string): boolean {
  const { thinking, signatures } = geminiRules(modelName);
  return signatures || thinking.kind !== 'none';
}

/** The first call of each step in which no call has a signature, and texts without theirs. */
function missingSignatures({ messages }: ChatRequest, { modelName }: Offer): PlacedName[] {
  if (!signs(modelName)) return [];
  return messages.flatMap((message, place) => {
    if (message.role !== 'assistant') return [];
    const calls = message.tool_calls ?? [];
    const isSigned = calls.some((call) => signatureInExtra(call) !== undefined);
    const text = messageText(message);
    const names = [
      ...(isSigned ? [] : calls.slice(0, 1).map(({ id }) => id)),
      ...(text === '' || textSignatureOf(message) !== undefined ? [] : [nameOfText(text)]),
    ];
    return names.map((name) => ({ place, name }));
  });
}

/** The signatures of the calls of one step: the client's, else the remembered ones. */
export function callSignatures(turn: AssistantTurn, kept: CallSignatures, required: boolean): (string | undefined)[] {
  const known = turn.calls.map(({ id, sent }) => signatureInExtra(sent) ?? kept.get(turn.place, id));
  // Only the first of parallel calls is signed.
  if (required && !known.some((signature) => signature !== undefined)) known[0] = placeholderSignature;
  return known;
}

export const textSignature = ({ message, place }: AssistantTurn, kept: CallSignatures): string | undefined =>
  textSignatureOf(message) ?? (kept.size === 0 ? undefined : kept.get(place, nameOfText(messageText(message))));

/** Remembers the signature of an answer's text. Those of its calls are kept as they arrive. */
export function createTextSignatures({ offer, keepSignature }: TranslationContext): AnswerFollower | undefined {
  if (keepSignature === undefined || !signs(offer.modelName)) return undefined;
  let text = '';
  let signature: string | undefined;
  return {
    add(delta) {
      text += delta.content ?? '';
      signature = textSignatureOf(delta) ?? signature;
    },
    keep: () => {
      if (text !== '' && signature !== undefined) keepSignature(nameOfText(text), signature);
    },
  };
}

const nameOfText = (text: string): string => `text ${createHash('sha256').update(text).digest('base64url')}`;
