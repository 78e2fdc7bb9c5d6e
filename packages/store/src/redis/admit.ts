import type { RedisCommander, Result } from 'ioredis';
import type { AdmitRule } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admit(key: string, member: string, most: number, ttlMs: number): Result<0 | 1, Context>;
  }
}

/** A set of members. PTTL also repairs a set without a time to live. */
export const admission = {
  numberOfKeys: 1,
  lua: `
    if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 1 end
    if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
    redis.call('SADD', KEYS[1], ARGV[1])
    if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
    return 1`,
};

export const runAdmit = async (client: RedisCommander, key: string, rule: AdmitRule): Promise<boolean> =>
  (await client.admit(key, rule.member, rule.most, rule.ttlMs)) === 1;
