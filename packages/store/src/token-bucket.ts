import type { TakeResult, TakeRule } from './store.ts';

/** What is remembered of a bucket: so many tokens at that time. */
export interface Bucket {
  tokens: number;
  atMs: number;
}

/** Adding up fractions of tokens must not leave a caller who waited exactly long enough a hair short. */
const epsilon = 1e-9;

/** The same arithmetic as `redis/scripts.ts`; one suite holds them together. A clock that went back refills nothing. */
export function takeFrom(
  bucket: Bucket | undefined,
  rule: TakeRule,
  nowMs: number,
): { bucket: Bucket; taken: TakeResult } {
  const { capacity, refillPerSecond, cost } = rule;
  const refilled = bucket ? bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * refillPerSecond) / 1000 : capacity;
  const tokens = Math.min(capacity, refilled);
  const allowed = tokens + epsilon >= cost;
  const left = allowed ? Math.min(capacity, Math.max(0, tokens - cost)) : tokens;
  const retryAfterMs = allowed ? 0 : Math.ceil(((Math.min(cost, capacity) - tokens) * 1000) / refillPerSecond);
  return {
    bucket: { tokens: left, atMs: nowMs },
    taken: { allowed, remaining: Math.floor(left + epsilon), retryAfterMs },
  };
}

/** A bucket that is full again is the same as none, so it need not be kept longer. */
export function msUntilFull(bucket: Bucket, rule: TakeRule): number {
  return Math.max(1, Math.ceil(((rule.capacity - bucket.tokens) * 1000) / rule.refillPerSecond));
}
