import { createByteQuota, openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstAnswer } from '../../../../tests/support/probe.ts';
import { startRedis, type TestServer } from '../../../../tests/support/servers.ts';
import { storedResults } from './stored-results.ts';

const megabyte = 1024 ** 2;
const head = { status: 200, headers: {} };

let redis: TestServer;
let store: Store;
beforeAll(async () => {
  redis = await startRedis();
  store = await openStore({ url: redis.url, prefix: 'neighbours:' });
  const { hostname, port } = new URL(redis.url);
  for (const setting of ['maxmemory 24mb', 'maxmemory-policy volatile-lru']) {
    await firstAnswer(hostname, Number(port), `CONFIG SET ${setting}\r\n`);
  }
});
afterAll(async () => {
  await store.close();
  await redis.stop();
});

test("nine images of another account do not evict an account's kept answers", async () => {
  const quota = createByteQuota({ store, name: 'idempotent', maxBytes: 8 * megabyte });
  const results = storedResults({ store, quota, ttlMs: 600_000 });
  const keep = async (name: string, holder: string, bytes: number): Promise<boolean> => {
    const claim = await results.claim(
      name,
      { fingerprint: 'print', keyId: 'key', answerRules: '', project: '' },
      holder,
    );
    if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
    claim.result.begin({ head });
    const isKept = (await claim.result.write(Buffer.alloc(bytes, name))) === 'stored';
    await (isKept ? claim.result.finish() : claim.result.unkept());
    return isKept;
  };
  expect(await keep('mine', 'one', megabyte)).toBe(true);
  const images = [];
  for (let at = 0; at < 9; at += 1) images.push(await keep(`image ${at}`, 'neighbour', 4 * megabyte));
  expect(images.filter(Boolean)).toHaveLength(2);
  const record = await results.find('mine');
  expect(record).toMatchObject({ state: 'done' });
  const pieces = record && (await results.whole('mine', record));
  expect(Buffer.concat(pieces ?? []).equals(Buffer.alloc(megabyte, 'mine'))).toBe(true);
});
