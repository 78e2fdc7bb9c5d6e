import { randomUUID } from 'node:crypto';
import {
  byteLengthWithLongStrings,
  type ChatCompletion,
  type LongStrings,
  parseKeepingLongStrings,
} from '@switchyard/wire';
import type { Attempt } from './attempt.ts';

/** A whole answer in the canonical form, whose long strings are still the provider's bytes. */
export interface PlainAnswer {
  completion: ChatCompletion;
  longStrings: LongStrings;
}

/** Such strings are inlined images and the like: they are not read here, and parsing them would block other requests. */
const longStringBytes = 256 * 1024;

/** Throws what the provider's adapter makes of the answer, or SyntaxError. */
export const readPlainAnswer = (attempt: Attempt, pieces: readonly Buffer[]): PlainAnswer =>
  translate(attempt, pieces, longStringBytes);

function translate(attempt: Attempt, pieces: readonly Buffer[], threshold: number): PlainAnswer {
  const { value, strings } = parseKeepingLongStrings(pieces, { threshold, nonce: randomUUID() });
  try {
    return { completion: attempt.provider.response(value, attempt.context), longStrings: strings };
  } catch (thrown) {
    if (strings.byPlaceholder.size === 0) throw thrown;
    // An error quotes the answer, and has to quote what the provider wrote.
    return translate(attempt, pieces, Infinity);
  }
}

export const imageCount = ({ completion }: PlainAnswer): number =>
  completion.choices.reduce((sum, { message }) => sum + (message.images?.length ?? 0), 0);

/** Bytes of text in a whole answer, for the estimate when the provider reports no usage. */
export function answerBytes({ completion, longStrings }: PlainAnswer): number {
  const lengthOf = (text: string): number => byteLengthWithLongStrings(text, longStrings);
  let bytes = 0;
  for (const { message } of completion.choices) {
    bytes += lengthOf(message.content ?? '') + lengthOf(message.reasoning_content ?? '');
    if (message.tool_calls !== undefined) bytes += lengthOf(JSON.stringify(message.tool_calls));
  }
  return bytes;
}
