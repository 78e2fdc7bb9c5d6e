import { estimateUsage, largerUsage, soundUsage } from '@tallyport/pricing';
import type { ChatChunk, Usage } from '@tallyport/wire';
import type { Attempt } from '../attempt.ts';
import type { AnswerFacts } from '../chat-outcome.ts';
import { chunkImageCount, contentBytes } from './content.ts';

export interface StreamUsage {
  usage: Usage;
  /** The figures are our estimate, or the larger of it and the vendor's. */
  usageEstimated: boolean;
  usageAdjusted?: boolean | undefined;
}

/** OpenAI's limit. */
const mostChoices = 128;

/** Counts what a stream delivers, and combines it with the usage that the vendor reports. */
export class StreamMeter {
  readonly #attempt: Attempt;
  /** Bytes of text that were delivered without passing through `count`. */
  readonly #uncounted: () => number;
  #bytes = 0;
  #images = 0;
  #model: string | undefined;
  /** By the index of their choice. */
  readonly #finishReasons: (string | undefined)[] = [];

  constructor(attempt: Attempt, uncounted: () => number) {
    this.#attempt = attempt;
    this.#uncounted = uncounted;
  }

  count(chunk: ChatChunk): void {
    this.#bytes += contentBytes(chunk);
    this.#images += chunkImageCount(chunk);
    this.#model ??= chunk.model;
    for (const { index, finish_reason: reason } of chunk.choices) {
      if (index < mostChoices) this.#finishReasons[index] = reason ?? this.#finishReasons[index];
    }
  }

  answer(): AnswerFacts | undefined {
    if (this.#model === undefined) return undefined;
    return { model: this.#model, finishReasons: Array.from(this.#finishReasons, (reason) => reason ?? 'error') };
  }

  images(): number {
    return this.#images;
  }

  estimate(): Usage {
    const { bounds, chat, offer } = this.#attempt;
    const delivered = { bytes: this.#bytes + this.#uncounted(), images: this.#images };
    return soundUsage(estimateUsage(chat.request, delivered, offer), bounds, chat.request.n ?? 1).usage;
  }

  /** `final`: the vendor's report is complete. Before that its figures may be partial. */
  usage(reported: Usage | undefined, final: boolean): StreamUsage {
    const { bounds, chat, offer } = this.#attempt;
    if (reported === undefined) return { usage: this.estimate(), usageEstimated: true };
    const { usage, adjusted } = soundUsage(reported, bounds, chat.request.n ?? 1);
    const usageAdjusted = adjusted || undefined;
    if (final) return { usage, usageEstimated: false, usageAdjusted };
    return { usage: largerUsage(usage, this.estimate(), offer), usageEstimated: true, usageAdjusted };
  }
}
