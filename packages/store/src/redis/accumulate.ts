import type { RedisCommander, Result } from 'ioredis';
import type { FadingSums } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Names, each followed by its values, in the arguments and in the reply. */
    accumulate(key: string, halfLifeMs: number, ...additions: string[]): Result<string[], Context>;
  }
}

/**
 * A hash of `name` → "time value value …", with the server time of the last write; the same arithmetic as
 * `fading-sums.ts`. Only sums that were added to are written; sums that have faded to zero are removed.
 */
export const accumulate = {
  numberOfKeys: 1,
  lua: `
    local half, time = tonumber(ARGV[1]), redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
    local sums = {}
    local kept = redis.call('HGETALL', KEYS[1])
    for at = 1, #kept, 2 do
      local values, first = {}, true
      for word in string.gmatch(kept[at + 1], '%S+') do
        if first then values.left, first = 0.5 ^ (math.max(0, now - tonumber(word)) / half), false
        else values[#values + 1] = tonumber(word) * values.left end
      end
      sums[kept[at]] = values
    end
    local added = {}
    for at = 2, #ARGV, 2 do
      local values, place = sums[ARGV[at]] or {}, 0
      for word in string.gmatch(ARGV[at + 1], '%S+') do
        place = place + 1
        values[place] = (values[place] or 0) + tonumber(word)
      end
      sums[ARGV[at]], added[ARGV[at]] = values, true
    end
    local reply = {}
    for name, values in pairs(sums) do
      local words, something = {}, false
      for place, value in ipairs(values) do
        words[place] = string.format('%.17g', value)
        something = something or math.abs(value) >= 0.001
      end
      local text = table.concat(words, ' ')
      if not something then redis.call('HDEL', KEYS[1], name)
      else
        if added[name] then redis.call('HSET', KEYS[1], name, string.format('%.3f ', now) .. text) end
        reply[#reply + 1], reply[#reply + 2] = name, text
      end
    end
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', half * 20))
    return reply`,
};

export async function runAccumulate(client: RedisCommander, key: string, added: Added): Promise<Map<string, number[]>> {
  const words = [...added.additions].flatMap(([name, values]) => [name, values.join(' ')]);
  const reply = await client.accumulate(key, added.halfLifeMs, ...words);
  const sums = new Map<string, number[]>();
  for (let at = 0; at + 1 < reply.length; at += 2) {
    sums.set(reply[at] ?? '', (reply[at + 1] ?? '').split(' ').map(Number));
  }
  return sums;
}

interface Added {
  additions: FadingSums;
  halfLifeMs: number;
}
