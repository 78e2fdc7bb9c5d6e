import type { Frame } from '@tallyport/wire';
import { canonicalBody } from './string-body.ts';
import type { ByteRange } from './string-member.ts';
import { type Lesson, type Surroundings, surroundingsIn } from './surroundings.ts';

/**
 * Forwards plain text deltas without parsing them, for providers with `textDeltasAreIndependent`. From a frame that was
 * fully translated it learns the bytes around the text. A later frame that differs only in the text results in exactly
 * the bytes the full translation would give.
 */
export interface TextLane {
  /** The bytes for the client, or `undefined` if the frame must be fully translated. */
  forward(frame: Frame): Buffer | undefined;
  /**
   * Must be called with every frame that was fully translated. Returns whether the lane has learned from it: frames other
   * than plain text deltas have no effect.
   */
  learn(lesson: Lesson): boolean;
  /** How many bytes of the last forwarded output are before and after the text. */
  around(): { before: number; after: number };
  /** Bytes of text forwarded so far, to estimate how much was delivered. */
  contentBytes(): number;
}

/** `exact`: the text must keep every byte, so a text that would be written with other escapes is not forwarded. */
export function createTextLane({ exact = false } = {}): TextLane {
  let known: Surroundings | undefined;
  let contentBytes = 0;

  return {
    forward(frame) {
      if (known === undefined || frame.event !== known.event) return undefined;
      const span = textIn(frame.data, known);
      if (span === undefined) return undefined;
      const text = frame.data.subarray(span.start, span.end);
      const body = canonicalBody(text);
      if (body === undefined || (exact && body !== text)) return undefined;
      contentBytes += body.length;
      return joined(known.outputBefore, body, known.outputAfter);
    },
    learn(lesson) {
      const learned = surroundingsIn(lesson);
      known = learned ?? known;
      return learned !== undefined;
    },
    around: () => ({ before: known?.outputBefore.length ?? 0, after: known?.outputAfter.length ?? 0 }),
    contentBytes: () => contentBytes,
  };
}

/** The range of the text between the known surroundings. It may still turn out not to be a valid string. */
function textIn(data: Buffer, { before, after, afterPadding }: Surroundings): ByteRange | undefined {
  const start = before.length;
  if (data.length <= start + after.length || !matches(data, 0, before)) return undefined;
  const afterAt = afterPadding === undefined ? data.length - after.length : paddedEnd(data, after, afterPadding);
  // A frame with an empty text has no chunk, so it is not forwarded.
  if (afterAt === undefined || afterAt <= start || !matches(data, afterAt, after)) return undefined;
  return { start, end: afterAt };
}

/** The position of `after` if padding of unknown length follows it, up to `afterPadding`. */
function paddedEnd(data: Buffer, after: Buffer, afterPadding: Buffer): number | undefined {
  const paddingEnd = data.length - afterPadding.length;
  if (paddingEnd < 0 || !matches(data, paddingEnd, afterPadding)) return undefined;
  const at = data.lastIndexOf(after, paddingEnd - after.length);
  if (at === -1) return undefined;
  return canonicalBody(data.subarray(at + after.length, paddingEnd)) === undefined ? undefined : at;
}

const matches = (data: Buffer, at: number, expected: Buffer): boolean =>
  at >= 0 && data.compare(expected, 0, expected.length, at, at + expected.length) === 0;

function joined(before: Buffer, body: Buffer, after: Buffer): Buffer {
  const output = Buffer.allocUnsafe(before.length + body.length + after.length);
  output.set(before);
  output.set(body, before.length);
  output.set(after, before.length + body.length);
  return output;
}
