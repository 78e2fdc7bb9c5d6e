import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ClientAnswer, type ChatBench, eventsIn, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ environment: { CACHE_TTL_SECONDS: '60' }, chunksPerSecond: 50 });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newChat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: `Question ${(sequence += 1)}` }],
  ...changes,
});
const ask = (body: object, options: AskOptions = {}): Promise<ClientAnswer> =>
  bench.ask(body, { principal, ...options });
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const calls = (): number => bench.simulator.requests.length;
const called = (count = 1) => expect.poll(calls, { interval: 2 }).toBe(count);

describe('no client gets', () => {
  test("another account's answer", async () => {
    const chat = newChat();
    const answers = [await ask(chat), await ask(chat, { principal: { accountId: 'other', keyId: 'key' } })];
    expect([answers.map(cacheOf), calls()]).toEqual([['MISS', 'MISS'], 2]);
  });

  test('an answer that its key may not use', async () => {
    const chat = newChat();
    const first = await ask(chat);
    const allowedProviders = [bench.providers.find((id) => id !== first.headers['x-tallyport-provider']) ?? ''];
    const other = await ask(chat, { principal: { ...principal, allowedProviders } });
    expect([cacheOf(other), other.headers['x-tallyport-provider']]).toEqual(['MISS', allowedProviders[0]]);
    const refused = await ask(chat, { principal: { ...principal, allowedModels: ['another'] } });
    expect(refused.status).toBe(403);
  });

  test.each<[string, object, AskOptions]>([
    ['without an account', {}, { principal: undefined as never }],
    ['with x-no-cache', {}, { headers: { 'x-no-cache': 'true' } }],
    ['with cache-control: no-cache', {}, { headers: { 'cache-control': 'no-cache' } }],
    ['with cache-control: max-age=0, no-store', {}, { headers: { 'cache-control': 'max-age=0, no-store' } }],
    ['for a key whose answers are never kept', {}, { principal: { ...principal, cacheTtlSeconds: 0 } }],
    ['that the vendor must file', { store: true }, {}],
  ])('a stored answer %s', async (_, changes, options) => {
    const chat = newChat(changes);
    const answers = [await ask(chat, options), await ask(chat, options)];
    expect([answers.map(cacheOf), calls()]).toEqual([['BYPASS', 'BYPASS'], 2]);
  });

  test('a failed or broken-off answer', async () => {
    const [provider = ''] = bench.providers;
    const chat = newChat({ model: `${provider}/sandbox-chat`, stream: true });
    bench.simulator.faults.set({ provider, fault: 'cut:2000' });
    const broken = await ask(chat, { headers: { 'x-no-fallback': 'true' } });
    expect(broken.text).toContain('stream_truncated');
    bench.simulator.reset();
    const again = await ask(chat, { headers: { 'x-no-fallback': 'true' } });
    expect([cacheOf(again), again.text.endsWith('data: [DONE]\n\n')]).toEqual(['MISS', true]);
  });
});

describe('an answer with several waiting clients', () => {
  const long = () => newChat({ messages: [{ role: 'user', content: `[words:30] ${(sequence += 1)}` }] });

  test.each([
    ['in one piece', false, /"finish_reason":"stop".*\}$/],
    ['streamed', true, /data: \[DONE\]\n\n$/],
  ])('continues when the first client leaves, %s', async (_, stream, ending) => {
    bench.simulator.faults.set({ provider: bench.providers[0] ?? '', fault: 'slow-first-byte:300' });
    const chat = { ...long(), stream };
    const leaving = new AbortController();
    const first = ask(chat, { signal: leaving.signal });
    await called();
    const others = [ask(chat), ask(chat)];
    // Both have arrived once a later question has been answered.
    await bench.explain(chat);
    leaving.abort();
    await first.catch(() => {});
    const answers = await Promise.all(others);
    expect([answers.map(({ status }) => status), answers.map(cacheOf), calls()]).toEqual([
      [200, 200],
      ['HIT', 'HIT'],
      1,
    ]);
    for (const { text } of answers) expect(text).toMatch(ending);
  });

  test('continues when a waiting client leaves', async () => {
    const chat = long();
    const first = ask(chat);
    await called();
    const leaving = new AbortController();
    const other = ask(chat, { signal: leaving.signal });
    leaving.abort();
    await other;
    expect([(await first).status, calls()]).toEqual([200, 1]);
  });

  test('ends when no client waits any more', async () => {
    const chat = { ...long(), stream: true };
    const leaving = new AbortController();
    const everybody = [0, 1, 2].map(() => ask(chat, { signal: leaving.signal }).catch(() => {}));
    await called();
    leaving.abort();
    await Promise.all(everybody);
    await expect.poll(() => bench.metrics()).toMatch(/gateway_streams_active\{service="chat"\} 0\n/);
    const again = await ask(chat);
    expect([cacheOf(again), calls()]).toEqual(['MISS', 2]);
  });

  test('is passed on while it arrives', async () => {
    const chat = { ...long(), stream: true };
    const first = await bench.open(chat, { principal });
    const firstEvents = first.body[Symbol.asyncIterator]();
    await firstEvents.next();
    const second = await bench.open(chat, { principal });
    const secondEvents = second.body[Symbol.asyncIterator]();
    const { value } = await secondEvents.next();
    expect(eventsIn(Buffer.from(value ?? []).toString())[0]).toContain('"role":"assistant"');
    await expect(firstEvents.next()).resolves.toMatchObject({ done: false });
    await Promise.all([firstEvents.return?.(), secondEvents.return?.()]);
    expect([second.head.headers['x-tallyport-cache'], calls()]).toEqual(['HIT', 1]);
  });

  test('is refused to all as the provider refused it, with one call', async () => {
    const [provider = ''] = bench.providers;
    bench.simulator.faults.set({ provider, fault: 'status:400' });
    const chat = newChat();
    const answers = await Promise.all([ask(chat), ask(chat), ask(chat)]);
    expect([answers.map(({ status }) => status), calls()]).toEqual([[400, 400, 400], 1]);
  });
});

describe('in the store', () => {
  test('an answer is stored up to the size limit', async () => {
    const chat = newChat({ messages: [{ role: 'user', content: '[words:400]' }] });
    const { text } = await ask(chat, { headers: { 'x-no-cache': '1' } });
    const length = Buffer.byteLength(text);
    for (const [limit, expected] of [
      [length + 200, 'HIT'],
      [length - 200, 'MISS'],
    ] as const) {
      const small = await startChatBench({ environment: { CACHE_TTL_SECONDS: '60', CACHE_MAX_BYTES: String(limit) } });
      await small.ask(chat, { principal });
      expect(cacheOf(await small.ask(chat, { principal }))).toBe(expected);
      await small.close();
    }
  });
});
