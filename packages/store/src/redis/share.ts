import { defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import type { ShareResult, ShareRule } from '../store.ts';

/** A hash of holder → "count until", by the server's clock; the same arithmetic as `../shares.ts`. */
export const share = defineScript({
  SCRIPT: `
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
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, { holder, needed, wanted, limit, ttlMs }: ShareRule) {
    parser.pushKey(key);
    parser.push(holder, ...[needed, wanted, limit, ttlMs].map(String));
  },
  transformReply(reply: unknown): ShareResult {
    const [held = 0, others = 0, holders = 0] = Array.isArray(reply) ? reply.map(Number) : [];
    return { held, others, holders };
  },
});
