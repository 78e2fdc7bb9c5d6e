import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());

const user = (content: unknown) => ({ role: 'user', content });
const call = (id: string, members: object = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'one', arguments: '{}' } }],
  ...members,
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
const tools = [{ type: 'function', function: { name: 'one', parameters: { type: 'object' } } }];

const post = (path: string, members: object) =>
  ask({
    url: `${simulator.url}/${path}`,
    body: { messages: [user('Hello')], ...members },
    headers: { authorization: 'Bearer any', 'api-key': 'any' },
  });

const said = (role: string) => ({ role, content: 'Hi' });
const calledAt = (id: string) => [
  said('user'),
  { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: id, content: 'Rain.' },
];
const chat = '/chat/completions';

test.each<[string, string, object, number, string]>([
  ['mistral: unknown members', `mistral/v1${chat}`, { model: 'm', max_completion_tokens: 1 }, 422, 'extra_forbidden'],
  [
    'mistral: stream_options',
    `mistral/v1${chat}`,
    { model: 'm', stream: true, stream_options: {} },
    422,
    '"loc":["body","stream_options"]',
  ],
  [
    'mistral: a name in a user message',
    `mistral/v1${chat}`,
    { model: 'm', messages: [{ ...user('x'), name: 'y' }] },
    422,
    '"loc":["body","messages",0,"user","name"]',
  ],
  [
    'mistral: ids of another length',
    `mistral/v1${chat}`,
    { model: 'm', tools, messages: [user('x'), call('call_12345'), result('call_12345')] },
    422,
    'with a length of 9',
  ],
  [
    'mistral: tool choice required',
    `mistral/v1${chat}`,
    { model: 'm', tools, tool_choice: 'required' },
    422,
    "Input should be 'auto', 'none' or 'any'",
  ],
  [
    'mistral: a user behind the result of a tool',
    `mistral/v1${chat}`,
    { model: 'mistral-medium-2604', messages: [...calledAt('abcdefghi'), said('user')] },
    400,
    "Unexpected role 'user' after role 'tool'",
  ],
  [
    'mistral: instructions behind the result of a tool',
    `mistral/v1${chat}`,
    { model: 'mistral-medium-2604', messages: [...calledAt('abcdefghi'), said('system')] },
    400,
    "Unexpected role 'system' after role 'tool'",
  ],
  [
    'mistral: instructions behind an answer',
    `mistral/v1${chat}`,
    { model: 'mistral-medium-2604', messages: [said('user'), said('assistant'), said('system'), said('user')] },
    400,
    "Unexpected role 'system' after role 'assistant'",
  ],
  [
    'mistral: instructions behind the user',
    `mistral/v1${chat}`,
    { model: 'mistral-medium-2604', messages: [said('system'), said('user'), said('system'), said('user')] },
    200,
    'choices',
  ],
  [
    'openrouter: a user behind the result of a tool, with a model of Mistral',
    `openrouter/api/v1${chat}`,
    { model: 'mistralai/devstral-2512', messages: [...calledAt('a'), said('user')] },
    400,
    "Unexpected role 'user' after role 'tool'",
  ],
  [
    'vllm: a user behind the result of a tool, with a model of Mistral',
    `vllm/v1${chat}`,
    { model: 'mistralai/Mistral-Small-4-119B-2603', messages: [...calledAt('a'), said('user')] },
    400,
    "Unexpected role 'user' after role 'tool'",
  ],
  [
    'vllm: a user behind the result of a tool, with another model',
    `vllm/v1${chat}`,
    { model: 'Qwen/Qwen3-32B', messages: [...calledAt('a'), said('user')] },
    200,
    'choices',
  ],
  [
    'mistral: an assistant at the end',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user('x'), { role: 'assistant', content: 'y' }] },
    400,
    'Expected last role',
  ],
  ['mistral: a temperature above 1.5', `mistral/v1${chat}`, { model: 'm', temperature: 1.6 }, 422, 'equal to 1.5'],
  ['mistral: at 1.5', `mistral/v1${chat}`, { model: 'm', temperature: 1.5 }, 200, 'choices'],
  [
    'mistral: a tool without schema',
    `mistral/v1${chat}`,
    { model: 'm', tools: [{ type: 'function', function: { name: 'one' } }] },
    422,
    '"loc":["body","tools",0,"function","parameters"]',
  ],
  [
    'mistral: an empty assistant message',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user('x'), { role: 'assistant', content: null }, user('y')] },
    400,
    'must have either content or tool_calls',
  ],
  [
    'mistral: a file with inline data',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user([{ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } }])] },
    422,
    '"loc":["body","messages",0,"content",0,"file"]',
  ],
  [
    'mistral: audio in OpenAI’s format',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user([{ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }])] },
    422,
    'Input should be a valid string',
  ],
  [
    'mistral: a document URL',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user([{ type: 'document_url', document_url: 'data:application/pdf;base64,AA==' }])] },
    200,
    'choices',
  ],
  [
    'openrouter: a file by its address',
    `openrouter/api/v1${chat}`,
    { model: 'a/b', messages: [user([{ type: 'file', file: { file_data: 'https://a.test/a.pdf' } }])] },
    200,
    'choices',
  ],
  [
    'together: a file by its address',
    `together/v1${chat}`,
    { model: 'a/b', messages: [user([{ type: 'file', file: { file_data: 'https://a.test/a.pdf' } }])] },
    400,
    'Invalid file data',
  ],
  ['minimax: a temperature of 0', `minimax/v1${chat}`, { model: 'm', temperature: 0 }, 200, '"status_code":2013'],
  ['minimax: above 1', `minimax/v1${chat}`, { model: 'm', temperature: 1.1 }, 200, '"status_code":2013'],
  ['minimax: at 1', `minimax/v1${chat}`, { model: 'm', temperature: 1 }, 200, '"status_code":0'],
  ['groq: unknown members', `groq/openai/v1${chat}`, { model: 'm', top_k: 1 }, 400, "property 'top_k' is unsupported"],
  [
    'groq: a service tier of OpenAI',
    `groq/openai/v1${chat}`,
    { model: 'm', service_tier: 'default' },
    400,
    "'service_tier'",
  ],
  ['groq: its own service tier', `groq/openai/v1${chat}`, { model: 'm', service_tier: 'on_demand' }, 200, 'choices'],
  [
    'mistral: a cache mark',
    `mistral/v1${chat}`,
    { model: 'm', messages: [user([{ type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }])] },
    422,
    '"loc":["body","messages",0,"content",0,"prompt_cache_breakpoint"]',
  ],
  [
    'groq: a refusal',
    `groq/openai/v1${chat}`,
    { model: 'm', messages: [user('x'), { role: 'assistant', content: 'y', refusal: null }, user('z')] },
    400,
    "property 'messages.1.refusal' is unsupported",
  ],
  [
    'cerebras: unknown members',
    `cerebras/v1${chat}`,
    { model: 'm', top_k: 1 },
    400,
    "property 'body.top_k' is unsupported",
  ],
  [
    'ollama: an effort for a model that does not think',
    `ollama/v1${chat}`,
    { model: 'llama3', reasoning_effort: 'low' },
    400,
    'does not support thinking',
  ],
  ['azure: members of other vendors', `azure/openai/v1${chat}`, { model: 'gpt-4o', top_k: 1 }, 400, 'top_k'],
  [
    'azure: stop for a reasoning model',
    `azure/openai/v1${chat}`,
    { model: 'gpt-5', stop: 'x' },
    400,
    "'stop' is not supported",
  ],
  ['xai: stop for a reasoning model', `xai/v1${chat}`, { model: 'grok-4', stop: 'x' }, 400, "'stop' is not supported"],
  [
    'deepseek: a schema',
    `deepseek${chat}`,
    { model: 'deepseek-chat', response_format: { type: 'json_schema', json_schema: { name: 'x' } } },
    400,
    'unavailable now',
  ],
  [
    'deepseek: thinking that is not sent back',
    `deepseek${chat}`,
    { model: 'deepseek-reasoner', tools, messages: [user('x'), call('a'), result('a')] },
    400,
    '`reasoning_content` in the thinking mode must be passed back',
  ],
  [
    'deepseek: thinking of an earlier question that is not sent back',
    `deepseek${chat}`,
    { model: 'deepseek-v4-flash', tools, messages: [user('x'), call('a'), result('a'), user('y')] },
    400,
    '`reasoning_content` in the thinking mode must be passed back',
  ],
  [
    'moonshot: thinking of an earlier question that is not sent back',
    `moonshot/v1${chat}`,
    { model: 'kimi-k2.6', tools, messages: [user('x'), call('a'), result('a'), user('y')] },
    400,
    'reasoning_content is missing in assistant tool call message at index 1',
  ],
  [
    'moonshot: an empty text for thinking',
    `moonshot/v1${chat}`,
    { model: 'kimi-k2.6', tools, messages: [user('x'), { ...call('a'), reasoning_content: '' }, result('a')] },
    400,
    'reasoning_content is missing in assistant tool call message at index 1',
  ],
  [
    'moonshot: an empty text for thinking, with an older model',
    `moonshot/v1${chat}`,
    { model: 'kimi-k2-thinking', tools, messages: [user('x'), { ...call('a'), reasoning_content: '' }, result('a')] },
    200,
    'choices',
  ],
  [
    'deepseek: an empty text for thinking',
    `deepseek${chat}`,
    { model: 'deepseek-v4-flash', tools, messages: [user('x'), { ...call('a'), reasoning_content: '' }, result('a')] },
    200,
    'choices',
  ],
  [
    'deepseek: logprobs while thinking',
    `deepseek/v1${chat}`,
    { model: 'deepseek-chat', thinking: { type: 'enabled' }, logprobs: true },
    400,
    'logprobs',
  ],
  ['groq: two choices', `groq/openai/v1${chat}`, { model: 'm', n: 2 }, 400, 'must be at most 1'],
  [
    'groq: names',
    `groq/openai/v1${chat}`,
    { model: 'm', messages: [{ ...user('x'), name: 'y' }] },
    400,
    'messages.0.name',
  ],
  [
    'groq: a failed call',
    `groq/openai/v1${chat}`,
    { model: 'm', messages: [user('[failed-call]')] },
    400,
    'failed_generation',
  ],
  ['together: a model without its organization', `together/v1${chat}`, { model: 'm' }, 404, 'model_not_found'],
  ['fireworks: a model without its account', `fireworks/inference/v1${chat}`, { model: 'm' }, 404, 'model_not_found'],
  [
    'cerebras: penalties',
    `cerebras/v1${chat}`,
    { model: 'm', frequency_penalty: 1 },
    400,
    '"param":"frequency_penalty"',
  ],
  ['perplexity: tools', `perplexity${chat}`, { model: 'sonar', tools }, 400, "'tools' is not supported"],
  [
    'perplexity: one role twice',
    `perplexity${chat}`,
    { model: 'sonar', messages: [user('x'), user('y')] },
    400,
    'should alternate',
  ],
  ['moonshot: temperature', `moonshot/v1${chat}`, { model: 'kimi-k2.5', temperature: 0.5 }, 400, 'only 1 is allowed'],
  [
    'moonshot: keep',
    `moonshot/v1${chat}`,
    { model: 'kimi-k2.5', thinking: { type: 'enabled', keep: 'all' } },
    400,
    'thinking.keep',
  ],
  [
    'moonshot: a forced call',
    `moonshot/v1${chat}`,
    { model: 'kimi-k2.5', tools, tool_choice: 'required' },
    400,
    'incompatible with thinking',
  ],
  [
    'alibaba: a whole answer of a model that only streams',
    `alibaba/compatible-mode/v1${chat}`,
    { model: 'qwq-plus' },
    400,
    'only support stream mode',
  ],
  [
    'alibaba: a whole answer of a thinking model',
    `alibaba/compatible-mode/v1${chat}`,
    { model: 'qwen3-32b' },
    400,
    'must be set to false for non-streaming',
  ],
  ['zai: two stops', `zai/api/paas/v4${chat}`, { model: 'glm-4.6', stop: ['a', 'b'] }, 400, '"code":"1210"'],
  [
    'zai: a choice',
    `zai/api/paas/v4${chat}`,
    { model: 'glm-4.6', tools, tool_choice: 'none' },
    400,
    'only supports auto',
  ],
  [
    'bytedance: a model without date',
    `bytedance/api/v3${chat}`,
    { model: 'seed-1-6' },
    404,
    'InvalidEndpointOrModel.NotFound',
  ],
  ['novita: an unknown model', `novita/openai${chat}`, { model: 'm' }, 404, 'MODEL_NOT_FOUND'],
  [
    'minimax: an invalid body, with status 200',
    `minimax/v1${chat}`,
    { model: 'm', messages: [] },
    200,
    '"status_code":2013',
  ],
  ['openrouter: an unknown model', `openrouter/api/v1${chat}`, { model: 'a/unknown' }, 404, '"code":404'],
  [
    'ollama: a remote image',
    `ollama/v1${chat}`,
    { model: 'm', messages: [user([{ type: 'image_url', image_url: { url: 'https://a/b.png' } }])] },
    400,
    'invalid image input',
  ],
  [
    'vllm: tools without the server flags',
    `vllm/v1${chat}`,
    { model: 'no-tools', tools },
    400,
    '--enable-auto-tool-choice',
  ],
  ['azure: a path without version', 'azure/openai/deployments/d/chat/completions', {}, 404, 'Resource not found'],
  [
    'azure: a prompt it filters',
    'azure/openai/deployments/d/chat/completions?api-version=2024-10-21',
    { messages: [user('[refusal]')] },
    400,
    'ResponsibleAIPolicyViolation',
  ],
])('refuses %s', async (_, path, members, status, words) => {
  const answer = await post(path, members);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
});

describe('each vendor has its own format', () => {
  const chunks = async (path: string, members: object) => {
    const { text } = await post(path, { stream: true, ...members });
    return dataOf(text)
      .slice(0, -1)
      .map((data) => JSON.parse(data));
  };
  const parallel = { tools, messages: [user('in parallel')] };

  test('mistral: ids of nine characters, no index, content in parts', async () => {
    const calls = (await chunks(`mistral/v1${chat}`, { model: 'm', ...parallel })).flatMap(
      ({ choices }) => choices[0].delta.tool_calls ?? [],
    );
    expect(calls).toEqual([
      { id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/), function: { name: 'one', arguments: '' } },
      { function: { name: '', arguments: '{}' } },
      { id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/), function: { name: 'one', arguments: '' } },
      { function: { name: '', arguments: '{}' } },
    ]);
    const [, thought] = await chunks(`mistral/v1${chat}`, { model: 'm', messages: [user('[reasoning]')] });
    expect(thought.choices[0].delta.content).toEqual([{ type: 'thinking', thinking: [{ type: 'text', text: 'The' }] }]);
  });

  test('moonshot names the function in the id, alibaba sends empty later ids', async () => {
    const ids = async (path: string, model: string) =>
      (await chunks(path, { model, ...parallel }))
        .flatMap(({ choices }) => choices[0].delta.tool_calls ?? [])
        .map(({ id }) => id);
    expect(await ids(`moonshot/v1${chat}`, 'kimi-k2')).toEqual([
      'functions.one:0',
      undefined,
      'functions.one:1',
      undefined,
    ]);
    const of = expect.stringMatching(/^call_/);
    expect(await ids(`alibaba/compatible-mode/v1${chat}`, 'qwen-plus')).toEqual([of, '', of, '']);
  });

  test('xai counts reasoning separately, perplexity reports usage on every chunk, moonshot in the choice', async () => {
    const { usage } = JSON.parse(
      (await post(`xai/v1${chat}`, { model: 'grok-4', messages: [user('[reasoning]')] })).text,
    );
    const { reasoning_tokens: reasoning } = usage.completion_tokens_details;
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens + reasoning);
    const searched = await chunks(`perplexity${chat}`, { model: 'sonar' });
    expect(searched.filter((chunk) => chunk.usage === undefined || chunk.citations.length === 0)).toEqual([]);
    expect((await chunks(`moonshot/v1${chat}`, { model: 'moonshot-v1-8k' })).at(-1).choices[0].usage).toHaveProperty(
      'cached_tokens',
      0,
    );
  });

  test('groq reports usage twice, openrouter and deepseek send comments', async () => {
    const last = (await chunks(`groq/openai/v1${chat}`, { model: 'm' })).at(-1);
    expect(last.x_groq.usage).toEqual(last.usage);
    expect((await post(`openrouter/api/v1${chat}`, { model: 'a/b', stream: true })).text).toMatch(
      /^: OPENROUTER PROCESSING\n\n/,
    );
    expect((await post(`deepseek${chat}`, { model: 'm' })).text).toMatch(/^\n\n\n\{/);
    expect((await post(`deepseek${chat}`, { model: 'm', stream: true })).text).toMatch(/^: keep-alive\n\n/);
  });

  test('thinking is in tags, in members, or separated on request', async () => {
    const message = async (path: string, members: object) =>
      JSON.parse((await post(path, { messages: [user('[reasoning]')], ...members })).text).choices[0].message;
    expect((await message(`minimax/v1${chat}`, { model: 'm' })).content).toMatch(/^<think>\n/);
    expect(await message(`minimax/v1${chat}`, { model: 'm', reasoning_split: true })).toMatchObject({
      reasoning_details: [{ type: 'reasoning.text' }],
    });
    expect((await message(`novita/openai${chat}`, { model: 'a/b' })).content).toMatch(/^<think>\n/);
    expect(await message(`novita/openai${chat}`, { model: 'a/b', separate_reasoning: true })).toHaveProperty(
      'reasoning_content',
    );
    expect((await message(`groq/openai/v1${chat}`, { model: 'm', reasoning_format: 'raw' })).content).toMatch(
      /^<think>\n/,
    );
    expect(await message(`groq/openai/v1${chat}`, { model: 'm' })).toHaveProperty('reasoning');
  });

  test('zai repeats its role, and streams arguments only on request', async () => {
    const calls = async (members: object) =>
      (await chunks(`zai/api/paas/v4${chat}`, { model: 'glm', ...parallel, ...members })).map(
        ({ choices }) => choices[0].delta,
      );
    expect((await calls({})).map(({ role }) => role)).toEqual(Array(4).fill('assistant'));
    expect((await calls({ tool_stream: true })).length).toBe(6);
  });

  test('azure sends the prompt’s filter results first, at both addresses', async () => {
    const [first] = await chunks(`azure/openai/v1${chat}`, { model: 'gpt-4o' });
    expect(first).toMatchObject({
      choices: [],
      id: '',
      model: '',
      created: 0,
      prompt_filter_results: [{ prompt_index: 0 }],
    });
    const old = JSON.parse(
      (await post('azure/openai/deployments/mine/chat/completions?api-version=2024-10-21', { model: 'x' })).text,
    );
    expect(old).toMatchObject({
      model: 'mine',
      prompt_filter_results: expect.anything(),
      choices: [{ content_filter_results: expect.anything() }],
    });
  });

  test('any finish reason can be requested', async () => {
    const { choices } = JSON.parse(
      (await post(`deepseek${chat}`, { model: 'm', messages: [user('[finish:insufficient_system_resource]')] })).text,
    );
    expect(choices[0].finish_reason).toBe('insufficient_system_resource');
  });
});
