import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
  },
  { type: 'function' as const, function: { name: 'get_time' } },
];

const user = (content: string) => [{ role: 'user' as const, content }];

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key-1'] });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.reset());

const client = (provider?: string, apiKey = 'sim-key-1') =>
  new OpenAI({ baseURL: simulator.baseUrl(provider), apiKey, maxRetries: 0 });

describe('the OpenAI client', () => {
  test('chats, and the answer says that it is simulated', async () => {
    const answer = await client('sandbox-a').chat.completions.create({
      model: 'sandbox-chat',
      messages: user('Hello?'),
    });
    expect({ ...answer, id: undefined, created: undefined, _request_id: undefined }).toEqual({
      object: 'chat.completion',
      model: 'sandbox-chat',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content:
              'This is a simulated answer from sandbox-a: no real model was asked. The model sandbox-chat is pretended. You said: "Hello?". Ask anything else, the answer will be as simulated as this one.',
            refusal: null,
            annotations: [],
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 2,
        completion_tokens: 47,
        total_tokens: 49,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
      service_tier: 'default',
      system_fingerprint: 'fp_simulated',
    });
    expect(answer.id).toMatch(/^chatcmpl-sim[0-9a-f]{24}$/);
    expect(answer._request_id).toMatch(/^req_sim/);
  });

  test('streams: role first, usage last, one id', async () => {
    const stream = await client('sandbox-b').chat.completions.create({
      model: 'sandbox-chat',
      messages: user('Hello?'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '', refusal: null });
    expect(chunks.at(-2)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  });

  test('gets usage only on request', async () => {
    const stream = await client().chat.completions.create({ model: 'any', messages: user('Hello?'), stream: true });
    const chunks = await collect(stream);
    expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
  });

  test('runs a tool loop: call, result, echo', async () => {
    const first = await client().chat.completions.create({ model: 'any', messages: user('Weather?'), tools });
    const asked = first.choices[0]?.message;
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(asked).toMatchObject({
      content: null,
      tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: '{"city":"simulated city"}' } }],
    });
    const id = asked?.tool_calls?.[0]?.id ?? '';
    const second = await client().chat.completions.create({
      model: 'any',
      messages: [...user('Weather?'), asked!, { role: 'tool', tool_call_id: id, content: '21 degrees' }],
      tools,
    });
    expect(second.choices[0]?.message.content).toContain('The tool returned: 21 degrees');
  });

  test.each([
    ['requested in the text', 'any', 'Both in parallel, please', undefined, ['get_weather', 'get_time']],
    ['forbidden', 'any', 'Both in parallel, please', false, ['get_weather']],
    ['by the model that always calls all tools', 'sandbox-tools', 'Both', undefined, ['get_weather', 'get_time']],
  ])('parallel calls: %s', async (_, model, text, parallel, names) => {
    const stream = client().chat.completions.stream({
      model,
      messages: user(text),
      tools,
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    });
    const calls = (await stream.finalMessage()).tool_calls ?? [];
    expect(calls.map((call) => (call.type === 'function' ? call.function.name : ''))).toEqual(names);
    expect(new Set(calls.map((call) => call.id)).size).toBe(names.length);
  });

  test.each([
    ['[call:get_time]', 'get_time'],
    ['[call:get_time] and not in parallel', 'get_time'],
    ['[call:get_nothing]', 'get_weather'],
    ['[call:get_time;]', 'get_weather'],
  ])('%s calls %s', async (content, name) => {
    const answer = await client().chat.completions.create({ model: 'any', messages: user(content), tools });
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ function: { name } }]);
  });

  test('calls the tool that a tool result requests, with its arguments', async () => {
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_time', arguments: '{}' } };
    const answer = await client().chat.completions.create({
      model: 'any',
      messages: [
        ...user('What is next?'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: '1\tNext: [call:get_weather;city=Rome;when=a=b]' },
      ],
      tools,
    });
    const next = { name: 'get_weather', arguments: '{"city":"Rome","when":"a=b"}' };
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ function: next }]);
    expect(answer.choices[0]?.message.tool_calls?.[0]?.id).not.toBe(call.id);
  });

  test('answers the user although a system message follows', async () => {
    const answer = await client().chat.completions.create({
      model: 'any',
      messages: [...user('[call:get_time]'), { role: 'system', content: 'Be brief.' }],
      tools,
    });
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'get_time' } }]);
  });

  test('can force a tool and forbid all', async () => {
    const forced = await client().chat.completions.create({
      model: 'any',
      messages: user('Hi'),
      tools,
      tool_choice: { type: 'function', function: { name: 'get_time' } },
    });
    expect(forced.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'get_time', arguments: '{}' } }]);
    const none = await client().chat.completions.create({
      model: 'any',
      messages: user('Hi'),
      tools,
      tool_choice: 'none',
    });
    expect(none.choices[0]?.message.content).toContain('simulated answer');
  });

  test('gets reasoning before the answer, unless it is switched off', async () => {
    const ask = (reasoning_effort: 'low' | 'none') =>
      client('sandbox-b').chat.completions.create({
        model: 'sandbox-reasoner',
        messages: user('Why?'),
        reasoning_effort,
      });
    const thought = await ask('low');
    expect(thought.choices[0]?.message).toMatchObject({ reasoning_content: expect.stringContaining('Why?') });
    expect(thought.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    expect((await ask('none')).choices[0]?.message).not.toHaveProperty('reasoning_content');
  });

  test('gets JSON on request', async () => {
    const object = await client().chat.completions.create({
      model: 'any',
      messages: user('Some json'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(object.choices[0]?.message.content ?? '')).toEqual({
      simulated: true,
      provider: 'openai',
      question: 'Some json',
    });
    const schema = { type: 'object', properties: { age: { type: 'integer', minimum: 18 } }, required: ['age'] };
    const shaped = await client().chat.completions.create({
      model: 'any',
      messages: user('A person'),
      response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
    });
    expect(shaped.choices[0]?.message.content).toBe('{"age":18}');
  });

  test('applies max_tokens, stop and n', async () => {
    const create = (members: object) =>
      client().chat.completions.create({
        model: 'any',
        messages: user('Hi'),
        ...members,
      }) as Promise<OpenAI.ChatCompletion>;
    const short = await create({ max_tokens: 3 });
    expect(short.choices[0]).toMatchObject({ message: { content: 'This is a si' }, finish_reason: 'length' });
    expect(short.usage?.completion_tokens).toBe(3);
    const exact = await create({ max_tokens: 2, stop: ' a simulated' });
    expect(exact.choices[0]).toMatchObject({ message: { content: 'This is' }, finish_reason: 'stop' });
    const three = await create({ n: 3 });
    expect(three.choices.map(({ index, message }) => [index, message.content?.match(/\(choice \d\)/)?.[0]])).toEqual([
      [0, undefined],
      [1, '(choice 2)'],
      [2, '(choice 3)'],
    ]);
  });

  test('gets exactly as many words as requested', async () => {
    const answer = await client().chat.completions.create({ model: 'any', messages: user('[words:200]') });
    expect(answer.choices[0]?.message.content?.split(' ')).toHaveLength(200);
  });

  test('lists the models of each provider', async () => {
    const list = async (provider: string) => (await client(provider).models.list()).data.map((model) => model.id);
    expect(await Promise.all(['sandbox-a', 'sandbox-b', 'sandbox-c'].map(list))).toEqual([
      [
        'sandbox-chat',
        'sandbox-fast',
        'sandbox-image',
        'sandbox-decision',
        'sandbox-embedding',
        'sandbox-moderation',
        'sandbox-rerank',
        'sandbox-speech',
        'sandbox-transcription',
      ],
      [
        'sandbox-chat',
        'sandbox-reasoner',
        'sandbox-image',
        'sandbox-decision',
        'sandbox-embedding',
        'sandbox-moderation',
        'sandbox-rerank',
        'sandbox-speech',
        'sandbox-transcription',
      ],
      [
        'sandbox-chat',
        'sandbox-tools',
        'sandbox-image',
        'sandbox-decision',
        'sandbox-embedding',
        'sandbox-moderation',
        'sandbox-rerank',
        'sandbox-speech',
        'sandbox-transcription',
      ],
    ]);
    expect(await client('sandbox-a').models.retrieve('sandbox-fast')).toMatchObject({ owned_by: 'sandbox-a' });
  });

  test.each([
    ['status:400', OpenAI.BadRequestError],
    ['status:401', OpenAI.AuthenticationError],
    ['status:403', OpenAI.PermissionDeniedError],
    ['status:404', OpenAI.NotFoundError],
    ['status:422', OpenAI.UnprocessableEntityError],
    ['status:429', OpenAI.RateLimitError],
    ['status:500', OpenAI.InternalServerError],
    ['status:529', OpenAI.InternalServerError],
    ['reset', OpenAI.APIConnectionError],
  ])('throws %s as its own error class', async (fault, kind) => {
    const asked = client().chat.completions.create(
      { model: 'any', messages: user('Hi') },
      { headers: { 'x-sim-fault': fault } },
    );
    await expect(asked).rejects.toBeInstanceOf(kind);
  });

  test('raises on an error in the middle of a stream', async () => {
    const stream = await client().chat.completions.create(
      { model: 'any', messages: user('Hi'), stream: true },
      { headers: { 'x-sim-fault': 'error-mid-stream:4' } },
    );
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const chunk of stream) seen.push(chunk);
    };
    await expect(reading()).rejects.toThrow('The server had an error while processing your request');
    expect(seen).toHaveLength(4);
  });

  test('needs a valid key and a known model', async () => {
    const chat = { model: 'nobody', messages: user('Hi') };
    await expect(client(undefined, 'sim-key-2').chat.completions.create(chat)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    await expect(client('sandbox-c').chat.completions.create(chat)).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});
