import type { RedisCommander, Result } from 'ioredis';
import type { PresenceRule } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    present(key: string, member: string, ttlMs: number): Result<number, Context>;
  }
}

/** A sorted set of members by the time at which they leave, by the server's clock. */
export const present = {
  numberOfKeys: 1,
  lua: `
    local ttl, time = tonumber(ARGV[2]), redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    if ttl > 0 then redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), ARGV[1])
    else redis.call('ZREM', KEYS[1], ARGV[1]) end
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
    if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return redis.call('ZCARD', KEYS[1])`,
};

export const runPresent = (client: RedisCommander, key: string, { member, ttlMs }: PresenceRule): Promise<number> =>
  client.present(key, member, ttlMs);
