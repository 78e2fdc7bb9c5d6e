import type { Finding, GatewayError, Offer } from '@switchyard/contracts';
import type {
  AttemptRecord,
  AttemptRoute,
  AudioOutcome,
  ChatOutcome,
  ImageOutcome,
  RequestOutcome,
} from '@switchyard/dispatch';
import {
  audioLimitTokens,
  type CountedTokens,
  estimateTextTokens,
  tokensOfChat,
  tokensOfImages,
} from '@switchyard/pricing';

/** How a request ended: its reservations are settled by this, and its record is made from it. */
export interface Settlement {
  attempts: readonly AttemptRecord[];
  /** One for each attempt. */
  routes: readonly AttemptRoute[];
  /** Absent if no provider answered. */
  served: Offer | undefined;
  ownKey: boolean;
  /** Absent if no tokens were used. */
  counted: CountedTokens | undefined;
  /** The tokens are our estimate. */
  estimated: boolean;
  images: number;
  /** The images that are not already paid for by the reported tokens. */
  imagesToPay: number;
  /** Of text read aloud. */
  characters: number;
  audioSeconds: number;
  /** USD, as the vendor reports it. */
  vendorCost: number | undefined;
  /** The tokens counted by token-per-minute limits. */
  limitTokens: number;
  durationMs: number;
  firstContentMs: number | undefined;
  endReason: string;
  /** The error that the client gets. */
  error: GatewayError | undefined;
  /** What guardrails did to the request and its answer. */
  findings?: readonly Finding[];
}

/** For a request that used nothing: answered from the cache, or ended before a provider was called. */
export const nothingUsed: Settlement = {
  attempts: [],
  routes: [],
  served: undefined,
  ownKey: false,
  counted: undefined,
  estimated: false,
  images: 0,
  imagesToPay: 0,
  characters: 0,
  audioSeconds: 0,
  vendorCost: undefined,
  limitTokens: 0,
  durationMs: 0,
  firstContentMs: undefined,
  endReason: 'done',
  error: undefined,
};

export function chatSettlement(outcome: ChatOutcome): Settlement {
  const { usage, usageEstimated, images, firstContentMs } = outcome;
  const counted = usage && tokensOfChat(usage);
  return {
    ...nothingUsed,
    ...endingOf(outcome),
    counted: counted && { ...counted, adjusted: counted.adjusted || outcome.usageAdjusted === true },
    estimated: usageEstimated,
    images,
    // The usage that a vendor reports for a chat includes its images.
    imagesToPay: usage === undefined || usageEstimated ? images : 0,
    vendorCost: usage?.cost,
    limitTokens: usage?.total_tokens ?? 0,
    firstContentMs,
  };
}

/** If the vendor counts only images, limits count the estimated tokens of the prompt. */
export function imageSettlement(outcome: ImageOutcome, prompt: string): Settlement {
  const { served, usage, images, imagesOwed = 0, durationMs } = outcome;
  return {
    ...nothingUsed,
    ...endingOf(outcome),
    counted: usage && tokensOfImages(usage),
    estimated: imagesOwed > 0,
    images: images.length,
    imagesToPay: images.length + imagesOwed,
    vendorCost: usage?.cost,
    limitTokens: served === undefined ? 0 : (usage?.total_tokens ?? estimateTextTokens(prompt.length)),
    firstContentMs: served && durationMs,
  };
}

export function audioSettlement(outcome: AudioOutcome): Settlement {
  const { use, firstContentMs } = outcome;
  return {
    ...nothingUsed,
    ...endingOf(outcome),
    counted: use && { tokens: use.tokens, adjusted: false },
    estimated: use?.estimated === true,
    characters: use?.characters ?? 0,
    audioSeconds: use?.audioSeconds ?? 0,
    limitTokens: use ? audioLimitTokens(use) : 0,
    firstContentMs,
  };
}

/** The members that all outcomes have. */
const endingOf = ({ attempts, routes, served, ownKey, durationMs, endReason, error }: RequestOutcome) => ({
  attempts,
  routes,
  served,
  ownKey,
  durationMs,
  endReason,
  error,
});
