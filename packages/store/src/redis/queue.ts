import type { RedisCommander, Result } from 'ioredis';
import type { QueueStep } from '../store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    queue(key: string, kind: string, ...values: (string | number)[]): Result<string[], Context>;
  }
}

/** A sorted set of entries by the time at which they become due, by the server's clock. */
export const queue = {
  numberOfKeys: 1,
  lua: `
    local key, kind, time = KEYS[1], ARGV[1], redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    if kind == 'remove' then
      redis.call('ZREM', key, ARGV[2])
      return {}
    end
    if kind == 'put' then
      local full = redis.call('ZCARD', key) >= tonumber(ARGV[4])
      if full and not redis.call('ZSCORE', key, ARGV[2]) then return {} end
      redis.call('ZADD', key, string.format('%.0f', now + tonumber(ARGV[3])), ARGV[2])
      if redis.call('PTTL', key) < tonumber(ARGV[5]) then redis.call('PEXPIRE', key, ARGV[5]) end
      return { ARGV[2] }
    end
    local due = redis.call('ZRANGEBYSCORE', key, '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[2])
    for _, member in ipairs(due) do
      redis.call('ZADD', key, string.format('%.0f', now + tonumber(ARGV[3])), member)
    end
    return due`,
};

export function runQueue(client: RedisCommander, key: string, step: QueueStep): Promise<string[]> {
  switch (step.kind) {
    case 'put':
      return client.queue(key, step.kind, step.member, step.dueInMs, step.most, step.keepMs);
    case 'take':
      return client.queue(key, step.kind, step.most, step.holdMs);
    case 'remove':
      return client.queue(key, step.kind, step.member);
    default:
      return step satisfies never;
  }
}
