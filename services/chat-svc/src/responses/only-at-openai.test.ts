import OpenAI from 'openai';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { errorBody } from '@tallyport/contracts';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const [sandbox = ''] = sandboxProviders.map(({ id }) => id);
const principal = { accountId: 'account', keyId: 'key' };
const pricing = { prompt: '0.000001', completion: '0.000002' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('gpt-4o-mini', [
        offerOf('openai', { modelName: 'gpt-4o-mini', pricing }),
        offerOf(sandbox, { modelName: sharedModel, priority: 0 }),
      ]),
      modelOf('shared', [offerOf(sandbox, { modelName: sharedModel })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({ OPENAI_API_KEY: 'sk-gateway', OPENAI_BASE_URL: baseUrl('openai') }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const compact = (body: object) => bench.inApi('compactResponse', body, { principal });

/** The SDK, at the paths that it needs here. */
const sdk = new OpenAI({
  apiKey: 'key',
  baseURL: 'http://gateway/v1',
  maxRetries: 0,
  async fetch(url, init) {
    const api = String(url).endsWith('/compact') ? ('compactResponse' as const) : ('responses' as const);
    const answer = await bench.inApi(api, Buffer.from(String(init?.body)), { principal });
    const text = answer.error === undefined ? answer.text : JSON.stringify(errorBody(answer.error));
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  },
});

test("OpenAI's own models compact a stored conversation, and go on from its compacted form", async () => {
  const first = await sdk.responses.create({ model: 'gpt-4o-mini', input: 'One two three.' });
  const compacted = await sdk.responses.compact({ model: 'gpt-4o-mini', previous_response_id: first.id });
  expect(compacted).toMatchObject({
    object: 'response.compaction',
    output: [
      { type: 'message', role: 'user' },
      { type: 'compaction', encrypted_content: expect.any(String) },
    ],
    usage: { input_tokens: expect.any(Number) },
  });
  const [, sent] = bench.simulator.requests;
  expect(sent).toMatchObject({ provider: 'openai', path: '/v1/responses/compact' });
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: 'gpt-4o-mini', previous_response_id: null });
  const answer = await sdk.responses.create({
    model: 'gpt-4o-mini',
    input: [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), { role: 'user', content: 'Go on.' }],
  });
  expect(answer.output_text).toContain('simulated answer from openai');
});

test('what it costs is in the ledger', async () => {
  const input = [{ role: 'user', content: 'One two three.' }];
  await bench.inApi('compactResponse', { model: 'gpt-4o-mini', input }, { principal, requestId: 'req_compact' });
  const record = () => bench.usage.find(({ requestId }) => requestId === 'req_compact');
  await expect
    .poll(record)
    .toMatchObject({ operation: 'chat', provider: 'openai', tokens: { output: 8 }, endReason: 'done' });
});

test.each<[string, object]>([
  ['model', {}],
  ['conversation', { model: 'gpt-4o-mini', input: 'Hi', conversation: 'conv_1' }],
  [
    'input[0].content[0].file_id',
    { model: 'gpt-4o-mini', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
  ],
  ['previous_response_id', { model: 'gpt-4o-mini', previous_response_id: 'resp_none' }],
])('%s that cannot be passed on is named', async (param, body) => {
  expect((await compact(body)).error).toMatchObject({ status: 400, param });
});

test.each<[object]>([
  [{ type: 'code_interpreter', container: { type: 'auto' } }],
  [{ type: 'image_generation' }],
  [{ type: 'mcp', server_label: 's', server_url: 'https://s.example' }],
  [{ type: 'web_search' }],
])("%j of OpenAI's is sent to OpenAI's own model", async (tool) => {
  const body = { model: 'gpt-4o-mini', input: 'Hi', tools: [tool] };
  const { status, headers } = await bench.inApi('responses', body, { principal });
  expect([status, headers['x-tallyport-lane']]).toEqual([200, 'native']);
  expect(JSON.parse(bench.simulator.requests[0]?.body ?? '').tools).toEqual([tool]);
});
