import type { Offer } from '@switchyard/contracts';
import type { AttemptRecord, ChatOutcome, ImageOutcome } from '@switchyard/dispatch';
import { type CountedTokens, estimateTextTokens, tokensOfChat, tokensOfImages } from '@switchyard/pricing';

/** What a request came to: what its reservations are settled by and its record is made from. */
export interface Settlement {
  attempts: readonly AttemptRecord[];
  /** Absent when no provider served it. */
  served: Offer | undefined;
  ownKey: boolean;
  /** Absent when no tokens were used. */
  counted: CountedTokens | undefined;
  /** The tokens are our estimate. */
  estimated: boolean;
  images: number;
  /** Of them, those that no reported tokens pay for. */
  imagesToPay: number;
  /** USD, as the vendor reports it. */
  vendorCost: number | undefined;
  /** What limits of tokens per minute count. */
  limitTokens: number;
  durationMs: number;
  firstContentMs: number | undefined;
  endReason: string;
}

/** Of a request that used nothing: answered from the cache, or ended before any provider was called. */
export const nothingUsed: Settlement = {
  attempts: [],
  served: undefined,
  ownKey: false,
  counted: undefined,
  estimated: false,
  images: 0,
  imagesToPay: 0,
  vendorCost: undefined,
  limitTokens: 0,
  durationMs: 0,
  firstContentMs: undefined,
  endReason: 'done',
};

export function chatSettlement(outcome: ChatOutcome): Settlement {
  const { attempts, served, ownKey, usage, usageEstimated, images, durationMs, firstContentMs, endReason } = outcome;
  return {
    attempts,
    served,
    ownKey,
    counted: usage && tokensOfChat(usage),
    estimated: usageEstimated,
    images,
    // What a vendor counts in a chat includes its images.
    imagesToPay: usage === undefined || usageEstimated ? images : 0,
    vendorCost: usage?.cost,
    limitTokens: usage?.total_tokens ?? 0,
    durationMs,
    firstContentMs,
    endReason,
  };
}

/** For vendors that count only images, limits count the tokens of the prompt. */
export function imageSettlement(outcome: ImageOutcome, prompt: string): Settlement {
  const { attempts, served, ownKey, usage, images, durationMs, endReason } = outcome;
  return {
    attempts,
    served,
    ownKey,
    counted: usage && tokensOfImages(usage),
    estimated: false,
    images: images.length,
    imagesToPay: images.length,
    vendorCost: usage?.cost,
    limitTokens: served === undefined ? 0 : (usage?.total_tokens ?? estimateTextTokens(prompt.length)),
    durationMs,
    firstContentMs: served && durationMs,
    endReason,
  };
}
