import { endpoints, routeSchema } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callModel, callProviders, formOf } from '../testing/call-models.ts';
import {
  type AskOptions,
  type ChatBench,
  type ClientAnswer,
  sharedModelEntry,
  startChatBench,
} from '../testing/chat-bench.ts';

const [a, b] = callProviders;
const kinds = {
  embeddings: 'sandbox-embedding',
  moderations: 'sandbox-moderation',
  rankings: 'sandbox-rerank',
  speech: 'sandbox-speech',
  transcriptions: 'sandbox-transcription',
  image: 'sandbox-image',
};
const priced = (provider: string, modelName: string, price: string) =>
  offerOf(provider, {
    modelName,
    pricing: modelName === kinds.image ? { image: price } : { prompt: price, completion: price },
  });
const models = [
  ...Object.entries(kinds).flatMap(([kind, name]) => [
    callModel(`${kind}-a`, kind, [priced(a, name, '0.001')]),
    callModel(`${kind}-b`, kind, [priced(b, name, '0.003')]),
  ]),
  sharedModelEntry({ id: 'text-a', aliases: [], offers: [priced(a, 'text', '0.001')] }),
  sharedModelEntry({ id: 'text-b', aliases: [], offers: [priced(b, 'text', '0.003')] }),
];
const routes = Object.fromEntries(
  [...Object.keys(kinds), 'text'].map((kind) => [
    `${kind}-route`,
    routeSchema.parse({ targets: [{ model: `${kind}-a` }], then: [`${kind}-b`] }),
  ]),
);
const principal = { accountId: 'account', keyId: 'key' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ catalogue: { version: '1', models, routes } });
});
afterAll(() => bench.close());

async function explain(path: string, body: object) {
  const { text, error } = await bench.explain(body, { principal, query: `path=${path}` });
  return error?.message ?? JSON.parse(text);
}

/** The refusal of a budget names what would be reserved. */
const withoutBudget = (): AskOptions => ({
  principal: { ...principal, keyId: 'poor', budgets: { key: { amount: '0.000001', period: 'month' } } },
});

type Ask = (body: object, options: AskOptions) => Promise<ClientAnswer>;
const gemini =
  (method: string): Ask =>
  (body, options) =>
    bench.inApi('generateContent', body, { ...options, path: `text-route:${method}` });
const hello = [{ role: 'user', content: 'Hello, how are you?' }];
const contents = [{ role: 'user', parts: [{ text: 'Hello, how are you?' }] }];

describe('the endpoint of a path is that of its row', () => {
  const ranking = { model: 'rankings-route', query: 'Hello', documents: ['you', 'me'] };
  test.each<[string, object]>([
    ['/v1/rerank', ranking],
    ['/v2/rerank', ranking],
    ['/rerank', ranking],
    ['/v1/messages?beta=true', { model: 'text-route', messages: hello, max_tokens: 20 }],
    ['/v1/chat/completions?api-version=1', { model: 'text-route', messages: hello }],
    ['/v1/embeddings?x#y', { model: 'embeddings-route', input: 'Hello', dimensions: 2 }],
    ['/v1beta/models/text-route:streamGenerateContent?alt=sse', { contents }],
  ])('%s', async (path, body) => {
    expect(await explain(encodeURIComponent(path), body)).toMatchObject({ routes: [{ name: expect.any(String) }] });
  });

  test('an address of no paid endpoint is refused, with those that there are', async () => {
    const paid = endpoints.filter((each) => each.method === 'POST' && each.key === 'required' && 'usage' in each);
    const known = paid.map(({ path }) => path).join(', ');
    for (const path of ['/v1/models', '/v1/elsewhere', '']) {
      expect(await explain(path, {})).toBe(`'path' must be the address of a request, such as ${known}.`);
    }
  });
});

describe('the reservation of the explanation is that of the request, in every API that may name a route', () => {
  test.each<[string, object, Ask]>([
    [
      '/v1/chat/completions',
      { model: 'text-route', messages: hello, max_tokens: 20 },
      (...asked) => bench.ask(...asked),
    ],
    [
      '/v1/completions',
      { model: 'text-route', prompt: 'Hello', max_tokens: 20 },
      (...asked) => bench.inApi('completeText', ...asked),
    ],
    [
      '/v1/responses',
      { model: 'text-route', input: 'Hello', max_output_tokens: 20 },
      (...asked) => bench.inApi('responses', ...asked),
    ],
    [
      '/v1/messages',
      { model: 'text-route', messages: hello, max_tokens: 20 },
      (...asked) => bench.inApi('messages', ...asked),
    ],
    ['/v1beta/models/text-route:generateContent', { contents }, gemini('generateContent')],
    [
      '/v1beta/models/embeddings-route:embedContent',
      { content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 2 },
      (body, options) => bench.inApi('generateContent', body, { ...options, path: 'embeddings-route:embedContent' }),
    ],
    [
      '/v1/embeddings',
      { model: 'embeddings-route', input: ['Hello', 'you'], dimensions: 2 },
      (...asked) => bench.embed(...asked),
    ],
    ['/v1/moderations', { model: 'moderations-route', input: 'Hello' }, (...asked) => bench.moderate(...asked)],
    [
      '/v1/audio/speech',
      { model: 'speech-route', input: 'Hello', voice: 'alloy' },
      (...asked) => bench.speak(...asked),
    ],
  ])('%s', async (path, body, ask) => {
    const { routes: explained, reservation_usd: reserved, ...rest } = await explain(path, body);
    expect(explained).toHaveLength(1);
    expect(rest).not.toHaveProperty('reservation_unknown');
    expect(Number(reserved)).toBeGreaterThan(0);
    expect((await ask(body, withoutBudget())).text).toContain(`may cost $${Number(reserved).toFixed(4)}.`);
  });

  test.each<[string, object, string]>([
    ['/v1/images/generations', {}, '0.003'],
    ['/v1/images/generations', { n: 10 }, '0.03'],
    ['/v1/images/edits', { n: 2, images: [{ image_url: 'https://example.com/a.png' }] }, '0.006'],
  ])('%s with %j', async (path, members, reserved) => {
    const explained = await explain(path, { model: 'image-route', prompt: 'a lamp', ...members });
    expect(explained.reservation_usd).toBe(reserved);
  });

  test.each(['transcriptions', 'translations'])('of %s it says why it is not known', async (task) => {
    const explained = await explain(`/v1/audio/${task}`, { model: 'transcriptions-route' });
    expect(explained.routes).toMatchObject([{ name: 'transcriptions-route' }]);
    expect(explained).not.toHaveProperty('reservation_usd');
    expect(explained.reservation_unknown).toBe(
      'Budgets reserve the price of the length of the recording, which an explanation does not get. The request itself reserves it.',
    );
    const form = formOf([['model', 'transcriptions-route']]);
    expect((await bench.transcribe(form, withoutBudget())).text).toMatch(/may cost \$\d\.\d{4}\./);
  });

  test.each([
    [{ n: 11 }, '`n` must be at most 10.'],
    [{ n: 0 }, '`n` must be at least 1.'],
    [{ partial_images: 4 }, '`partial_images` must be at most 3.'],
  ])('images with %j are refused', async (members, message) => {
    expect(await explain('/v1/images/generations', { model: 'image-route', prompt: 'a lamp', ...members })).toBe(
      message,
    );
  });
});

test.each<[string, object]>([
  ['/v1/chat/completions', { model: 'text-route', messages: hello, max_tokens: 20 }],
  ['/v1/messages', { model: 'text-route', messages: hello, max_tokens: 20 }],
  ['/v1/embeddings', { model: 'embeddings-route', input: ['Hello', 'you'], dimensions: 2 }],
  ['/v1/images/generations', { model: 'image-route', prompt: 'a lamp', n: 10 }],
])(
  'each line of a batch for %s is estimated like a request, and costs nothing if it cannot be planned',
  async (path, body) => {
    const { reservation_usd: usd } = await explain(path, body);
    const amount = Math.round(Number(usd) * 1e9);
    const unknown = { ...body, model: 'unknown/model' };
    const lines = [body, unknown, body].map((each) => JSON.stringify(each)).join('\n');
    const { text } = await bench.estimateLines(Buffer.from(lines), { principal, query: `path=${path}` });
    expect(amount).toBeGreaterThan(0);
    expect(JSON.parse(text)).toEqual({ amounts: [amount, 0, amount] });
  },
);

test('of a chat with an image model, it is the price of its images', async () => {
  const body = { model: 'image-a', messages: [{ role: 'user', content: 'a lamp' }], image_config: { n: 3 } };
  expect((await explain('/v1/chat/completions', body)).reservation_usd).toBe('0.003');
});
