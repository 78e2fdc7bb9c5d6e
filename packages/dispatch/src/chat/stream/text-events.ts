import { createTextLane } from '@tallyport/providers';
import {
  type ChatChunk,
  type ChunkEvent,
  type Frame,
  type LearnedChunk,
  passedBytes,
  type VendorEvent,
  textEvent,
} from '@tallyport/wire';

/** What a frame became when it was fully translated. */
interface TranslatedFrame {
  frame: Frame;
  chunks: readonly ChatChunk[];
  event: ChunkEvent | VendorEvent;
}

/** The events of plain text deltas, which need no translation. */
export interface TextEvents {
  /** `undefined` if the frame must be fully translated. */
  forward(frame: Frame): ChunkEvent | VendorEvent | undefined;
  /** Must be called with every frame that was fully translated. */
  learn(translated: TranslatedFrame): void;
  /** Bytes of text forwarded so far. */
  contentBytes(): number;
}

/** `isNative`: frames are passed on, so that a text must keep every byte. */
export function createTextEvents(isNative: boolean): TextEvents {
  const lane = createTextLane({ exact: isNative });
  let learned: LearnedChunk | undefined;
  return {
    forward(frame) {
      const bytes = lane.forward(frame);
      if (bytes === undefined) return undefined;
      return learned === undefined ? passedBytes(frame.event, bytes) : textEvent(bytes, learned);
    },
    learn({ frame, chunks, event }) {
      const lesson = {
        frame,
        chunks,
        get output() {
          return event.bytes;
        },
      };
      if (lane.learn(lesson) && event.kind === 'chunk') learned = { like: event.chunk, ...lane.around() };
    },
    contentBytes: lane.contentBytes,
  };
}
