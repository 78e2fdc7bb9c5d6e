import type { IncomingExchange } from '@tallyport/bus';
import type { UsageOperation } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import type { SharedRequest } from './answer-cache.ts';

export const cacheModes = ['plain', 'stream', 'image'] as const;

/** How an answer is delivered: a chat as one document, a chat as a stream, or images of the image endpoints. */
export type CacheMode = (typeof cacheModes)[number];

/** A request that is allowed and planned, and has cost nothing yet. */
export interface PlannedRequest {
  exchange: IncomingExchange;
  operation: UsageOperation;
  endUser?: string | undefined;
  plan: Plan;
  planMs: number;
  cache: CacheTerms;
}

/** How the cache treats a request. */
export interface CacheTerms extends Pick<SharedRequest, 'from' | 'follow'> {
  mode: CacheMode;
  /** The cache is neither read nor written, regardless of headers and settings. */
  uncacheable: boolean;
  /** Returns everything in the request that affects the answer. Called only if a cache key is needed. */
  counted(): unknown;
}
