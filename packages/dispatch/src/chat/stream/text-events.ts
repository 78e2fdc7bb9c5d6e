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

/** A frame that was fully translated. */
interface TranslatedFrame {
  frame: Frame;
  chunks: readonly ChatChunk[];
}

/** The events of plain text deltas, which need no translation. */
export interface TextEvents {
  /** `undefined` if the frame must be fully translated. */
  forward(frame: Frame): ChunkEvent | VendorEvent | undefined;
  /** Must be called with every frame that was fully translated. `event`: what it became, if it is shown yet. */
  learn(translated: TranslatedFrame, event: ChunkEvent | VendorEvent | undefined): void;
  /** Must be called when chunks begin to be shown. `event`: that of the last chunk before, if it is shown. */
  shown(event: ChunkEvent | undefined): void;
  /** Bytes of text forwarded so far. */
  contentBytes(): number;
}

/** `isNative`: frames are passed on, so that a text must keep every byte. */
export function createTextEvents(isNative: boolean): TextEvents {
  const lane = createTextLane({ exact: isNative });
  let learned: LearnedChunk | undefined;
  let held: TranslatedFrame | undefined;
  let isShown = isNative;

  function learnFrom({ frame, chunks }: TranslatedFrame, event: ChunkEvent | VendorEvent): void {
    const lesson = {
      frame,
      chunks,
      get output() {
        return event.bytes;
      },
    };
    if (lane.learn(lesson) && event.kind === 'chunk') learned = { like: event.chunk, ...lane.around() };
  }

  return {
    forward(frame) {
      const bytes = lane.forward(frame);
      if (bytes === undefined) return undefined;
      return learned === undefined ? passedBytes(frame.event, bytes) : textEvent(bytes, learned);
    },
    learn(translated, event) {
      if (event !== undefined) learnFrom(translated, event);
      else if (!isShown) held = translated;
    },
    shown(event) {
      if (held !== undefined && event !== undefined) learnFrom(held, event);
      // Its bytes are a view, which would keep a whole read of the socket.
      held = undefined;
      isShown = true;
    },
    contentBytes: lane.contentBytes,
  };
}
