import { type Frame, frameText, parseExactJson } from '@tallyport/wire';
import { unreadableAnswer } from './faults/broken-answer.ts';
import { isMembers, type Members } from './read.ts';

/** More unreadable frames than this mean another protocol; a few may be accidents. */
const MAX_SKIPPED = 10;

/** The frames of one stream, read as JSON objects. */
interface JsonFrames {
  /** `undefined` for a frame that is not a JSON object. Throws after too many of them. */
  read(frame: Frame): Members | undefined;
  skipped(): number;
}

export function createJsonFrames(providerId: string): JsonFrames {
  let skipped = 0;
  return {
    read(frame) {
      const value = parsed(frame);
      if (isMembers(value)) return value;
      skipped += 1;
      if (skipped <= MAX_SKIPPED) return undefined;
      throw unreadableAnswer(providerId, `${skipped} frames of the stream are not JSON objects.`);
    },
    skipped: () => skipped,
  };
}

function parsed(frame: Frame): unknown {
  try {
    return parseExactJson(frameText(frame));
  } catch {
    return undefined;
  }
}
