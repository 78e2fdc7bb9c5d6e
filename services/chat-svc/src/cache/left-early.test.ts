import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
let loading: PromiseWithResolvers<void>;
let loaded: PromiseWithResolvers<[]>;
beforeAll(async () => {
  bench = await startChatBench({
    environment: { CACHE_TTL_SECONDS: '60' },
    providerKeys() {
      loading.resolve();
      return loaded.promise;
    },
  });
});
beforeEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
  loading = Promise.withResolvers();
  loaded = Promise.withResolvers();
});
afterAll(() => bench.close());

/** Sent in several frames, so that the service confirms it before it loads the keys: only then can it be cancelled. */
const long = 'word '.repeat(60_000);

test.each([
  ['an answer in one piece', false, {}],
  ['a stream', true, {}],
  ['an answer in one piece, without the cache', false, { 'x-no-cache': 'true' }],
  ['a stream, without the cache', true, { 'x-no-cache': 'true' }],
])('%s costs nothing if its client leaves while provider keys are loaded', async (name, stream, headers) => {
  const leaving = new AbortController();
  const chat = { model: 'sandbox-chat', messages: [{ role: 'user', content: long }], stream };
  const principal = { accountId: name, keyId: 'key', providerKeys: 'own_first' as const };
  const asking = bench.ask(chat, { principal, headers, signal: leaving.signal });
  await loading.promise;
  leaving.abort();
  expect((await asking).error?.code).toBe('client_closed_request');
  // The service has noticed it once a later question has been answered.
  await bench.explain({ ...chat, messages: [{ role: 'user', content: 'Hello' }] });
  loaded.resolve([]);
  await expect.poll(() => bench.usage).toMatchObject([{ endReason: 'client_gone', status: 499, cost: '0' }]);
  expect(bench.simulator.requests).toEqual([]);
});
