import { openStore, type Store } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { firstAnswer } from '../../../../tests/support/probe.ts';
import { startRedis, type TestServer } from '../../../../tests/support/servers.ts';
import { type ClientAnswer, type ImageBench, startImageBench } from '../testing/image-bench.ts';

/** Three services that share only a real Redis. */
let redis: TestServer;
const stores: Store[] = [];
const benches: ImageBench[] = [];
beforeAll(async () => {
  redis = await startRedis();
  for (let index = 0; index < 3; index += 1) {
    const store = await openStore({ url: redis.url });
    stores.push(store);
    benches.push(await startImageBench({ environment: { CACHE_IMAGES: 'true' }, store }));
  }
});
afterEach(() => benches.forEach(({ simulator }) => simulator.reset()));
afterAll(async () => {
  await Promise.all(benches.map((bench) => bench.close()));
  await Promise.all(stores.map((store) => store.close()));
  await redis.stop();
});

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newLamp = (changes: object = {}) => ({
  model: 'sandbox-image',
  prompt: `a lamp, ${(sequence += 1)}`,
  size: '64x64',
  ...changes,
});
/** Larger than the maximum size of a value in the store. */
const manyLamps = () => newLamp({ size: '1024x1024', n: 10 });
const at = (index: number): ImageBench => benches[index % benches.length]!;
const ask = (index: number, body: object): Promise<ClientAnswer> => at(index).generate(body, { principal });
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const statusAndCache = (answer: ClientAnswer) => [answer.status, cacheOf(answer)];
const imagesOf = ({ body }: ClientAnswer): string => body.data.map(({ b64_json: text }) => text).join();
const calls = (): number => benches.reduce((sum, { simulator }) => sum + simulator.requests.length, 0);

/** Runs one Redis command, as an administrator would. */
function runRedisCommand(command: string): Promise<Buffer | undefined> {
  const { hostname, port } = new URL(redis.url);
  return firstAnswer(hostname, Number(port), `${command}\r\n`);
}

describe('three replicas', () => {
  test('make one call for thirty equal requests', async () => {
    benches.forEach(({ simulator }) => simulator.faults.set({ fault: 'slow-first-byte:200', times: 1 }));
    const lamp = manyLamps();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index, lamp)));
    expect([calls(), new Set(answers.map(imagesOf)).size]).toEqual([1, 1]);
    expect(answers.map(cacheOf).filter((cache) => cache === 'MISS')).toHaveLength(1);
  });

  test('serve answers made by another replica byte for byte, however large', async () => {
    const lamp = manyLamps();
    const first = await ask(0, lamp);
    expect(imagesOf(first).length).toBeGreaterThan(1_000_000);
    expect(cacheOf(await ask(1, lamp))).toBe('HIT');
    expect([imagesOf(await ask(2, lamp)) === imagesOf(first), calls()]).toEqual([true, 1]);
    await expect.poll(() => at(2).metrics()).toContain('gateway_image_bytes_held 0\n');
  });

  test('continue when the replica that makes the images for all stops', async () => {
    const lamp = newLamp();
    at(0).simulator.faults.set({ fault: 'hang' });
    const leaving = new AbortController();
    const first = at(0).generate(lamp, { principal, signal: leaving.signal });
    await expect.poll(calls, { interval: 2 }).toBe(1);
    const other = ask(1, lamp);
    leaving.abort();
    await first;
    expect([statusAndCache(await other), calls()]).toEqual([[200, 'MISS'], 2]);
  });
});

describe('stored images', () => {
  test.each([
    ['that are cut off', "redis.call('SET', key, string.sub(redis.call('GET', key), 1, -9))"],
    ['that are changed', "redis.call('SETRANGE', key, 40, 'xx')"],
    ['that are replaced', "redis.call('SET', key, 'something else')"],
    ['of which a piece was evicted', "if string.sub(key, -2) == ':1' then redis.call('DEL', key) end"],
    ['of which a piece was changed', "if string.sub(key, -2) == ':1' then redis.call('SETRANGE', key, 9, 'xx') end"],
  ])('that %s are dropped, counted and made again', async (_, script) => {
    const lamp = manyLamps();
    await ask(0, lamp);
    expect(cacheOf(await ask(1, lamp))).toBe('HIT');
    const before = dropped(await at(1).metrics());
    await runRedisCommand(`EVAL "for _, key in ipairs(redis.call('KEYS','*answer:*')) do ${script} end return 1" 0`);
    expect(statusAndCache(await ask(1, lamp))).toEqual([200, 'MISS']);
    expect(dropped(await at(1).metrics())).toBe(before + 1);
    expect(cacheOf(await ask(2, lamp))).toBe('HIT');
  });
});

const dropped = (metrics: string): number =>
  Number(/gateway_cache_entries_dropped_total (\d+)/.exec(metrics)?.[1] ?? 0);

describe('Redis', () => {
  test('full: every client is still answered', async () => {
    await runRedisCommand('CONFIG SET maxmemory 1');
    const lamp = newLamp();
    const answers = [await ask(0, lamp), await ask(0, lamp)];
    expect(answers.map(statusAndCache)).toEqual([
      [200, 'BYPASS'],
      [200, 'BYPASS'],
    ]);
    await runRedisCommand('CONFIG SET maxmemory 0');
    await expect.poll(async () => cacheOf(await ask(0, lamp))).toBe('HIT');
  });

  test('down and back: every client is still answered', async () => {
    const lamp = newLamp();
    await redis.kill();
    expect(statusAndCache(await ask(0, lamp))).toEqual([200, 'BYPASS']);
    await redis.restart();
    await expect.poll(async () => cacheOf(await ask(0, lamp))).toBe('HIT');
  });
});
