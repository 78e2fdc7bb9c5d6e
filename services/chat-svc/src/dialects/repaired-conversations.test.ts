import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

/** Conversations that another vendor's model began, in the API of the vendor that goes on with them. */
let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('claude', [offerOf('anthropic', { modelName: 'claude-sonnet-4-5' })]),
      modelOf('gpt', [offerOf('openai', { modelName: 'gpt-5.1', reasoning: true })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const input = { type: 'object', properties: { city: { type: 'string' } } };
const lane = 'x-tallyport-lane';

test('Claude goes on where ids of calls repeat and texts are empty, in its own API', async () => {
  const step = (city: string) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'tool_use', id: 'call_0', name: 'weather', input: { city } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_0', content: `Rain in ${city}.` }],
    },
  ];
  const answer = await bench.inApi(
    'messages',
    {
      model: 'claude',
      max_tokens: 100,
      tools: [{ name: 'weather', input_schema: input }],
      messages: [{ role: 'user', content: 'Weather?' }, ...step('Rome'), ...step('Oslo')],
    },
    { principal },
  );
  expect([answer.status, answer.headers[lane]]).toEqual([200, 'native']);
  expect(JSON.parse(answer.text).content).toMatchObject([{ type: 'text', text: expect.stringContaining('Oslo') }]);
  expect(bench.simulator.requests.map(({ status }) => status)).toEqual([200]);
});

test('OpenAI goes on where ids of calls and items are another vendor’s, in its own API', async () => {
  const callId = `call_${'x'.repeat(100)}`;
  const answer = await bench.inApi(
    'responses',
    {
      model: 'gpt',
      store: false,
      tools: [{ type: 'function', name: 'weather', parameters: input }],
      input: [
        { role: 'user', content: 'Weather?' },
        { type: 'message', id: 'chatcmpl-1', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', id: 'item.1', call_id: callId, name: 'weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: callId, output: 'Rain in Rome.' },
      ],
    },
    { principal },
  );
  expect([answer.status, answer.headers[lane]]).toEqual([200, 'native']);
  expect(answer.text).toContain('Rain in Rome.');
  expect(bench.simulator.requests.map(({ status }) => status)).toEqual([200]);
});
