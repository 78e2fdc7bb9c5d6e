import type { Frame } from '@switchyard/wire';
import { canonicalBody } from './string-body.ts';
import type { ByteRange } from './string-member.ts';
import { type Lesson, type Surroundings, surroundingsIn } from './surroundings.ts';

/**
 * Forwards plain text deltas without parsing them, for providers that promise `textDeltasAreIndependent`. It learns from
 * a frame that went the slow way what stands around the text, before and after; a frame that differs only in the text
 * gets exactly the bytes the slow way would give.
 */
export interface TextLane {
  /** The bytes for the client, or `undefined`: this one goes the slow way. */
  forward(frame: Frame): Buffer | undefined;
  /** To be told every frame that went the slow way; those that are no plain text teach nothing. */
  learn(lesson: Lesson): void;
  /** Bytes of text that went through the lane, for estimates of what was delivered. */
  contentBytes(): number;
}

export function createTextLane(): TextLane {
  let known: Surroundings | undefined;
  let contentBytes = 0;

  return {
    forward(frame) {
      if (known === undefined || frame.event !== known.event) return undefined;
      const span = textIn(frame.data, known);
      if (span === undefined) return undefined;
      const body = canonicalBody(frame.data.subarray(span.start, span.end));
      if (body === undefined) return undefined;
      contentBytes += body.length;
      return joined(known.outputBefore, body, known.outputAfter);
    },
    learn(lesson) {
      known = surroundingsIn(lesson) ?? known;
    },
    contentBytes: () => contentBytes,
  };
}

/** The text between the known surroundings; it may still turn out not to be a string. */
function textIn(data: Buffer, { before, after, afterPadding }: Surroundings): ByteRange | undefined {
  const start = before.length;
  if (data.length <= start + after.length || !matches(data, 0, before)) return undefined;
  const afterAt = afterPadding === undefined ? data.length - after.length : paddedEnd(data, after, afterPadding);
  // No text at all says nothing, and nothing is sent for it.
  if (afterAt === undefined || afterAt <= start || !matches(data, afterAt, after)) return undefined;
  return { start, end: afterAt };
}

/** Where `after` stands when a text of unknown length follows it and precedes `afterPadding`. */
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
  before.copy(output, 0);
  body.copy(output, before.length);
  after.copy(output, before.length + body.length);
  return output;
}
