import { type Frame, frameText } from '@switchyard/wire';
import { unreadableAnswer } from './faults/broken-answer.ts';
import { isMembers, type Members } from './read.ts';

/** A frame too many that cannot be read: one is an accident, many are another protocol. */
const MOST_SKIPPED = 10;

/** The frames of one stream, read as JSON objects. */
export interface JsonFrames {
  /** `undefined` for a frame that holds anything else; throws when there are too many of them. */
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
      if (skipped <= MOST_SKIPPED) return undefined;
      throw unreadableAnswer(providerId, `${skipped} frames of the stream are not JSON objects.`);
    },
    skipped: () => skipped,
  };
}

function parsed(frame: Frame): unknown {
  try {
    return JSON.parse(frameText(frame));
  } catch {
    return undefined;
  }
}
