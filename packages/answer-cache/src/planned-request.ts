import type { IncomingExchange } from '@switchyard/bus';
import type { UsageOperation } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { SharedRequest } from './answer-cache.ts';

export const cacheModes = ['plain', 'stream', 'image'] as const;

/** How an answer is delivered: a chat in one piece, a chat as a stream, or images of the image endpoints. */
export type CacheMode = (typeof cacheModes)[number];

/** A request that is allowed and planned, and has cost nothing so far. */
export interface PlannedRequest extends Pick<SharedRequest, 'from' | 'follow'> {
  exchange: IncomingExchange;
  operation: UsageOperation;
  mode: CacheMode;
  plan: Plan;
  planMs: number;
  /** The answer is neither read from the cache nor stored, whatever headers and settings say. */
  uncacheable: boolean;
  /** Everything in the request that changes the answer. Called only when a cache key is made. */
  counted(): unknown;
}
