import type { RedisCommander, Result } from 'ioredis';
import { slotsPerWindow } from '../sliding-window.ts';
import type { SpendResult, SpendRule } from '../store.ts';

type SpendReply = [granted: number, used: number, comesBackMs: number, slot: number];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Limit, window, wanted, least, owed, the slot of what is owed. */
    spend(key: string, ...rule: number[]): Result<SpendReply, Context>;
  }
}

/** A hash of slot → count, by the server's clock; the same arithmetic as `sliding-window.ts`. */
export const spend = {
  numberOfKeys: 1,
  lua: `
    local limit, window, wanted, least = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local owed, owedAt, parts = tonumber(ARGV[5]), tonumber(ARGV[6]), ${slotsPerWindow}
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    local part = window / parts
    local slot = math.floor(now / part)
    local counts, used = {}, 0
    local kept = redis.call('HGETALL', KEYS[1])
    for at = 1, #kept, 2 do
      local each = tonumber(kept[at])
      if each < slot - parts or each > slot + 1 then redis.call('HDEL', KEYS[1], kept[at])
      else
        counts[each] = tonumber(kept[at + 1])
        used = used + counts[each]
      end
    end
    local function add(at, amount)
      local count = math.max(0, (counts[at] or 0) + amount)
      used = used + count - (counts[at] or 0)
      counts[at] = count
      redis.call('HSET', KEYS[1], string.format('%.0f', at), string.format('%.0f', count))
    end
    local at = counts[owedAt] and owedAt or slot
    if owed > 0 or (owed < 0 and at == owedAt) then add(at, owed) end
    local granted = math.max(0, math.min(wanted, math.floor(limit - used)))
    if granted < least then granted = 0 end
    local lacking = 1
    if granted == 0 and wanted > 0 then lacking = used + least - limit end
    if granted > 0 then add(slot, granted) end
    local freed, leaving, each = 0, nil, slot - parts
    while each <= slot + 1 and freed < lacking do
      local count = counts[each] or 0
      if count > 0 then freed, leaving = freed + count, each end
      each = each + 1
    end
    local back = 0
    if leaving then back = math.ceil((leaving + 1) * part + window - now) end
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', window + 2 * part))
    return { granted, used, back, slot }`,
};

export async function runSpend(client: RedisCommander, key: string, rule: SpendRule): Promise<SpendResult> {
  const { limit, windowMs, wanted, least = wanted, owed = 0, owedAt = -1 } = rule;
  const [granted, used, comesBackMs, slot] = await client.spend(key, limit, windowMs, wanted, least, owed, owedAt);
  return { granted, used, comesBackMs, slot };
}
