import { estimateUsage, largerUsage, soundUsage } from '@tallyport/pricing';
import type { ChatChunk, Usage } from '@tallyport/wire';
import { type Attempt, inTierOfHeader } from '../attempt.ts';
import type { AnswerFacts } from '../chat-outcome.ts';
import { chunkImageCount, contentBytes } from './content.ts';

export interface StreamUsage {
  usage: Usage;
  /** The figures are our estimate, or the larger of it and the vendor's. */
  usageEstimated: boolean;
  usageAdjusted?: boolean | undefined;
}

/** What a meter asks for when it needs it. */
interface MeterSource {
  /** Bytes of text that were delivered without passing through `count`. */
  uncounted(): number;
  /** The service tier that the vendor has named. */
  tier(): string | undefined;
}

/** OpenAI's limit. */
const mostChoices = 128;

/** Counts what a stream delivers, and combines it with the usage that the vendor reports. */
export class StreamMeter {
  readonly #attempt: Attempt;
  readonly #source: MeterSource;
  #bytes = 0;
  #images = 0;
  #model: string | undefined;
  /** By the index of their choice. */
  readonly #finishReasons: (string | undefined)[] = [];

  constructor(attempt: Attempt, source: MeterSource) {
    this.#attempt = attempt;
    this.#source = source;
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
    const { uncounted, tier } = this.#source;
    const delivered = { bytes: this.#bytes + uncounted(), images: this.#images, tier: tier() ?? this.#attempt.tier };
    return soundUsage(estimateUsage(chat.request, delivered, offer), bounds, chat.request.n ?? 1).usage;
  }

  /** `final`: the vendor's report is complete. Before that its figures may be partial. */
  usage(reported: Usage | undefined, final: boolean): StreamUsage {
    const { bounds, chat, offer } = this.#attempt;
    if (reported === undefined) return { usage: this.estimate(), usageEstimated: true };
    const inTier = inTierOfHeader(reported, this.#attempt);
    const { usage, adjusted } = soundUsage(inTier, bounds, chat.request.n ?? 1);
    const usageAdjusted = adjusted || undefined;
    if (final) return { usage, usageEstimated: false, usageAdjusted };
    return { usage: largerUsage(usage, this.estimate(), offer), usageEstimated: true, usageAdjusted };
  }
}
