import type { RedisCommander, Result } from 'ioredis';
import type { ShareResult, ShareRule } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Needed, wanted, limit, time to live. */
    share(
      key: string,
      holder: string,
      ...rule: number[]
    ): Result<[held: number, others: number, holders: number], Context>;
  }
}

/** A hash of holder → "count until", by the server's clock; the same arithmetic as `../shares.ts`. */
export const share = {
  numberOfKeys: 1,
  lua: `
    local holder, needed, wanted = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
    local limit, ttl, time = tonumber(ARGV[4]), tonumber(ARGV[5]), redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    local others, holders = 0, 0
    local kept = redis.call('HGETALL', KEYS[1])
    for at = 1, #kept, 2 do
      local count, till = string.match(kept[at + 1], '^(%S+) (%S+)$')
      if tonumber(till) <= now then redis.call('HDEL', KEYS[1], kept[at])
      elseif kept[at] ~= holder then
        others, holders = others + tonumber(count), holders + 1
      end
    end
    local held = math.max(needed, math.min(wanted, limit - others), 0)
    if held > 0 then
      holders = holders + 1
      redis.call('HSET', KEYS[1], holder, string.format('%.0f %.0f', held, now + ttl))
    else redis.call('HDEL', KEYS[1], holder) end
    if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
    return { held, others, holders }`,
};

export async function runShare(client: RedisCommander, key: string, rule: ShareRule): Promise<ShareResult> {
  const { holder, needed, wanted, limit, ttlMs } = rule;
  const [held, others, holders] = await client.share(key, holder, needed, wanted, limit, ttlMs);
  return { held, others, holders };
}
