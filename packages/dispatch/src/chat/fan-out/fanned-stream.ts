import { type AnswerEvent, type ChatChunk, chunkEvent, type Usage } from '@tallyport/wire';
import { UpstreamFailure } from '@tallyport/outbound';
import type { ChatStream, StreamEnding } from '../stream/chat-stream.ts';
import type { AnswerFacts } from '../chat-outcome.ts';
import type { RenderChunk } from '../stream/stream-output.ts';
import { summedUsage } from './summed-usage.ts';

/** A committed answer while it arrives, from one call or several. */
export type AnswerStream = Pick<ChatStream, 'render' | 'onEnd' | 'read' | 'cancel'>;

interface StreamPart {
  stream: AnswerStream;
  /** Added to the index of its choices. */
  offset: number;
}

type Arrival = { stream: AnswerStream } & ({ events: AnswerEvent[] | undefined } | { error: unknown });

/** Merges several committed streams: events are passed on in order of arrival, and the first failure fails all. */
export class FannedStream implements AnswerStream {
  readonly #parts: readonly StreamPart[];
  #render: RenderChunk | undefined;
  #onEnd: ((ending: StreamEnding) => void) | undefined;
  readonly #endings: StreamEnding[] = [];
  /** One read per stream: a stream is read again once its last read was taken. */
  readonly #arrivals: Arrival[] = [];
  #wake = () => {};
  #reading = 0;
  #started = false;
  /** The first chunk; all chunks of the answer take its id and creation time. */
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

  async read(): Promise<AnswerEvent[] | undefined> {
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
      if (arrival.events === undefined) continue;
      this.#readFrom(arrival.stream);
      return arrival.events;
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
      (events) => arrived({ stream, events }),
      (error: unknown) => arrived({ stream, error }),
    );
  }

  /** Holds usage back: it is sent once, after all streams have ended. */
  #chunk(chunk: ChatChunk, offset: number): ChatChunk | undefined {
    this.#first ??= chunk;
    const { usage, ...rest } = chunk;
    if (usage !== undefined) this.#usages.push(usage);
    if (chunk.choices.length === 0) return undefined;
    const { id, created } = this.#first;
    const choices = chunk.choices.map((choice) => ({ ...choice, index: choice.index + offset }));
    return this.#render?.({ ...rest, id, created, choices });
  }

  /** Returns the event once, and `undefined` after that. */
  #usageEvent(): AnswerEvent[] | undefined {
    const usages = this.#usages.splice(0);
    if (this.#first === undefined || usages.length === 0) return undefined;
    const { id, object, created, model } = this.#first;
    const chunk = this.#render?.({ id, object, created, model, choices: [], usage: summedUsage(usages) });
    return chunk && [chunkEvent(chunk)];
  }

  /** Reports the first failure as the reason; the later ones only mean that the other streams were stopped. */
  #ended(ending: StreamEnding): void {
    this.#endings.push(ending);
    if (this.#endings.length < this.#parts.length) return;
    this.#onEnd?.({
      failure: this.#endings.find(({ failure }) => failure !== undefined)?.failure,
      usage: summedUsage(this.#endings.map(({ usage }) => usage)),
      usageEstimated: this.#endings.some(({ usageEstimated }) => usageEstimated),
      usageAdjusted: this.#endings.find(({ usageAdjusted }) => usageAdjusted)?.usageAdjusted,
      skippedFrames: this.#endings.reduce((sum, { skippedFrames }) => sum + skippedFrames, 0),
      images: this.#endings.reduce((sum, { images }) => sum + images, 0),
      answer: joinedFacts(this.#endings),
    });
  }
}

function joinedFacts(endings: readonly StreamEnding[]): AnswerFacts | undefined {
  const facts = endings.flatMap(({ answer }) => answer ?? []);
  const [first] = facts;
  return first && { model: first.model, finishReasons: facts.flatMap(({ finishReasons }) => finishReasons) };
}
