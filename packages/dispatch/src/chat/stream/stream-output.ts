import {
  type AnswerEvent,
  type ChatChunk,
  type ChunkEvent,
  chunkEvent,
  type Frame,
  type VendorEvent,
} from '@tallyport/wire';

/** The chunk for the client; `undefined` leaves it out. Two plain text chunks may differ only in the text. */
export type RenderChunk = (chunk: ChatChunk) => ChatChunk | undefined;

/** Chunks without content kept before `open`; any beyond these are keep-alives. */
const maxHeldChunks = 64;

/** The events for the client. Until it is known how chunks are shown, they are held; passed frames are never shown as chunks. */
export class StreamOutput {
  readonly #onWrite: (chunk: ChatChunk) => void;
  readonly #passed: ((frame: Frame) => VendorEvent) | undefined;
  #render: RenderChunk | undefined;
  #held: ChatChunk[] = [];
  #events: AnswerEvent[] = [];

  /** `onWrite` is called for every chunk that the client may see. `passed`: how frames are passed on instead of chunks. */
  constructor(onWrite: (chunk: ChatChunk) => void, passed?: (frame: Frame) => VendorEvent) {
    this.#onWrite = onWrite;
    this.#passed = passed;
  }

  isOpen(): boolean {
    return this.#render !== undefined;
  }

  /** Sets how chunks are shown, and shows those that were held. Returns the event of the last one if it is shown. */
  open(render: RenderChunk): ChunkEvent | undefined {
    this.#render = render;
    let last: ChunkEvent | undefined;
    for (const chunk of this.#held) last = this.#write(chunk, render);
    this.#held = [];
    return last;
  }

  /** Adds the vendor's frame itself if frames are passed on; returns its event. */
  pass(frame: Frame): VendorEvent | undefined {
    const event = this.#passed?.(frame);
    if (event !== undefined) this.#events.push(event);
    return event;
  }

  /** Returns the event of the chunk if it is shown now. */
  add(chunk: ChatChunk, hasContent: boolean): ChunkEvent | undefined {
    if (this.#passed !== undefined) {
      this.#onWrite(chunk);
      return undefined;
    }
    if (this.#render !== undefined) return this.#write(chunk, this.#render);
    if (hasContent || this.#held.length < maxHeldChunks) this.#held.push(chunk);
    return undefined;
  }

  /** Adds an event that needs no rendering. */
  forward(event: AnswerEvent): void {
    this.#events.push(event);
  }

  hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** All events since the last call. */
  take(): AnswerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #write(chunk: ChatChunk, render: RenderChunk): ChunkEvent | undefined {
    this.#onWrite(chunk);
    const shown = render(chunk);
    if (shown === undefined) return undefined;
    const event = chunkEvent(shown);
    this.#events.push(event);
    return event;
  }
}
