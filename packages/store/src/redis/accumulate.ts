import type { RedisCommander, Result } from 'ioredis';
import { fade, isNothing } from '../fading-sums.ts';
import type { FadingSums } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Names, each followed by its values. Returns the time, and all names, each followed by what is kept of it. */
    accumulateBuffer(
      key: string,
      halfLifeMs: number,
      ...additions: (string | Buffer)[]
    ): Result<[now: Buffer, all: Buffer[]], Context>;
  }
}

const doubleBytes = 8;
/** A key is removed this long after the last call, and each of its sums this long after the last addition to it. */
const halfLivesKept = 20;

/**
 * A hash of `name` → the server time of the last addition and the sums, as doubles. Only sums that were added to are
 * written. All are returned as they are kept, and fade here: every replica asks, and Redis has one thread for all. About
 * every hundredth call removes old sums.
 */
export const accumulate = {
  numberOfKeys: 1,
  lua: `
    local half, time = tonumber(ARGV[1]), redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
    local keptFor = half * ${halfLivesKept}
    local function read(text)
      local values = { struct.unpack('<' .. string.rep('d', #text / ${doubleBytes}), text) }
      values[#values] = nil -- the position behind the last value
      return values
    end
    for at = 2, #ARGV, 2 do
      local sums, kept = read(ARGV[at + 1]), read(redis.call('HGET', KEYS[1], ARGV[at]) or '')
      local left = 0.5 ^ (math.max(0, now - (kept[1] or now)) / half)
      for place = 2, #kept do sums[place - 1] = (sums[place - 1] or 0) + kept[place] * left end
      redis.call('HSET', KEYS[1], ARGV[at], struct.pack('<d' .. string.rep('d', #sums), now, unpack(sums)))
    end
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', keptFor))
    local all = redis.call('HGETALL', KEYS[1])
    if tonumber(time[2]) % 100 == 0 then
      for at = 1, #all, 2 do
        if now - struct.unpack('<d', all[at + 1]) > keptFor then redis.call('HDEL', KEYS[1], all[at]) end
      end
    end
    return { struct.pack('<d', now), all }`,
};

export async function runAccumulate(client: RedisCommander, key: string, added: Added): Promise<Map<string, number[]>> {
  const { additions, halfLifeMs } = added;
  const words = [...additions].flatMap(([name, values]) => [name, encode(values)]);
  const [time, all] = await client.accumulateBuffer(key, halfLifeMs, ...words);
  const [nowMs = 0] = decode(time);
  const sums = new Map<string, number[]>();
  for (let at = 0; at + 1 < all.length; at += 2) {
    const [name, kept] = all.slice(at, at + 2);
    const [atMs = 0, ...values] = decode(kept);
    const faded = fade({ atMs, values }, halfLifeMs, nowMs);
    if (!isNothing(faded)) sums.set(String(name), faded);
  }
  return sums;
}

function encode(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * doubleBytes);
  for (const [place, value] of values.entries()) bytes.writeDoubleLE(value, place * doubleBytes);
  return bytes;
}

const decode = (bytes: Buffer = Buffer.alloc(0)): number[] =>
  Array.from({ length: bytes.length / doubleBytes }, (_, place) => bytes.readDoubleLE(place * doubleBytes));

interface Added {
  additions: FadingSums;
  halfLifeMs: number;
}
