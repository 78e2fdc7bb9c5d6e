import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../open.ts';
import { storeSuite } from '../store.suite.ts';
import { cluster, type RedisCluster, startRedisCluster } from '../testing/cluster.ts';
import { slotOf } from './slot.ts';

let redis: RedisCluster;

beforeAll(async () => {
  redis = await startRedisCluster();
});
afterAll(() => redis?.stop());

storeSuite('cluster', (options) => openStore({ url: redis.url, ...options }));

test('finds the slot of a key as the cluster does', async () => {
  const keys = ['', 'a', 'tallyport:value:a', 'a{b}c', 'a{}b{c}', '{', '}{a}', 'a{b', '{{a}}', 'ключ🔑', 'a b\r\nc'];
  const [node] = redis.nodes;
  const slots = await Promise.all(keys.map((key) => cluster(node?.url ?? '', 'KEYSLOT', key)));
  expect(keys.map(slotOf)).toEqual(slots);
});
