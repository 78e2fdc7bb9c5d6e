import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ClientAnswer, type ChatBench, eventsIn, startChatBench } from './testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ chunksPerSecond: 200 });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let asked = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newKey = (): string => `key-${(asked += 1)}`;
const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...changes,
});
const ask = (body: object, key: string, { headers, ...options }: AskOptions = {}): Promise<ClientAnswer> =>
  bench.ask(body, { principal, ...options, headers: { 'idempotency-key': key, ...headers } });
const calls = (): number => bench.simulator.requests.length;
const wordOf = ({ headers }: ClientAnswer): string | undefined => headers['x-switchyard-idempotency'];

describe('a request that is sent again', () => {
  test('gets the very same answer without another call', async () => {
    const key = newKey();
    const first = await ask(chat(), key);
    const again = await ask(chat(), key);
    expect([wordOf(first), wordOf(again), calls()]).toEqual(['new', 'replayed', 1]);
    expect(again.text).toBe(first.text);
    expect({ ...again.headers, 'x-switchyard-idempotency': 'new' }).toEqual(first.headers);
  });

  test('six at once make one call', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(chat(), key)));
    expect(calls()).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(wordOf).toSorted()).toEqual(['new', ...Array.from({ length: 5 }, () => 'replayed')]);
  });

  test('a stream gets the same events, with ids', async () => {
    const key = newKey();
    const first = await ask(chat({ stream: true }), key);
    const again = await ask(chat({ stream: true }), key);
    expect(again.text).toBe(first.text);
    expect(calls()).toBe(1);
    const ids = eventsIn(first.text).map((event) => Number(/^id: (\d+)\ndata: /.exec(event)?.[1]));
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    expect(first.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('another request with its key is refused, but not that of another account', async () => {
    const key = newKey();
    await ask(chat(), key);
    const { status, error } = await ask(chat({ temperature: 0 }), key);
    expect([status, error?.code, error?.param, calls()]).toEqual([409, 'idempotency_conflict', 'Idempotency-Key', 1]);
    const other = await ask(chat(), key, { principal: { accountId: 'other', keyId: 'key' } });
    expect([other.status, wordOf(other), calls()]).toEqual([200, 'new', 2]);
  });

  test('gets what a client never saw that left', async () => {
    const key = newKey();
    bench.simulator.faults.set({ provider: bench.providers[0] ?? '', fault: 'slow-first-byte:300' });
    const leaving = new AbortController();
    const left = ask(chat(), key, { signal: leaving.signal });
    await expect.poll(calls, { interval: 5 }).toBe(1);
    leaving.abort();
    expect((await left).error?.code).toBe('client_closed_request');
    const again = await ask(chat(), key);
    expect([again.status, wordOf(again), calls()]).toEqual([200, 'replayed', 1]);
  });

  test('an error is not for good: it is asked anew', async () => {
    const key = newKey();
    for (const provider of bench.providers) bench.simulator.faults.set({ provider, fault: 'status:503' });
    expect((await ask(chat(), key)).status).toBe(502);
    bench.simulator.reset();
    const again = await ask(chat(), key);
    expect([again.status, wordOf(again), calls()]).toEqual([200, 'new', 1]);
  });

  test('a stream that broke off is asked anew', async () => {
    const key = newKey();
    const [provider = ''] = bench.providers;
    bench.simulator.faults.set({ provider, fault: 'cut:2000' });
    const first = await ask(chat({ stream: true }), key);
    expect(first.text).not.toContain('[DONE]');
    bench.simulator.reset();
    const again = await ask(chat({ stream: true }), key);
    expect([wordOf(again), again.text.includes('[DONE]')]).toEqual(['new', true]);
  });

  test('a client fault is told as it is, and frees the key', async () => {
    const key = newKey();
    expect((await ask({ model: 'sandbox-chat' }, key)).error?.code).toBe('invalid_parameters');
    expect((await ask(chat(), key)).status).toBe(200);
  });

  test('a key that is none is refused before anything is done', async () => {
    const { status, error } = await ask(chat(), 'two words');
    expect([status, error?.code, calls()]).toEqual([400, 'invalid_parameters', 0]);
  });
});

describe('a stream that was cut', () => {
  test('goes on after any event', async () => {
    const key = newKey();
    const { text } = await ask(chat({ stream: true }), key);
    const events = eventsIn(text).map((event) => `${event}\n\n`);
    for (let last = 0; last <= events.length; last += 1) {
      const rest = await ask(chat({ stream: true }), key, { headers: { 'last-event-id': String(last) } });
      expect(rest.text).toBe(events.slice(last).join(''));
    }
    expect(calls()).toBe(1);
  });

  test('goes on while it is still being made', async () => {
    const key = newKey();
    const messages = [{ role: 'user', content: '[words:100]' }];
    const leaving = new AbortController();
    const headers = { 'idempotency-key': key };
    const { body } = await bench.open(chat({ stream: true, messages }), { principal, headers, signal: leaving.signal });
    let had = '';
    for await (const bytes of body) {
      had += Buffer.from(bytes).toString();
      if (eventsIn(had).length >= 5) break;
    }
    leaving.abort();
    const last = eventsIn(had).length;
    const rest = await ask(chat({ stream: true, messages }), key, { headers: { 'last-event-id': String(last) } });
    const whole = await ask(chat({ stream: true, messages }), key);
    expect(had + rest.text).toBe(whole.text);
    expect([whole.text.endsWith('data: [DONE]\n\n'), calls()]).toEqual([true, 1]);
  });

  test('has nothing to go on with when nothing was kept', async () => {
    const options = { headers: { 'last-event-id': '3' } };
    const { status, error } = await ask(chat({ stream: true }), newKey(), options);
    expect([status, error?.param, calls()]).toEqual([409, 'Last-Event-ID', 0]);
  });
});

describe('an answer too large to be kept', () => {
  let small: ChatBench;
  beforeAll(async () => {
    small = await startChatBench({ environment: { IDEMPOTENCY_MAX_BYTES: '2000' }, chunksPerSecond: 2_000 });
  });
  afterAll(() => small.close());
  const messages = [{ role: 'user', content: '[words:1000]' }];

  test.each([[false], [true]])('is given once, and never made twice (streamed: %s)', async (stream) => {
    small.simulator.reset();
    const options = { principal, headers: { 'idempotency-key': newKey() } };
    const first = await small.ask(chat({ stream, messages }), options);
    expect(first.text.length).toBeGreaterThan(2_000);
    expect(wordOf(first)).toBe(stream ? 'new' : 'not-kept');
    await expect
      .poll(async () => (await small.ask(chat({ stream, messages }), options)).error?.message)
      .toContain('too large to be kept');
    expect(small.simulator.requests).toHaveLength(1);
  });
});
