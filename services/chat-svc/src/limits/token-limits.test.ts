import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ClientAnswer, type ChatBench, eventsIn, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ chunksPerSecond: 50 });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const limit = 10_000;
const principalOf = (accountId: string) => ({
  accountId,
  keyId: `key-of-${accountId}`,
  tokensPerMinute: { account: limit },
});
const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  max_tokens: 997,
  ...changes,
});
/** The reservation: three tokens of prompt and the longest possible answer. */
const estimate = 1_000;
const ask = (accountId: string, changes: object = {}): Promise<ClientAnswer> =>
  bench.ask(chat(changes), { principal: principalOf(accountId) });
const left = ({ headers }: Pick<ClientAnswer, 'headers'>): number => Number(headers['x-ratelimit-remaining-tokens']);
const usedOf = ({ text }: ClientAnswer): number => JSON.parse(text).usage.total_tokens;

test('an answer reports the remainder, and unused tokens are available to the next request', async () => {
  const first = await ask('plain');
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit-tokens': String(limit),
    'x-ratelimit-remaining-tokens': String(limit - estimate),
    'x-ratelimit-reset-tokens': expect.stringMatching(/^(59|60)(\.\d)?s$/),
  });
  expect(left(await ask('plain'))).toBe(limit - usedOf(first) - estimate);
});

test('a stream settles its usage', async () => {
  const principal = principalOf('stream');
  const { text, ...first } = await bench.ask(chat({ stream: true, stream_options: { include_usage: true } }), {
    principal,
  });
  const usage = eventsIn(text)
    .filter((event) => event.startsWith('{'))
    .map((event) => JSON.parse(event).usage?.total_tokens)
    .find(Boolean);
  expect(left(first)).toBe(limit - estimate);
  expect(left(await ask('stream'))).toBe(limit - usage - estimate);
});

test('a stream whose client left settles what was delivered', async () => {
  const messages = [{ role: 'user', content: '[words:400]' }];
  const leaving = new AbortController();
  const options = { principal: principalOf('left'), signal: leaving.signal };
  const { body } = await bench.open(chat({ stream: true, messages }), options);
  await body[Symbol.asyncIterator]().next();
  leaving.abort();
  await expect.poll(async () => left(await ask('left', { max_tokens: 1 })), { interval: 50 }).toBeGreaterThan(9_700);
});

test('a request that no provider answered costs nothing', async () => {
  for (const provider of bench.providers) bench.simulator.faults.set({ provider, fault: 'status:503' });
  expect((await ask('failed')).status).toBe(502);
  bench.simulator.reset();
  expect(left(await ask('failed'))).toBe(limit - estimate);
});

test('a request above the limit gets 429 with headers, before a provider is called', async () => {
  const refused = await ask('over', { max_tokens: limit });
  expect(refused).toMatchObject({
    status: 429,
    headers: {
      'x-ratelimit-limit-tokens': String(limit),
      'x-ratelimit-remaining-tokens': String(limit),
      'retry-after': '1',
      'content-type': 'application/json; charset=utf-8',
    },
  });
  expect(JSON.parse(refused.text)).toEqual({
    error: {
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
      param: null,
      message: expect.stringMatching(/^This account's limit of 10000 tokens per minute is reached by one request:/),
    },
  });
  expect(await bench.metrics()).toMatch(
    /gateway_rate_limit_decisions_total\{scope="account_tokens",result="refused"\} 1\n/,
  );
});

test('without a limit there are no headers', async () => {
  const { headers } = await bench.ask(chat(), { principal: { accountId: 'free', keyId: 'free' } });
  expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
});
