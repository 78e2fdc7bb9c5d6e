import type { Finding, GatewayError, Offer } from '@tallyport/contracts';
import type {
  AttemptRecord,
  AttemptRoute,
  AudioOutcome,
  ChatOutcome,
  ImageOutcome,
  Plan,
  RequestOutcome,
} from '@tallyport/dispatch';
import {
  audioLimitTokens,
  type CountedTokens,
  estimateTextTokens,
  tokensOfChat,
  tokensOfImages,
} from '@tallyport/pricing';

/** How a request ended: its reservations are settled by this, and its record is made from it. */
export interface Settlement {
  attempts: readonly AttemptRecord[];
  /** One for each attempt. */
  routes: readonly AttemptRoute[];
  /** Absent if no provider answered. */
  served: Offer | undefined;
  ownKey: boolean;
  /** That of the model that answered or failed last; absent if it is the request's own. */
  plan?: Plan;
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
  /** The tokens that a vendor's cache would have had, if they had been marked. */
  cacheableTokens: number;
  /** USD, as the vendor reports it. */
  vendorCost: number | undefined;
  /** The tokens counted by token-per-minute limits. */
  limitTokens: number;
  durationMs: number;
  firstContentMs: number | undefined;
  endReason: string;
  /** A provider that failed may have done the work, so no other model is asked for it. */
  isUnclear: boolean;
  /** The error that the client gets. */
  error: GatewayError | undefined;
  /** What guardrails did to the request and its answer. */
  findings?: readonly Finding[];
}

type Ending = Pick<RequestOutcome, 'attempts' | 'routes' | 'served' | 'ownKey' | 'durationMs' | 'error'> & {
  endReason: string;
};

type Use = Partial<Omit<Settlement, keyof Ending>>;

/** One literal, because every request has a settlement: all of them have the same members. */
const settlementOf = (ending: Ending, use: Use): Settlement => ({
  attempts: ending.attempts,
  routes: ending.routes,
  served: ending.served,
  ownKey: ending.ownKey,
  counted: use.counted,
  estimated: use.estimated ?? false,
  images: use.images ?? 0,
  imagesToPay: use.imagesToPay ?? 0,
  characters: use.characters ?? 0,
  audioSeconds: use.audioSeconds ?? 0,
  cacheableTokens: use.cacheableTokens ?? 0,
  vendorCost: use.vendorCost,
  limitTokens: use.limitTokens ?? 0,
  durationMs: ending.durationMs,
  firstContentMs: use.firstContentMs,
  endReason: ending.endReason,
  isUnclear: use.isUnclear ?? false,
  error: ending.error,
});

/** For a request that used nothing: answered from the cache, or ended before a provider was called. */
export const nothingUsed: Settlement = settlementOf(
  {
    attempts: [],
    routes: [],
    served: undefined,
    ownKey: false,
    durationMs: 0,
    endReason: 'done',
    error: undefined,
  },
  {},
);

export function chatSettlement(outcome: ChatOutcome, cacheableTokens = 0): Settlement {
  const { usage, usageEstimated, images, firstContentMs } = outcome;
  const counted = usage && tokensOfChat(usage);
  return settlementOf(outcome, {
    counted: counted && outcome.usageAdjusted === true ? { ...counted, adjusted: true } : counted,
    estimated: usageEstimated,
    images,
    // The usage that a vendor reports for a chat includes its images.
    imagesToPay: usage === undefined || usageEstimated ? images : 0,
    vendorCost: usage?.cost,
    limitTokens: usage?.total_tokens ?? 0,
    firstContentMs,
    cacheableTokens,
  });
}

/** If the vendor counts only images, limits count the estimated tokens of the prompt. */
export function imageSettlement(outcome: ImageOutcome, prompt: string): Settlement {
  const { served, usage, images, imagesOwed = 0, isUnclear, durationMs } = outcome;
  return settlementOf(outcome, {
    counted: usage && tokensOfImages(usage),
    estimated: imagesOwed > 0,
    images: images.length,
    imagesToPay: images.length + imagesOwed,
    vendorCost: usage?.cost,
    limitTokens: served === undefined ? 0 : (usage?.total_tokens ?? estimateTextTokens(prompt.length)),
    firstContentMs: served && durationMs,
    isUnclear,
  });
}

/** One response of a session. `ending` is that of the response; `counted` is absent if the vendor reported no usage. */
export function realtimeSettlement(ending: Ending, counted: CountedTokens | undefined): Settlement {
  const limitTokens = Object.values(counted?.tokens ?? {}).reduce((sum, count) => sum + count, 0);
  return settlementOf(ending, { counted, limitTokens });
}

export function audioSettlement(outcome: AudioOutcome): Settlement {
  const { use, firstContentMs } = outcome;
  return settlementOf(outcome, {
    counted: use && { tokens: use.tokens, adjusted: false },
    estimated: use?.estimated === true,
    characters: use?.characters ?? 0,
    audioSeconds: use?.audioSeconds ?? 0,
    limitTokens: use ? audioLimitTokens(use) : 0,
    firstContentMs,
  });
}
