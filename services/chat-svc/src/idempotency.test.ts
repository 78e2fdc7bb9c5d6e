import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ClientAnswer, type ChatBench, eventsIn, startChatBench } from './testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ chunksPerSecond: 200 });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newKey = (): string => `key-${(sequence += 1)}`;
const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...changes,
});
const ask = (body: object, key: string, { headers, ...options }: AskOptions = {}): Promise<ClientAnswer> =>
  bench.ask(body, { principal, ...options, headers: { 'idempotency-key': key, ...headers } });
const calls = (): number => bench.simulator.requests.length;
const wordOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-idempotency'];

describe('a repeated request', () => {
  test('gets the same answer without another call', async () => {
    const key = newKey();
    const first = await ask(chat(), key);
    const again = await ask(chat(), key);
    expect([wordOf(first), wordOf(again), calls()]).toEqual(['new', 'replayed', 1]);
    expect(again.text).toBe(first.text);
    expect({ ...again.headers, 'x-tallyport-idempotency': 'new' }).toEqual(first.headers);
  });

  test('six at once make one call', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(chat(), key)));
    expect(calls()).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(wordOf).toSorted()).toEqual(['new', ...Array.from({ length: 5 }, () => 'replayed')]);
  });

  test('of a stream gets the same events, with ids', async () => {
    const key = newKey();
    const first = await ask(chat({ stream: true }), key);
    const again = await ask(chat({ stream: true }), key);
    expect(again.text).toBe(first.text);
    expect(calls()).toBe(1);
    const ids = eventsIn(first.text).map((event) => Number(/^id: (\d+)\ndata: /.exec(event)?.[1]));
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    expect(first.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('a different request with the same key is refused, except for another account', async () => {
    const key = newKey();
    await ask(chat(), key);
    const { status, error } = await ask(chat({ temperature: 0 }), key);
    expect([status, error?.code, error?.param, calls()]).toEqual([409, 'idempotency_conflict', 'Idempotency-Key', 1]);
    const other = await ask(chat(), key, { principal: { accountId: 'other', keyId: 'key' } });
    expect([other.status, wordOf(other), calls()]).toEqual([200, 'new', 2]);
  });

  test('gets the answer that its client left before seeing', async () => {
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

  test('is made again after an error', async () => {
    const key = newKey();
    for (const provider of bench.providers) bench.simulator.faults.set({ provider, fault: 'status:503' });
    expect((await ask(chat(), key)).status).toBe(502);
    bench.simulator.reset();
    const again = await ask(chat(), key);
    expect([again.status, wordOf(again), calls()]).toEqual([200, 'new', 1]);
  });

  test('is made again after a stream that broke off', async () => {
    const key = newKey();
    const [provider = ''] = bench.providers;
    bench.simulator.faults.set({ provider, fault: 'cut:2000' });
    const first = await ask(chat({ stream: true }), key);
    expect(first.text).not.toContain('[DONE]');
    bench.simulator.reset();
    const again = await ask(chat({ stream: true }), key);
    expect([wordOf(again), again.text.includes('[DONE]')]).toEqual(['new', true]);
  });

  test('gets a client error unchanged, and the key stays free', async () => {
    const key = newKey();
    expect((await ask({ model: 'sandbox-chat' }, key)).error?.code).toBe('invalid_parameters');
    expect((await ask(chat(), key)).status).toBe(200);
  });

  test('with an invalid key is refused before anything is done', async () => {
    const { status, error } = await ask(chat(), 'two words');
    expect([status, error?.code, calls()]).toEqual([400, 'invalid_parameters', 0]);
  });
});

describe('an answer requested with another key of the account', () => {
  const restricted = { accountId: 'account', keyId: 'restricted', allowedModels: ['another-model'] };
  const poor = { accountId: 'account', keyId: 'poor', tokensPerMinute: { key: 1 } };

  test.each([
    ['whole, from the store', {}, false],
    ['streamed, from the store', { stream: true }, false],
    ['while it is made', { messages: [{ role: 'user', content: '[words:40]' }] }, true],
  ])('is only given to keys that could have made it: %s', async (_name, changes, atOnce) => {
    const key = newKey();
    const first = ask(chat(changes), key);
    await expect.poll(calls).toBe(1);
    if (!atOnce) await first;
    const refused = await ask(chat(changes), key, { principal: restricted });
    expect([refused.status, refused.error?.code]).toEqual([403, 'permission_denied']);
    const limited = await ask(chat(changes), key, { principal: poor });
    expect([limited.status, JSON.parse(limited.text).error.code]).toEqual([429, 'rate_limit_exceeded']);
    const allowed = { accountId: 'account', keyId: 'third', allowedModels: ['sandbox-chat'] };
    const again = await ask(chat(changes), key, { principal: allowed });
    expect([again.text, wordOf(again), calls()]).toEqual([(await first).text, 'replayed', 1]);
  });

  test.each([
    ['whole, from the store', {}, false],
    ['streamed, from the store', { stream: true }, false],
    ['while it is made', { messages: [{ role: 'user', content: '[words:40]' }] }, true],
  ])('is only given to keys with the same guardrails for answers: %s', async (_name, changes, atOnce) => {
    const key = newKey();
    const first = ask(chat(changes), key);
    await expect.poll(calls).toBe(1);
    if (!atOnce) await first;
    const guarded = (pattern: string) => ({
      accountId: 'account',
      keyId: `guarded against ${pattern}`,
      guardrails: [{ answer: { patterns: [{ name: 'forbidden', pattern, action: 'block' as const }] } }],
    });
    const refused = await ask(chat(changes), key, { principal: guarded('simulated') });
    expect([refused.status, refused.error?.code]).toEqual([409, 'idempotency_conflict']);
    const other = newKey();
    const own = await ask(chat(changes), other, { principal: guarded('absent') });
    const shared = await ask(chat(changes), other, { principal: { ...guarded('absent'), keyId: 'its sibling' } });
    expect([shared.text, wordOf(shared)]).toEqual([own.text, 'replayed']);
    const unguarded = await ask(chat(changes), other);
    expect([unguarded.status, unguarded.error?.code, calls()]).toEqual([409, 'idempotency_conflict', 2]);
  });

  test.each([
    ['whole, from the store', {}, false],
    ['streamed, from the store', { stream: true }, false],
    ['while it is made', { messages: [{ role: 'user', content: '[words:40]' }] }, true],
  ])('is not given to keys of other projects, nor to its own under newer rules: %s', async (_name, changes, atOnce) => {
    const key = newKey();
    const own = { ...principal, projectId: 'search' };
    const first = ask(chat(changes), key, { principal: own });
    await expect.poll(calls).toBe(1);
    if (!atOnce) await first;
    const rules = { detect: { email: 'block' as const } };
    for (const other of [
      { ...own, keyId: 'another', projectId: 'ads' },
      { ...principal, keyId: 'another' },
      { ...own, guardrails: [{ answer: rules }] },
    ]) {
      const refused = await ask(chat(changes), key, { principal: other });
      expect([refused.status, refused.error?.code]).toEqual([409, 'idempotency_conflict']);
    }
    for (const same of [own, { ...own, keyId: 'another' }, { ...own, projectId: 'ads' }]) {
      const again = await ask(chat(changes), key, { principal: same });
      expect([again.text, wordOf(again)]).toEqual([(await first).text, atOnce ? wordOf(again) : 'replayed']);
    }
    expect(calls()).toBe(1);
  });

  test('is never refused to the key it was made for, even over its limits', async () => {
    const key = newKey();
    const once = { accountId: 'account', keyId: 'once', tokensPerMinute: { key: 150 } };
    const body = chat({ max_tokens: 100 });
    const first = await ask(body, key, { principal: once });
    expect((await ask(body, newKey(), { principal: { ...once, tokensPerMinute: { key: 1 } } })).status).toBe(429);
    const again = await ask(body, key, { principal: { ...once, tokensPerMinute: { key: 1 } } });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});

describe('an interrupted stream', () => {
  test('resumes after any event', async () => {
    const key = newKey();
    const { text } = await ask(chat({ stream: true }), key);
    const events = eventsIn(text).map((event) => `${event}\n\n`);
    for (let last = 0; last <= events.length; last += 1) {
      const rest = await ask(chat({ stream: true }), key, { headers: { 'last-event-id': String(last) } });
      expect(rest.text).toBe(events.slice(last).join(''));
    }
    expect(calls()).toBe(1);
  });

  test('resumes while it is still being made', async () => {
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

  test('cannot be resumed if nothing was kept', async () => {
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

  test.each([[false], [true]])('is sent once, and never made twice (streamed: %s)', async (stream) => {
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
