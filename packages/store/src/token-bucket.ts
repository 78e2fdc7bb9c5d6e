import type { TakeResult, TakeRule } from './store.ts';

/** The tokens in a bucket at a point in time. */
export interface Bucket {
  tokens: number;
  atMs: number;
}

/** Tolerance for rounding errors, so that a caller that waited exactly long enough is allowed. */
const epsilon = 1e-9;

/**
 * The same arithmetic as `redis/scripts.ts`; a shared suite tests both. If the clock went back, nothing is refilled.
 */
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

/** A full bucket is the same as a new one, so it is kept no longer than this. */
export function msUntilFull(bucket: Bucket, rule: TakeRule): number {
  return Math.max(1, Math.ceil(((rule.capacity - bucket.tokens) * 1000) / rule.refillPerSecond));
}
