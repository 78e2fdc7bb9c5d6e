import type { RedisCommander, Result } from 'ioredis';
import type { TakeResult, TakeRule } from '../store.ts';
import { accumulate } from './accumulate.ts';
import { admission } from './admit.ts';
import { present } from './present.ts';
import { purse } from './purse.ts';
import { queue } from './queue.ts';
import { share } from './share.ts';
import { spend } from './spend.ts';

type TakeReply = [allowed: number, remaining: number, retryAfterMs: number];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    take(key: string, capacity: number, refillPerSecond: number, cost: number): Result<TakeReply, Context>;
    increment(key: string, by: number, ttlMs: number): Result<number, Context>;
    deleteIfEqual(key: string, expected: Buffer): Result<0 | 1, Context>;
    setIfOurs(key: string, mark: Buffer, value: Buffer, ttlMs: number): Result<0 | 1, Context>;
  }
}

/** The time to live is set once, when the counter is created. PTTL also repairs a counter without one. */
const increment = {
  numberOfKeys: 1,
  lua: `
    local count = redis.call('INCRBY', KEYS[1], ARGV[1])
    if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return count`,
};

/**
 * The same arithmetic as `token-bucket.ts`, with the server's clock, so that replicas need not agree on the time. The
 * value is text: the tokens with all digits, and the time in milliseconds.
 */
const take = {
  numberOfKeys: 1,
  lua: `
    local capacity, refill, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
    local tokens = capacity
    local kept = redis.call('GET', KEYS[1])
    if kept then
      local had, at = string.match(kept, '^(%S+) (%S+)$')
      tokens = math.min(capacity, tonumber(had) + math.max(0, now - tonumber(at)) * refill / 1000)
    end
    local allowed, retry = tokens + 1e-9 >= cost, 0
    if allowed then
      tokens = math.min(capacity, math.max(0, tokens - cost))
    else
      retry = math.ceil((math.min(cost, capacity) - tokens) * 1000 / refill)
    end
    local full = math.min(1e15, math.max(1, math.ceil((capacity - tokens) * 1000 / refill)))
    redis.call('SET', KEYS[1], string.format('%.17g %.3f', tokens, now), 'PX', string.format('%.0f', full))
    return { allowed and 1 or 0, math.floor(tokens + 1e-9), retry }`,
};

const deleteIfEqual = {
  numberOfKeys: 1,
  lua: `
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])`,
};

const setIfOurs = {
  numberOfKeys: 1,
  lua: `
    local present = redis.call('GET', KEYS[1])
    if present and string.sub(present, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    return 1`,
};

/** Each uses one key, so that it runs on any node of a cluster. */
export const scripts = {
  accumulate,
  admit: admission,
  deleteIfEqual,
  increment,
  present,
  purse,
  queue,
  setIfOurs,
  share,
  spend,
  take,
};

export async function runTake(client: RedisCommander, key: string, rule: TakeRule): Promise<TakeResult> {
  const [allowed, remaining, retryAfterMs] = await client.take(key, rule.capacity, rule.refillPerSecond, rule.cost);
  return { allowed: allowed === 1, remaining, retryAfterMs };
}
