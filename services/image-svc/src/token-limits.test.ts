import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ClientAnswer, type AskOptions, type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureOf } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const limit = 10_000;
const as = (accountId: string): AskOptions => ({
  principal: { accountId, keyId: `key-of-${accountId}`, tokensPerMinute: { account: limit } },
});
const validRequest = { model: 'sandbox-image', prompt: 'a lamp', size: '64x32' };
/** Two tokens of prompt, and the usual tokens of an image. */
const estimate = 2_002;
const left = ({ headers }: ClientAnswer): number => Number(headers['x-ratelimit-remaining-tokens']);
const usedOf = ({ body }: ClientAnswer): number => (body.usage as { total_tokens: number }).total_tokens;

test('an answer reports the remaining tokens, and unused ones are available to the next request', async () => {
  const first = await bench.generate(validRequest, as('plain'));
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit-tokens': String(limit),
    'x-ratelimit-remaining-tokens': String(limit - estimate),
    'x-ratelimit-reset-tokens': expect.stringMatching(/^(59|60)(\.\d)?s$/),
  });
  expect(usedOf(first)).toBeGreaterThan(0);
  expect(left(await bench.generate(validRequest, as('plain')))).toBe(limit - usedOf(first) - estimate);
});

test('an input image counts too', async () => {
  const images = [{ image_url: await pictureOf('png') }];
  expect(left(await bench.edit({ ...validRequest, size: 'auto', images }, as('editing')))).toBe(
    limit - estimate - 1_000,
  );
});

test('for a vendor that counts no tokens, only the prompt counts', async () => {
  const { status } = await bench.generate({ model: 'qwen-image-plus', prompt: 'a lamp' }, as('uncounted'));
  expect(status).toBe(200);
  expect(left(await bench.generate(validRequest, as('uncounted')))).toBe(limit - 2 - estimate);
});

test('images that no provider made cost nothing', async () => {
  bench.simulator.faults.set({ fault: 'status:503' });
  expect((await bench.generate(validRequest, as('failed'))).status).toBe(502);
  bench.simulator.reset();
  expect(left(await bench.generate(validRequest, as('failed')))).toBe(limit - estimate);
});

test('a request above the limit gets 429 with headers, before a provider is called, and holds no bytes', async () => {
  const many = await bench.generate({ ...validRequest, n: 5 }, as('over'));
  expect(many).toEqual({
    status: 429,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': expect.any(String),
      'retry-after': '1',
      'retry-after-ms': expect.any(String),
      'ratelimit-policy': `"tokens";q=${limit};qu="tokens";w=60`,
      ratelimit: expect.stringContaining(`"tokens";r=${limit};t=`),
      'x-ratelimit-limit-tokens': String(limit),
      'x-ratelimit-remaining-tokens': String(limit),
      'x-ratelimit-reset-tokens': expect.any(String),
    },
    body: {
      error: {
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        param: null,
        message: expect.stringMatching(
          /^This account's limit of 10000 tokens per minute is reached by one request: this request may need 10002,/,
        ),
      },
    },
  });
  expect(bench.simulator.requests).toEqual([]);
  const text = await bench.metrics();
  expect(text).toContain('gateway_rate_limit_decisions_total{scope="account_tokens",result="refused"} 1\n');
  expect(text).toContain('gateway_image_refused_total{op="generate",code="rate_limit_exceeded"} 1\n');
  expect(text).toContain('gateway_image_bytes_held 0\n');
  const { status } = await bench.generate({ ...validRequest, n: 4 }, as('over'));
  expect(status).toBe(200);
});

test('without a limit there are no headers', async () => {
  const { headers } = await bench.generate(validRequest, { principal: { accountId: 'free', keyId: 'free' } });
  expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
});
