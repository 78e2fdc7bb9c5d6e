import { randomUUID } from 'node:crypto';
import { batchTier, soundUsage } from '@tallyport/pricing';
import {
  byteLengthWithLongStrings,
  type ChatCompletion,
  type LongStrings,
  parseKeepingLongStrings,
} from '@tallyport/wire';
import { type Attempt, inTierOfHeader } from './attempt.ts';

/** A whole answer in the canonical form. Its long strings are still the provider's bytes. */
export interface PlainAnswer {
  completion: ChatCompletion;
  longStrings: LongStrings;
  /** The answer as the vendor sent it, for a client of the vendor's own API. */
  passed?: Buffer;
  /** The provider reported more usage than its model can have used; the figures are capped. */
  usageAdjusted?: true;
}

/** Longer strings are inlined images and the like. They are passed on unparsed: parsing would block other requests. */
const longStringBytes = 256 * 1024;

/** Throws the error that the provider's adapter makes of the answer, or SyntaxError. */
export function readPlainAnswer(attempt: Attempt, pieces: readonly Buffer[]): PlainAnswer {
  const answer = translate(attempt, pieces, longStringBytes);
  const { native } = attempt;
  return native === undefined ? answer : { ...answer, passed: native.answer(Buffer.concat(pieces)) };
}

function translate(attempt: Attempt, pieces: readonly Buffer[], threshold: number): PlainAnswer {
  const { value, strings } = parseKeepingLongStrings(pieces, { threshold, nonce: randomUUID });
  try {
    return withSoundUsage(attempt, attempt.provider.response(value, attempt.context), strings);
  } catch (thrown) {
    if (strings.byPlaceholder.size === 0) throw thrown;
    // An error quotes the answer, so it needs the provider's text instead of the placeholders.
    return translate(attempt, pieces, Infinity);
  }
}

function withSoundUsage(attempt: Attempt, completion: ChatCompletion, longStrings: LongStrings): PlainAnswer {
  const { bounds, chat, detour } = attempt;
  if (completion.usage === undefined) return { completion, longStrings };
  const ofHeader = inTierOfHeader(completion.usage, attempt);
  // Vendors do not name the tier in every answer of a batch.
  const reported = detour?.kind === 'answered' ? { ...ofHeader, service_tier: batchTier } : ofHeader;
  const { usage, adjusted } = soundUsage(reported, bounds, chat.request.n ?? 1);
  if (usage === completion.usage) return { completion, longStrings };
  const answer = { completion: { ...completion, usage }, longStrings };
  return adjusted ? { ...answer, usageAdjusted: true } : answer;
}

export const imageCount = ({ completion }: PlainAnswer): number =>
  completion.choices.reduce((sum, { message }) => sum + (message.images?.length ?? 0), 0);

/** Bytes of text in a whole answer, for the estimate if the provider reports no usage. */
export function answerBytes({ completion, longStrings }: PlainAnswer): number {
  const lengthOf = (text: string): number => byteLengthWithLongStrings(text, longStrings);
  let bytes = 0;
  for (const { message } of completion.choices) {
    bytes += lengthOf(message.content ?? '') + lengthOf(message.reasoning_content ?? '');
    if (message.tool_calls !== undefined) bytes += lengthOf(JSON.stringify(message.tool_calls));
  }
  return bytes;
}
