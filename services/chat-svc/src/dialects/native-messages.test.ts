import Anthropic from '@anthropic-ai/sdk';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';
import {
  messageEvents,
  messagesSdk,
  messagesVersion,
  speakMessages,
  streamedUsage,
} from '../testing/messages-client.ts';

const claude = 'claude-opus-4-8';
const [fallback = ''] = sandboxProviders.map(({ id }) => id);
const pricing = { prompt: '0.000005', completion: '0.000025', cacheRead: '0.0000005', cacheWrite: '0.00000625' };
const offers = [
  offerOf('anthropic', { modelName: claude, pricing }),
  offerOf(fallback, { modelName: sharedModel, pricing, priority: 0 }),
];

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(modelOf(claude, offers), modelOf('other', [offerOf(fallback, { modelName: sharedModel })])),
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'sk-ant-of-the-gateway',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      CACHE_TTL_SECONDS: '60',
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const bodyOf = (members: object = {}) => ({
  model: claude,
  max_tokens: 500,
  messages: [{ role: 'user', content: 'Hello there, [cached]' }],
  ...members,
});
const speak = (body: unknown, ask?: AskOptions): Promise<ClientAnswer> => speakMessages(bench, body, ask);
const received = (provider = 'anthropic') => bench.simulator.requests.filter((each) => each.provider === provider);

/** The simulator answers one body always alike. */
async function vendorsOwn(body: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${bench.simulator.baseUrl('anthropic')}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'k', ...messagesVersion, ...headers },
    body,
  });
  return answer.text();
}

const rich = {
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  thinking: { type: 'adaptive', display: 'summarized' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } }] },
  context_hints: { level: 1.0, unknown: ['é'] },
};
const beta = { 'anthropic-beta': 'context-management-2025-06-27,context-hints-2027-01-01' };

describe.each([false, true])('streamed: %s', (stream) => {
  const json = JSON.stringify(bodyOf({ ...rich, model: `anthropic/${claude}`, stream })).replace(
    '"level":1',
    '"level":1.0',
  );

  test('body and answer pass unchanged, apart from the name of the model', async () => {
    const { status, text, headers } = await speak(Buffer.from(json), { headers: beta });
    const [request] = received();
    expect(request).toMatchObject({
      body: json.replace(`anthropic/${claude}`, claude),
      headers: { ...messagesVersion, ...beta, 'x-api-key': 'sk-ant-of-the-gateway' },
    });
    const own = await vendorsOwn(request?.body ?? '', beta);
    expect(status).toBe(200);
    expect(text).toBe(own.replace(`"model":"${claude}"`, `"model":"anthropic/${claude}"`));
    expect(headers).toMatchObject({
      'content-type': stream ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
      'x-tallyport-lane': 'native',
      'x-tallyport-provider': 'anthropic',
      'x-tallyport-cache': 'BYPASS',
    });
  });

  test('the ledger has the usage of the vendor', async () => {
    const { text } = await speak(Buffer.from(json), { headers: beta });
    const usage = stream ? streamedUsage(text) : JSON.parse(text).usage;
    const { input_tokens: input, output_tokens: all, output_tokens_details: details } = usage;
    await expect
      .poll(() => bench.usage)
      .toEqual([
        expect.objectContaining({
          operation: 'chat',
          provider: 'anthropic',
          tokens: expect.objectContaining({
            input,
            output: all - details.thinking_tokens,
            reasoning: details.thinking_tokens,
            cacheRead: usage.cache_read_input_tokens,
            cacheWrite: usage.cache_creation_input_tokens,
          }),
        }),
      ]);
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(0);
  });

  test('another provider gets the translation if the vendor fails', async () => {
    bench.simulator.faults.set({ provider: 'anthropic', fault: 'status:529' });
    const { text, headers } = await speak(bodyOf({ stream, metadata: { user_id: 'u' } }));
    expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
    expect(headers['x-tallyport-lane']).toBeUndefined();
    expect(JSON.parse(received(fallback)[0]?.body ?? '')).toMatchObject({ max_completion_tokens: 500, user: 'u' });
    const [answer] = stream ? messageEvents(text) : [{ message: JSON.parse(text) }];
    expect(answer?.message).toMatchObject({ type: 'message', model: claude });
  });

  test('what only the vendor understands is not sent to others', async () => {
    bench.simulator.faults.set({ provider: 'anthropic', fault: 'status:529' });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const { status, text } = await speak(bodyOf({ stream, tools }));
    expect([status, JSON.parse(text).error.type]).toEqual([502, 'api_error']);
    expect(received(fallback)).toEqual([]);
  });

  test('an Idempotency-Key gets the same answer, and is not shared with other APIs', async () => {
    const headers = { 'idempotency-key': `key-${stream}` };
    const body = bodyOf({ stream });
    const first = await speak(body, { headers });
    const again = await speak(body, { headers });
    expect([again.headers['x-tallyport-idempotency'], again.text]).toEqual(['replayed', first.text]);
    expect(received()).toHaveLength(1);
    const { status, error } = await bench.ask(body, { principal, headers });
    expect([status, error?.code]).toEqual([409, 'idempotency_conflict']);
  });
});

test.each(['byte-wise', 'crlf', 'gzip', 'no-done', 'malformed-line:4'])(
  'a stream is the same however it arrives: %s',
  async (fault) => {
    bench.simulator.faults.set({ provider: 'anthropic', fault });
    const { text, headers } = await speak(bodyOf({ stream: true }));
    bench.simulator.faults.clear();
    expect(headers['x-tallyport-lane']).toBe('native');
    expect(text).toBe(await vendorsOwn(received()[0]?.body ?? ''));
  },
);

test('an error of the vendor has its own words', async () => {
  const { status, text } = await speak(bodyOf({ top_k: -1, thinking: { type: 'between_tools' } }));
  const own = JSON.parse(await vendorsOwn(received()[0]?.body ?? ''));
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({ ...own, request_id: 'req_test' });
});

test.each(['cut:1500', 'error-mid-stream:6'])(
  'a stream that breaks (%s) ends with an error, not like an answer',
  async (fault) => {
    bench.simulator.faults.set({ provider: 'anthropic', fault });
    const { text, headers } = await speak(bodyOf({ stream: true }));
    const events = messageEvents(text);
    expect(headers['x-tallyport-lane']).toBe('native');
    expect(events.at(0)?.type).toBe('message_start');
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    expect(events.map(({ type }) => type)).not.toContain('message_stop');
    expect(text).toMatch(/\nevent: error\ndata: .*\n\n$/);
    await expect.poll(() => bench.usage).toMatchObject([{ attempts: [{ native: true }] }]);
  },
);

test('a member that a chat cannot express is refused in the same words where no provider has the API', async () => {
  const { status, text } = await speak(bodyOf({ model: 'other', mcp_servers: [{ type: 'url', url: 'https://x' }] }));
  expect([status, JSON.parse(text)]).toEqual([
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'mcp_servers: MCP servers are not supported: give their tools in tools',
        details: { unsupported: ['mcp_servers'] },
      },
      request_id: 'req_test',
    },
  ]);
  expect(bench.simulator.requests).toEqual([]);
});

test('responses are counted by lane, refusals are not', async () => {
  const countOf = async (lane: string) => {
    const name = `gateway_dialect_responses_total{api="anthropic-messages",lane="${lane}"} `;
    return Number((await bench.metrics()).split(name)[1]?.split('\n')[0] ?? 0);
  };
  const counts = async () => [await countOf('native'), await countOf('translated')];
  const [native = 0, translated = 0] = await counts();
  for (const stream of [false, true]) await speak(bodyOf({ stream }));
  await speak(bodyOf({ model: 'other' }));
  await speak(bodyOf({ model: 'unknown' }));
  expect(await counts()).toEqual([native + 2, translated + 1]);
});

test('a request that the model would refuse as it is, is translated', async () => {
  const { status, headers } = await speak(bodyOf({ temperature: 0.5 }));
  expect([status, headers['x-tallyport-provider'], headers['x-tallyport-lane']]).toEqual([200, 'anthropic', undefined]);
});

test('a prefixed model that fails once is translated for another provider on request', async () => {
  bench.simulator.faults.set({ provider: 'anthropic', fault: 'status:529', times: 1 });
  const body = bodyOf({ model: `anthropic/${claude}` });
  const { status, headers } = await speak(body, { headers: { 'x-fallback': 'any-failure' } });
  expect([status, headers['x-tallyport-provider']]).toEqual([200, fallback]);
  expect(bench.simulator.requests.map(({ provider }) => provider)).toEqual(['anthropic', fallback]);
});

describe('explain', () => {
  const lanesOf = async (members: object, headers = {}) => {
    const { text } = await bench.explain(bodyOf(members), { principal, headers, query: 'path=/v1/messages' });
    const { candidates, excluded } = JSON.parse(text);
    const lanes = candidates.map((each: Record<string, unknown>) => [each.provider, each.lane, each.lane_reason]);
    return { lanes, excluded };
  };
  const other = [fallback, 'translated', 'other_api'];

  test.each<[string, object, object, unknown[]]>([
    ['unchanged where the vendor has the API', {}, {}, ['anthropic', 'native', 'same_api']],
    ['translated if the model would refuse it', { temperature: 1 }, {}, ['anthropic', 'translated', 'unfit']],
    ['translated if the model has no price for its speed', { speed: 'fast' }, {}, ['anthropic', 'translated', 'unfit']],
    [
      'translated if a member must stay here',
      { user_profile_id: 'ada' },
      {},
      ['anthropic', 'translated', 'not_passed'],
    ],
  ])('a request is %s', async (_name, members, headers, expected) => {
    const second = expected[2] === 'not_passed' ? [fallback, 'translated', 'not_passed'] : other;
    expect(await lanesOf(members, headers)).toEqual({ lanes: [expected, second], excluded: [] });
    expect(bench.simulator.requests).toEqual([]);
  });

  test('an offer that would need a translation is excluded if there is none', async () => {
    const { lanes, excluded } = await lanesOf({ mcp_servers: [{ type: 'url', url: 'https://x' }] });
    expect(lanes).toEqual([['anthropic', 'native', 'same_api']]);
    expect(excluded).toMatchObject([
      { provider: fallback, reason: 'unsupported', detail: expect.stringContaining('mcp_servers') },
    ]);
  });

  test('a path of no request is refused, and chats have no lanes', async () => {
    const { error } = await bench.explain(bodyOf(), { principal, query: 'path=/v1/files' });
    expect(error).toMatchObject({ code: 'invalid_parameters', param: 'path' });
    const { text } = await bench.explain(bodyOf(), { principal });
    expect(JSON.parse(text).candidates[0]).not.toHaveProperty('lane');
  });

  test('the path may name a model', async () => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }] };
    const query = `path=${encodeURIComponent('/v1beta/models/other:generateContent')}`;
    const { text } = await bench.explain(body, { principal, query });
    expect(JSON.parse(text)).toMatchObject({ model: 'other', candidates: [{ lane: 'translated' }] });
  });
});

describe('the SDK', () => {
  const client = messagesSdk(() => bench);

  test('works a loop with signed thinking, cache marks and a beta, and gets what the vendor sent', async () => {
    const cache_control = { type: 'ephemeral' as const };
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const }, cache_control }];
    const question = { role: 'user' as const, content: 'Think, then call the tool in parallel' };
    const base = { model: claude, max_tokens: 5_000, tools, thinking: { type: 'adaptive' as const } };
    const first = await client.messages.stream({ ...base, messages: [question] }).finalMessage();
    expect([first.model, first.stop_reason]).toEqual([claude, 'tool_use']);
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Sun.' }] : [],
    );
    const answer = await client.beta.messages.create({
      ...base,
      betas: ['context-management-2025-06-27'],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      messages: [question, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
    });
    expect(answer.stop_reason).toBe('end_turn');
    expect(received().map(({ outcome, status }) => [outcome, status])).toEqual([
      ['answered', 200],
      ['answered', 200],
    ]);
    expect(received()[1]?.headers).toMatchObject({ 'anthropic-beta': 'context-management-2025-06-27' });
    expect(JSON.parse(received()[1]?.body ?? '').messages[1].content).toEqual(first.content);
  });

  test('raises the error of the vendor', async () => {
    const unknown = client.messages.create({ ...bodyOf({ context_hints: 1 }), stream: false } as never);
    await expect(unknown).rejects.toThrow('context_hints: Extra inputs are not permitted');
    await expect(unknown).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });
});
