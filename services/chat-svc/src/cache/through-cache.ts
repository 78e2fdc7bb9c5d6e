import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import type { Plan } from '@switchyard/dispatch';
import { asksNoFallback } from '@switchyard/dispatch-kit';
import type { ChatRequest } from '@switchyard/wire';
import type { AnswerCache, Making } from './answer-cache.ts';
import { cacheKey } from './cache-key.ts';
import { cacheSeconds, type CacheSettings } from './cache-rules.ts';
import type { CacheEvents } from './cache-events.ts';

/** A chat that is allowed and planned, and has cost nothing so far. */
export interface PlannedChat {
  exchange: IncomingExchange;
  request: ChatRequest;
  plan: Plan;
  /** Of the body as it came. */
  bodyBytes: number;
  planMs: number;
}

/** Answers a chat with what is there already, or calls `make`, once. */
export type ThroughCache = (
  chat: PlannedChat,
  make: (making: Making) => Promise<ExchangeAnswer>,
) => Promise<ExchangeAnswer>;

export interface ThroughCacheOptions {
  settings: CacheSettings;
  cache: AnswerCache;
  events: CacheEvents;
  catalogueVersion(): string;
}

export const throughCache =
  ({ settings, cache, events, catalogueVersion }: ThroughCacheOptions): ThroughCache =>
  (chat, make) => {
    const { exchange, request, plan, planMs } = chat;
    const { head } = exchange;
    const seconds = cacheSeconds({ ...chat, head }, settings);
    if (seconds === 0 || head.principal === undefined) {
      events.bypassed(request.stream === true);
      return make({ mode: 'BYPASS' });
    }
    const { accountId } = head.principal;
    const noFallback = asksNoFallback(head);
    const key = cacheKey({ accountId, request, plan, noFallback, catalogueVersion: catalogueVersion() });
    return cache.answer({ key, ttlMs: seconds * 1000, receiver: { head, request, plan, planMs }, exchange }, make);
  };
