import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { nats } from './nats.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';
import { startNats, startPostgres, startRedis, startSharedServers } from './servers.ts';

const directories = async (name: string) =>
  (await readdir(tmpdir())).filter((file) => file.startsWith(`tallyport-${name}-`));

test('uses servers from the environment', async () => {
  const given = { TEST_NATS_URL: 'nats://n', TEST_REDIS_URL: 'redis://r', TEST_DATABASE_URL: 'postgres://p' };
  const shared = await startSharedServers(given);
  expect(shared.environment).toEqual(given);
  await shared.stop();
});

describe.for([
  [nats, startNats],
  [redis, startRedis],
  [postgres, startPostgres],
] as const)('a private server', ([recipe, start]) => {
  test(`${recipe.name} can be killed and restarted on its port, and leaves no files`, async () => {
    const before = await directories(recipe.name);
    const server = await start();
    const port = Number(new URL(server.url).port);
    const answers = () => recipe.answers('127.0.0.1', port);
    try {
      expect(await answers()).toBe(true);
      await server.kill();
      expect(await answers()).toBe(false);
      await server.restart();
      expect(await answers()).toBe(true);
      expect(new URL(server.url).port).toBe(String(port));
    } finally {
      await server.stop();
    }
    expect(await answers()).toBe(false);
    const left = (await directories(recipe.name)).filter((directory) => !before.includes(directory));
    expect(left).toEqual([]);
  });
});
