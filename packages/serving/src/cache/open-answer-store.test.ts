import { openMemoryStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { openAnswerStore } from './open-answer-store.ts';

test('uses the common store, or a separate Redis that is closed at shutdown', async () => {
  const store = openMemoryStore();
  const closing: ((deadlineMs: number) => Promise<void>)[] = [];
  const onShutdown = (_: string, close: (typeof closing)[number]) => void closing.push(close);
  expect(await openAnswerStore({ config: { CACHE_REDIS_URL: undefined }, onShutdown }, store)).toBe(store);

  const url = process.env['TEST_REDIS_URL'];
  const own = await openAnswerStore({ config: { CACHE_REDIS_URL: url }, onShutdown }, store);
  const key = `own store ${process.pid}`;
  expect(await own.set(key, Buffer.from('answer'), 10_000)).toBe('stored');
  expect([await own.get(key), await store.get(key)]).toEqual([new Uint8Array(Buffer.from('answer')), undefined]);
  await Promise.all(closing.map((close) => close(1_000)));
  expect(own.state()).toMatchObject({ connected: false });
});
