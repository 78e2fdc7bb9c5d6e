import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import type { UsageOperation } from '@switchyard/contracts';
import { asksNoFallback, type Plan } from '@switchyard/dispatch';
import type { AnswerCache, CacheResult, Making, SharedRequest } from './answer-cache.ts';
import { answerKey } from './answer-key.ts';
import { type CacheSettings, cacheSeconds, mayPaint } from './cache-rules.ts';
import type { CacheEvents, CacheMode } from './events.ts';

/** A request that is allowed and planned, and has cost nothing so far. */
export interface Question extends Pick<SharedRequest, 'from' | 'along'> {
  exchange: IncomingExchange;
  operation: UsageOperation;
  mode: CacheMode;
  plan: Plan;
  planMs: number;
  /** Whatever head and settings say, this answer is neither taken from the cache nor kept. */
  uncacheable: boolean;
  /** Everything in the request that makes the answer another. Asked only when there is a use for it. */
  counted(): unknown;
}

/** Answers with what is there already, or calls `make`, once. */
export type ThroughCache = (
  question: Question,
  make: (making: Making) => Promise<ExchangeAnswer>,
) => Promise<ExchangeAnswer>;

export interface ThroughCacheOptions {
  settings: CacheSettings & {
    /** Of one answer of words, and of one that may have images, as it is kept. */
    maxBytes: number;
    maxImageBytes: number;
  };
  cache: AnswerCache;
  events: CacheEvents;
  catalogueVersion(): string;
  release: string;
  onResult(result: CacheResult, question: Question): void;
}

export const throughCache =
  ({ settings, cache, events, ...options }: ThroughCacheOptions): ThroughCache =>
  async (question, make) => {
    const { exchange, plan, mode } = question;
    const { head } = exchange;
    const seconds = question.uncacheable ? 0 : cacheSeconds({ head, plan }, settings);
    if (seconds === 0 || head.principal === undefined) {
      events.bypassed(mode);
      return make({ mode: 'BYPASS' });
    }
    const key = answerKey({
      ...{ accountId: head.principal.accountId, plan, release: options.release },
      request: await question.counted(),
      noFallback: asksNoFallback(head),
      catalogueVersion: options.catalogueVersion(),
    });
    const maxBytes = mayPaint(plan) ? settings.maxImageBytes : settings.maxBytes;
    const onResult = (result: CacheResult): void => options.onResult(result, question);
    const { from, along } = question;
    return cache.answer({ key, ttlMs: seconds * 1000, maxBytes, exchange, onResult, from, along }, make);
  };
