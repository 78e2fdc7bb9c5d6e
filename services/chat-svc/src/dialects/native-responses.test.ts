import OpenAI from 'openai';
import { responsesErrors } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';

const gpt = 'gpt-5.1';
const [fallback = ''] = sandboxProviders.map(({ id }) => id);
const pricing = { prompt: '0.000005', completion: '0.000025', cacheRead: '0.0000005' };
const efforts = { reasoning: true, reasoningEfforts: ['none', 'low', 'medium', 'high'] };
const openai = offerOf('openai', { modelName: gpt, pricing, ...efforts, maxOutput: 9_000 });
const azure = offerOf('azure', { modelName: gpt, pricing, ...efforts, priority: 0 });
const other = offerOf(fallback, { modelName: sharedModel, pricing, priority: 0 });

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(gpt, [openai, other]),
      modelOf('two', [openai, azure]),
      modelOf('deployed', [azure]),
      modelOf('plain', [offerOf('openai', { modelName: 'gpt-4o' })]),
      modelOf('other', [offerOf(fallback, { modelName: sharedModel })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'sk-of-the-gateway',
      OPENAI_BASE_URL: baseUrl('openai'),
      AZURE_API_KEY: 'azure-of-the-gateway',
      AZURE_BASE_URL: baseUrl('azure'),
      AZURE_API_VERSION: '2024-10-21',
      CACHE_TTL_SECONDS: '60',
      RESPONSES_MAX_BYTES: '200000',
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const unstored = (members: object = {}) => ({ model: gpt, input: 'Hello there, [cached]', store: false, ...members });

/** As edge answers. */
async function speak(body: unknown, ask: AskOptions = {}): Promise<ClientAnswer> {
  const answer = await bench.inApi('responses', body, { principal, ...ask });
  if (answer.error === undefined) return answer;
  const refused = responsesErrors.error(answer.error, 'req_test');
  return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
}
const received = (provider = 'openai') => bench.simulator.requests.filter((each) => each.provider === provider);
const lastBody = (provider = 'openai') => JSON.parse(received(provider).at(-1)?.body ?? '');

/** The simulator answers one body always alike. */
async function vendorsOwn(body: string): Promise<string> {
  const answer = await fetch(`${bench.simulator.baseUrl('openai')}/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body,
  });
  return answer.text();
}

interface StreamEvent {
  type: string;
  sequence_number: number;
  response: Record<string, unknown> & { id: string; usage: Usage; output: { id: string; type: string }[] };
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens_details: { reasoning_tokens: number };
}

const eventsOf = (text: string): StreamEvent[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
const endOf = (text: string, stream: boolean): StreamEvent['response'] => {
  if (!stream) return JSON.parse(text);
  const last = eventsOf(text).at(-1);
  if (last === undefined) throw new Error('The stream is empty.');
  return last.response;
};

const rich = {
  instructions: 'Be brief.',
  reasoning: { effort: 'low', summary: 'detailed', context: 'auto' },
  include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
  prompt_cache_key: 'thread-é',
  input: [
    {
      role: 'user',
      content: [{ type: 'input_text', text: 'Please search the web [cached] [reasoning] [citations] [text]' }],
    },
  ],
  tools: [
    { type: 'web_search', search_context_size: 'low', external_web_access: true },
    { type: 'code_interpreter', container: { type: 'auto' } },
    { type: 'mcp', server_label: 'docs', server_url: 'https://mcp.example', require_approval: 'never' },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
    { type: 'namespace', name: 'files', description: '', tools: [{ type: 'function', name: 'read', parameters: {} }] },
  ],
  client_metadata: { level: 1.0 },
};

describe.each([false, true])('streamed: %s', (stream) => {
  const json = JSON.stringify(unstored({ ...rich, model: `openai/${gpt}`, stream })).replace(
    '"level":1',
    '"level":1.0',
  );

  test('body and answer pass unchanged, apart from the name of the model', async () => {
    const { status, text, headers } = await speak(Buffer.from(json));
    const [request] = received();
    expect(request).toMatchObject({
      path: '/v1/responses',
      body: json.replace(`openai/${gpt}`, gpt),
      headers: { authorization: 'Bearer sk-of-the-gateway' },
    });
    const own = await vendorsOwn(request?.body ?? '');
    expect(status).toBe(200);
    expect(text).toBe(own.replaceAll(`"model":"${gpt}"`, `"model":"openai/${gpt}"`));
    expect(endOf(text, stream).output.map(({ type }) => type)).toEqual(['reasoning', 'web_search_call', 'message']);
    expect(headers).toMatchObject({
      'content-type': stream ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
      'x-tallyport-lane': 'native',
      'x-tallyport-provider': 'openai',
      'x-tallyport-cache': 'BYPASS',
    });
  });

  test('the ledger has the usage of the vendor', async () => {
    const { text } = await speak(Buffer.from(json));
    const { usage } = endOf(text, stream);
    const cached = usage.input_tokens_details.cached_tokens;
    const reasoning = usage.output_tokens_details.reasoning_tokens;
    await expect
      .poll(() => bench.usage)
      .toEqual([
        expect.objectContaining({
          operation: 'chat',
          provider: 'openai',
          tokens: expect.objectContaining({ cacheRead: cached, reasoning }),
        }),
      ]);
    const [record] = bench.usage;
    const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = record?.tokens ?? {};
    expect([input + cacheRead + cacheWrite, output + reasoning]).toEqual([usage.input_tokens, usage.output_tokens]);
    expect([cached > 0, reasoning > 0]).toEqual([true, true]);
  });

  test('another provider gets the translation if the vendor fails', async () => {
    bench.simulator.faults.set({ provider: 'openai', fault: 'status:503' });
    const { text, headers } = await speak(unstored({ stream, max_output_tokens: 500 }));
    expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
    expect(headers['x-tallyport-lane']).toBeUndefined();
    expect(lastBody(fallback)).toMatchObject({ max_completion_tokens: 500 });
    expect(endOf(text, stream)).toMatchObject({ object: 'response', model: gpt, status: 'completed' });
  });

  test('another provider gets it if the vendor limits the rate', async () => {
    bench.simulator.faults.set({ provider: 'openai', fault: 'status:429;retry-after=7' });
    expect((await speak(unstored({ stream }))).headers['x-tallyport-provider']).toBe(fallback);
    const alone = await speak(unstored({ stream, truncation: 'auto' }));
    expect(alone.error).toMatchObject({ code: 'providers_rate_limited', retryAfterMs: expect.any(Number) });
  });

  test('what only the vendor understands is not sent to others', async () => {
    bench.simulator.faults.set({ provider: 'openai', fault: 'status:503' });
    const { status } = await speak(unstored({ stream, tool_choice: { type: 'mcp', server_label: 'x' } }));
    expect(status).toBe(502);
    expect(received(fallback)).toEqual([]);
  });

  test('an Idempotency-Key gets the same answer', async () => {
    const headers = { 'idempotency-key': `key-${stream}` };
    const first = await speak(unstored({ stream }), { headers });
    const again = await speak(unstored({ stream }), { headers });
    expect([again.headers['x-tallyport-idempotency'], again.text]).toEqual(['replayed', first.text]);
    expect(received()).toHaveLength(1);
  });

  test('Azure gets it at the address of its newer API', async () => {
    const { status, headers, text } = await speak(unstored({ model: 'deployed', stream }));
    expect([status, headers['x-tallyport-lane'], endOf(text, stream).model]).toEqual([200, 'native', 'deployed']);
    expect(received('azure')).toMatchObject([
      { path: '/azure/openai/v1/responses', headers: { 'api-key': 'azure-of-the-gateway' } },
    ]);
  });
});

test.each(['byte-wise', 'crlf', 'gzip', 'no-done', 'malformed-line:4'])(
  'a stream is the same however it arrives: %s',
  async (fault) => {
    bench.simulator.faults.set({ provider: 'openai', fault });
    const { text, headers } = await speak(unstored({ stream: true }));
    bench.simulator.faults.clear();
    expect(headers['x-tallyport-lane']).toBe('native');
    expect(text).toBe(await vendorsOwn(received()[0]?.body ?? ''));
  },
);

test('a limit above that of the model is lowered', async () => {
  await speak(unstored({ max_output_tokens: 9_001 }));
  expect(lastBody().max_output_tokens).toBe(9_000);
});

test('an error of the vendor has its own words', async () => {
  const { status, text } = await speak(unstored({ future_member: 1 }));
  const own = JSON.parse(await vendorsOwn(received()[0]?.body ?? ''));
  expect([status, JSON.parse(text).error.message]).toEqual([400, own.error.message]);
});

test('an error with status 200 is a failure', async () => {
  bench.simulator.faults.set({ provider: 'openai', fault: 'error-in-200' });
  for (const stream of [false, true]) {
    expect((await speak(unstored({ stream }))).headers['x-tallyport-provider']).toBe(fallback);
  }
});

describe('a stream that breaks', () => {
  test('ends like a failed response wherever it is cut', async () => {
    const whole = await vendorsOwn(JSON.stringify(unstored({ stream: true })));
    const cuts = [...whole.matchAll(/\n\n/g)].map(({ index }) => index + 2).slice(0, -1);
    expect(cuts.length).toBeGreaterThan(20);
    for (const cut of cuts) {
      bench.simulator.faults.set({ provider: 'openai', fault: `cut:${cut}` });
      const { text, headers } = await speak(unstored({ stream: true }), {
        requestId: 'cut',
        headers: { 'x-no-fallback': 'true' },
      });
      if (headers['x-tallyport-lane'] === undefined) continue;
      const events = eventsOf(text);
      const last = events.at(-1);
      expect(text.startsWith(whole.slice(0, cut))).toBe(true);
      expect(last).toMatchObject({
        type: 'response.failed',
        response: { id: endOf(whole, true).id, status: 'failed', error: { code: 'server_error' } },
      });
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, at) => at));
      expect(text).toMatch(/\nevent: response\.failed\ndata: .*\n\n$/);
    }
    await expect.poll(() => bench.usage.filter(({ requestId }) => requestId === 'cut').length).toBe(cuts.length);
  });

  test('by an error of the vendor, has its end in our words', async () => {
    bench.simulator.faults.set({ provider: 'openai', fault: 'error-mid-stream:8' });
    const events = eventsOf((await speak(unstored({ stream: true }))).text);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['response.output_text.delta', 'response.failed']);
    expect(events.at(-1)).toMatchObject({ sequence_number: 8, response: { error: { code: 'server_error' } } });
  });
});

describe('what the vendor must not see', () => {
  const inputText = { type: 'input_text', text: 'Hi' };
  test.each<[string, object]>([
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
    ],
    [
      'input[0].content[1].file_id',
      { input: [{ role: 'user', content: [inputText, { type: 'input_file', file_id: 'file-1' }] }] },
    ],
    ['input[0]', { input: [{ type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: '' }] }],
  ])('is refused for every provider: %s', async (param, members) => {
    const { status, text } = await speak(unstored(members));
    expect([status, JSON.parse(text).error.param]).toEqual([400, expect.stringContaining(param)]);
    expect(bench.simulator.requests).toEqual([]);
  });

  test.each<[object]>([
    [{ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
    [{ tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] }],
  ])('%j is refused by name', async (members) => {
    const { status, text } = await speak(unstored(members));
    expect([status, JSON.parse(text).error.param]).toEqual([400, 'tools[0].type']);
  });

  test('is not hidden behind a second member of its name', async () => {
    const body = JSON.stringify(unstored({ conversation: null })).replace('{', '{"conversation":"conv_1",');
    const { status, headers } = await speak(Buffer.from(body));
    expect([status, headers['x-tallyport-lane']]).toEqual([200, undefined]);
    expect(JSON.stringify(received())).not.toContain('conv_1');
  });
});

describe('a translation', () => {
  test('refuses what a chat cannot express where no provider has the API', async () => {
    const { status, text } = await speak(unstored({ model: 'other', truncation: 'auto' }));
    expect([status, JSON.parse(text).error]).toMatchObject([400, { param: 'truncation' }]);
    expect(bench.simulator.requests).toEqual([]);
  });

  test.each<[string, object]>([
    ['plain', { reasoning: { effort: 'low' } }],
    ['plain', { include: ['reasoning.encrypted_content'] }],
    ['plain', { text: { verbosity: 'low' } }],
    [gpt, { reasoning: { effort: 'max' } }],
    [gpt, { temperature: 0.5 }],
    [
      gpt,
      {
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { role: 'user', content: 'Hi' },
        ],
      },
    ],
  ])('serves what the model %s would refuse: %j', async (model, members) => {
    const { status, headers } = await speak(unstored({ model, ...members }));
    expect([status, headers['x-tallyport-provider'], headers['x-tallyport-lane']]).toEqual([200, 'openai', undefined]);
    expect(received().map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  test('serves reasoning that the vendor did not write', async () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAforeign' };
    const { status, headers } = await speak(unstored({ input: [reasoning, { role: 'user', content: 'Hi' }] }));
    expect([status, headers['x-tallyport-lane'], headers['x-tallyport-attempts']]).toEqual([200, undefined, '1']);
    expect(received().map(({ path }) => path)).toEqual(['/v1/responses', '/v1/chat/completions']);
    expect((await speak(unstored({ truncation: 'auto', input: [reasoning] }))).status).toBe(400);
  });

  test('serves what a server without the API refuses', async () => {
    bench.simulator.faults.set({ provider: 'openai', fault: 'status:404;code=unknown_url', times: 1 });
    const { status, headers } = await speak(unstored());
    expect([status, headers['x-tallyport-lane']]).toEqual([200, undefined]);
  });
});

describe('a response that is stored', () => {
  const kept = (members: object = {}) => ({ model: gpt, input: 'One [reasoning]', ...members });
  const stored = async (operation: Parameters<ChatBench['stored']>[0], path: string, account = 'account') => {
    const answer = await bench.stored(operation, path, { principal: { accountId: account, keyId: 'key' } });
    return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };

  test.each([false, true])('is stored here and not by the vendor, streamed: %s', async (stream) => {
    const { text, headers } = await speak(kept({ stream }));
    const response = endOf(text, stream);
    expect(headers['x-tallyport-lane']).toBe('native');
    expect(received()[0]?.body).toBe(
      `{"store":false,"include":["reasoning.encrypted_content"],${JSON.stringify(kept({ stream })).slice(1)}`,
    );
    expect(response).toMatchObject({ store: true, output: [{ encrypted_content: expect.any(String) }, {}] });
    expect((await stored('getResponse', response.id)).body).toEqual(response);
    expect((await stored('getResponse', response.id, 'another')).status).toBe(404);
    expect((await stored('listInputItems', `${response.id}/input_items`)).body.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'One [reasoning]' }] },
    ]);
    expect((await stored('deleteResponse', response.id)).status).toBe(200);
    expect((await stored('getResponse', response.id)).status).toBe(404);
  });

  test.each([false, true])('says that it is not if it is too large, streamed: %s', async (stream) => {
    const { text } = await speak(kept({ stream, input: 'x'.repeat(200_000) }));
    const { id, store } = endOf(text, stream);
    expect([store, (await stored('getResponse', id)).status]).toEqual([false, 404]);
  });

  test('is continued with its conversation in the input, and no id of ours', async () => {
    const first = endOf((await speak(kept())).text, false);
    const next = `{"role":"user","content":"Zwei \\u00e9","n":1.0}`;
    const body = JSON.stringify(kept({ previous_response_id: first.id, input: [] })).replace(
      '"input":[]',
      `"input":[${next}]`,
    );
    const second = await speak(Buffer.from(body));
    const sent = received().at(-1)?.body ?? '';
    expect([second.status, second.headers['x-tallyport-lane']]).toEqual([200, 'native']);
    expect(sent).toContain(`,${next}]`);
    expect(JSON.parse(sent)).toMatchObject({
      previous_response_id: null,
      store: false,
      input: [{ role: 'user', content: [{ text: 'One [reasoning]' }] }, ...first.output, JSON.parse(next)],
    });
    const response = endOf(second.text, false);
    expect(response).toMatchObject({ previous_response_id: first.id, store: true });
    await speak(kept({ previous_response_id: response.id, input: 'Three', stream: true }));
    expect(lastBody().input).toHaveLength(6);
    const items = await stored('listInputItems', `${response.id}/input_items`);
    expect(items.body.data).toHaveLength(4);
  });

  test('has items that a request refers to by the ids of the vendor', async () => {
    const { id, output } = endOf((await speak(kept())).text, false);
    const references = output.map((item) => ({ type: 'item_reference', id: item.id }));
    const input = [{ role: 'user', content: 'One' }, ...references, { role: 'user', content: 'Two' }];
    const answer = await speak(kept({ input }));
    expect([answer.status, answer.headers['x-tallyport-lane']]).toEqual([200, 'native']);
    expect(lastBody().input).toEqual([input[0], ...output, input[3]]);
    const foreign = await speak(kept({ input }), { principal: { accountId: 'another', keyId: 'k' } });
    expect([foreign.status, JSON.parse(foreign.text).error.param]).toEqual([404, 'input[1].id']);
    await stored('deleteResponse', id);
    expect((await speak(kept({ input }))).status).toBe(404);
  });

  test('is continued by another provider, which gets a translation', async () => {
    const first = endOf((await speak(kept())).text, false);
    const answer = await speak(kept({ model: 'other', previous_response_id: first.id, input: 'Two' }));
    expect([answer.status, answer.headers['x-tallyport-lane']]).toEqual([200, undefined]);
    expect(JSON.stringify(lastBody(fallback).messages)).toMatch(/One \[reasoning\].*Two/);
  });

  test('of another provider is continued without its ids and its reasoning', async () => {
    const first = endOf((await speak(kept({ model: 'other' }))).text, false);
    const answer = await speak(kept({ previous_response_id: first.id, input: 'Two' }));
    expect([answer.status, answer.headers['x-tallyport-lane']]).toEqual([200, 'native']);
    const { input } = lastBody();
    expect(input.map((item: { type: string; id?: string }) => [item.type, item.id])).toEqual([
      ['message', undefined],
      ['message', undefined],
      ['message', undefined],
    ]);
  });

  test('with what only its vendor understands is not continued by another', async () => {
    const shell = {
      type: 'local_shell_call',
      id: 'lsh_1',
      call_id: 'c',
      status: 'completed',
      action: { type: 'exec' },
    };
    const first = endOf((await speak(kept({ input: [shell, { role: 'user', content: 'Hi' }] }))).text, false);
    const { status, text } = await speak(kept({ model: 'other', previous_response_id: first.id }));
    expect([status, JSON.parse(text).error.param]).toEqual([400, 'previous_response_id']);
    expect((await speak(kept({ previous_response_id: first.id }))).status).toBe(200);
  });

  test('with a search of its vendor is continued by another from the text that it led to', async () => {
    const web = { tools: [{ type: 'web_search' }], input: 'Please search the web [text]' };
    const first = endOf((await speak(kept(web))).text, false);
    expect(first.output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
    const { status } = await speak(kept({ model: 'other', previous_response_id: first.id, input: 'Two' }));
    expect([status, lastBody(fallback).messages.length]).toEqual([200, 3]);
  });

  test('with sealed reasoning is continued by a vendor that cannot read it, which gets a translation', async () => {
    const first = endOf((await speak(kept({ model: 'two' }))).text, false);
    bench.simulator.faults.set({ provider: 'openai', fault: 'status:503' });
    const { status, headers } = await speak(kept({ model: 'two', previous_response_id: first.id, input: 'Two' }));
    expect([status, headers['x-tallyport-provider'], headers['x-tallyport-lane']]).toEqual([200, 'azure', undefined]);
  });
});

describe('explain', () => {
  const lanesOf = async (members: object) => {
    const { text } = await bench.explain(unstored(members), { principal, query: 'path=/v1/responses' });
    const { candidates, excluded } = JSON.parse(text);
    const lanes = candidates.map((each: Record<string, unknown>) => [each.provider, each.lane, each.lane_reason]);
    return { lanes, excluded };
  };

  test.each<[string, object, unknown[][]]>([
    [
      'unchanged where the vendor has the API',
      {},
      [
        ['openai', 'native', 'same_api'],
        [fallback, 'translated', 'other_api'],
      ],
    ],
    [
      'translated if the model would refuse it',
      { temperature: 0 },
      [
        ['openai', 'translated', 'unfit'],
        [fallback, 'translated', 'other_api'],
      ],
    ],
    [
      'translated if a member must stay here',
      {
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { role: 'user', content: 'Hi' },
        ],
      },
      [
        ['openai', 'translated', 'not_passed'],
        [fallback, 'translated', 'not_passed'],
      ],
    ],
  ])('a request is %s', async (_name, members, lanes) => {
    expect(await lanesOf(members)).toEqual({ lanes, excluded: [] });
    expect(bench.simulator.requests).toEqual([]);
  });

  test('an offer that would need a translation is excluded if there is none', async () => {
    const { lanes, excluded } = await lanesOf({ truncation: 'auto' });
    expect(lanes).toEqual([['openai', 'native', 'same_api']]);
    expect(excluded).toMatchObject([
      { provider: fallback, reason: 'unsupported', detail: expect.stringContaining('truncation') },
    ]);
  });
});

describe('the SDK', () => {
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://gateway',
    maxRetries: 0,
    async fetch(_url, init) {
      const answer = await speak(Buffer.from(String(init?.body)));
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });

  test('works a loop of tools with a stream, and gets what the vendor sent', async () => {
    const weather = { type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false };
    const base = { model: gpt, tools: [weather], reasoning: { effort: 'low' as const, summary: 'auto' as const } };
    const first = await client.responses
      .stream({ ...base, input: 'Think [reasoning] and call the tool' })
      .finalResponse();
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call']);
    const results = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'Sun.' }]
        : [],
    );
    const second = await client.responses.create({ ...base, previous_response_id: first.id, input: results });
    expect([second.status, second.previous_response_id]).toEqual(['completed', first.id]);
    expect(second.output_text).toContain('Sun.');
    expect(received().map(({ path, status }) => [path, status])).toEqual([
      ['/v1/responses', 200],
      ['/v1/responses', 200],
    ]);
  });

  test('raises the error of the vendor', async () => {
    const unknown = client.responses.create({ ...unstored({ future_member: 1 }), stream: false } as never);
    await expect(unknown).rejects.toThrow("Unknown parameter: 'future_member'.");
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});
