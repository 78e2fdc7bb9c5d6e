import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-moderation';
const offers = sandboxProviders.map(({ id }) => offerOf(id, { modelName: model, pricing: { prompt: '0.001' } }));
const moderator = sharedModelEntry({
  id: model,
  aliases: ['omni-moderation-latest'],
  outputModalities: ['moderations'],
  offers,
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [moderator, sharedModelEntry()] },
    environment: { CACHE_TTL_SECONDS: '60' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const request = { model, input: ['A quiet text.', 'A text of hate.'] };
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);

test('answers with one result for each text, estimated usage and cost, and records both', async () => {
  const answer = await bench.moderate(request, { principal, requestId: 'req_1' });
  const { results, ...rest } = bodyOf(answer);
  const provider = answer.headers['x-tallyport-provider'];
  expect([answer.status, rest]).toEqual([
    200,
    {
      id: expect.stringMatching(/^modr-/),
      model: `${provider}/${model}`,
      usage: { prompt_tokens: 8, total_tokens: 8, cost: 0.008 },
      metadata: expect.objectContaining({ request_id: 'req_1', used_provider: provider, cached: false }),
    },
  ]);
  expect(results).toMatchObject([
    { flagged: false, categories: { hate: false, violence: false } },
    { flagged: true, categories: { hate: true, violence: false } },
  ]);
  await expect
    .poll(() => recordsOf('req_1'))
    .toMatchObject([
      { operation: 'moderation', model, provider, tokens: { input: 8, output: 0 }, cost: '0.008', source: 'estimated' },
    ]);
});

test("uses OpenAI's model if the request names none", async () => {
  const { metadata } = bodyOf(await bench.moderate({ input: 'text' }, { principal }));
  expect(metadata).toMatchObject({ requested_model: 'omni-moderation-latest', used_model: model });
});

test('judges the parts of one item together', async () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const input = [{ type: 'text', text: 'self-harm' }, image];
  const { results } = bodyOf(await bench.moderate({ model, input }, { principal }));
  expect(results).toMatchObject([
    { flagged: true, category_applied_input_types: { 'self-harm': ['text', 'image'], hate: ['text'] } },
  ]);
});

test('answers a repeated request from the cache, at no cost', async () => {
  const input = 'cached';
  const first = await bench.moderate({ model, input }, { principal, requestId: 'req_2' });
  const second = await bench.moderate({ model, input }, { principal, requestId: 'req_2' });
  const other = await bench.moderate({ model, input: [input] }, { principal });
  expect([first, second, other].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT', 'MISS']);
  expect(bodyOf(second)).toEqual({
    ...bodyOf(first),
    usage: { prompt_tokens: 2, total_tokens: 2, cost: 0 },
    metadata: expect.objectContaining({ request_id: 'req_2', cached: true, routing: [] }),
  });
  const records = () => recordsOf('req_2').map(({ cached, cost }) => [cached, cost]);
  await expect.poll(records).toEqual([
    [false, '0.002'],
    [true, '0'],
  ]);
});

test('returns the first response again for the same Idempotency-Key, and records it once', async () => {
  const options = { principal, requestId: 'req_3', headers: { 'idempotency-key': 'once', 'x-no-cache': 'true' } };
  const first = await bench.moderate(request, options);
  const second = await bench.moderate(request, options);
  expect(second.text).toBe(first.text);
  expect(second.headers['x-tallyport-idempotency']).toBe('replayed');
  await expect.poll(() => recordsOf('req_3').length).toBe(1);
});

test.each(['status:503', 'status:429', 'cut:40', 'error-in-200', 'reset'])(
  'tries another provider after %s',
  async (fault) => {
    const [failing = ''] = bench.providers;
    bench.simulator.faults.set({ provider: failing, fault });
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await bench.moderate({ model, input: `${fault} ${count}` }, { principal });
      expect([status, headers['x-tallyport-provider'] === failing]).toEqual([200, false]);
    }
  },
);

test.each([
  [{ input: undefined }, 'invalid_parameters', 'input'],
  [{ input: [] }, 'invalid_parameters', 'input'],
  [{ input: ['x', 1] }, 'invalid_parameters', 'input[1]'],
  [{ input: ['x', { type: 'text', text: 'y' }] }, 'invalid_parameters', 'input[1]'],
  [{ input: [{ type: 'video', url: 'x' }] }, 'invalid_parameters', 'input[0].type'],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (changes, code, param) => {
  const { error } = await bench.moderate({ ...request, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test('refuses chats and embeddings with a moderation model', async () => {
  const chat = await bench.ask({ model, messages: [{ role: 'user', content: 'Hi' }] }, { principal });
  expect(chat.error?.message).toBe(`'${model}' makes moderations, not chats. Send it to POST /v1/moderations.`);
  const vectors = await bench.embed({ model, input: 'Hi' }, { principal });
  expect(vectors.error).toMatchObject({ code: 'unsupported_capability', param: 'model' });
});

test('counts durations and refusals', async () => {
  await bench.moderate({ ...request, input: 'counted' }, { principal });
  await bench.moderate({ ...request, input: [] }, { principal });
  await expect.poll(() => bench.metrics()).toMatch(/gateway_moderations_refused_total\{.*invalid_parameters.*\} \d/);
  expect(await bench.metrics()).toMatch(/gateway_request_duration_seconds_count\{operation="moderation"/);
});
