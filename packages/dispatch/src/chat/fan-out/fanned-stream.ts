import type { ChatChunk, Usage } from '@switchyard/wire';
import { encodeSse } from '@switchyard/wire';
import type { ChatStream, RenderChunk, StreamEnding } from '../stream/chat-stream.ts';
import { UpstreamFailure } from '../../failure/upstream-failure.ts';
import { summedUsage } from './merge.ts';

/** A committed answer while it arrives, from one call or from several. */
export type AnswerStream = Pick<ChatStream, 'render' | 'onEnd' | 'read' | 'cancel'>;

export interface StreamPart {
  stream: AnswerStream;
  /** Added to the index of its choices. */
  offset: number;
}

type Arrival = { stream: AnswerStream } & ({ bytes: Uint8Array | undefined } | { error: unknown });

/** Several committed streams as one: whatever comes first is handed on first, and the first that fails fails all. */
export class FannedStream implements AnswerStream {
  readonly #parts: readonly StreamPart[];
  #render: RenderChunk | undefined;
  #onEnd: ((ending: StreamEnding) => void) | undefined;
  readonly #endings: StreamEnding[] = [];
  /** What each stream has read; the next of a stream is read when its last is taken. */
  readonly #arrivals: Arrival[] = [];
  #wake = () => {};
  #reading = 0;
  #started = false;
  /** Lends all chunks what must be the same in one answer. */
  #first: ChatChunk | undefined;
  readonly #usages: Usage[] = [];

  constructor(parts: readonly StreamPart[]) {
    this.#parts = parts;
    for (const { stream } of parts) stream.onEnd((ending) => this.#ended(ending));
  }

  render(render: RenderChunk): void {
    this.#render = render;
    for (const { stream, offset } of this.#parts) stream.render((chunk) => this.#chunk(chunk, offset));
  }

  onEnd(onEnd: (ending: StreamEnding) => void): void {
    this.#onEnd = onEnd;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (!this.#started) {
      this.#started = true;
      for (const { stream } of this.#parts) this.#readFrom(stream);
    }
    for (;;) {
      const arrival = this.#arrivals.shift();
      if (arrival === undefined) {
        if (this.#reading === 0) return this.#usageEvent();
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      if ('error' in arrival) {
        this.cancel(new UpstreamFailure('left', 'failed in another choice'));
        throw arrival.error;
      }
      if (arrival.bytes === undefined) continue;
      this.#readFrom(arrival.stream);
      return arrival.bytes;
    }
  }

  cancel(failure: UpstreamFailure): void {
    for (const { stream } of this.#parts) stream.cancel(failure);
  }

  #readFrom(stream: AnswerStream): void {
    this.#reading += 1;
    const arrived = (arrival: Arrival) => {
      this.#reading -= 1;
      this.#arrivals.push(arrival);
      this.#wake();
    };
    stream.read().then(
      (bytes) => arrived({ stream, bytes }),
      (error: unknown) => arrived({ stream, error }),
    );
  }

  /** Usage is sent once, after all streams have ended. */
  #chunk(chunk: ChatChunk, offset: number): string | undefined {
    this.#first ??= chunk;
    const { usage, ...rest } = chunk;
    if (usage !== undefined) this.#usages.push(usage);
    if (chunk.choices.length === 0) return undefined;
    const { id, created } = this.#first;
    const choices = chunk.choices.map((choice) => ({ ...choice, index: choice.index + offset }));
    return this.#render?.({ ...rest, id, created, choices });
  }

  /** Once; after it nothing is left. */
  #usageEvent(): Uint8Array | undefined {
    const usages = this.#usages.splice(0);
    if (this.#first === undefined || usages.length === 0) return undefined;
    const { id, object, created, model } = this.#first;
    const json = this.#render?.({ id, object, created, model, choices: [], usage: summedUsage(usages) });
    return json === undefined ? undefined : encodeSse(json);
  }

  /** The first that failed is why all ended; those after it were only stopped. */
  #ended(ending: StreamEnding): void {
    this.#endings.push(ending);
    if (this.#endings.length < this.#parts.length) return;
    this.#onEnd?.({
      failure: this.#endings.find(({ failure }) => failure !== undefined)?.failure,
      usage: summedUsage(this.#endings.map(({ usage }) => usage)),
      usageEstimated: this.#endings.some(({ usageEstimated }) => usageEstimated),
      skippedFrames: this.#endings.reduce((sum, { skippedFrames }) => sum + skippedFrames, 0),
      images: this.#endings.reduce((sum, { images }) => sum + images, 0),
    });
  }
}
