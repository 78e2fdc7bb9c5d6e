import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';

const claude = 'claude-opus-4-8';
const gemini = 'gemini-3-flash-preview';
const [sandbox = ''] = sandboxProviders.map(({ id }) => id);
const principal = { accountId: 'account', keyId: 'key' };

let bench: ChatBench;

beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(claude, [
        offerOf('anthropic', { modelName: claude }),
        offerOf('aws-bedrock', { modelName: 'us.anthropic.claude-opus-4-8' }),
        offerOf('google-vertex', { modelName: `${claude}@default` }),
      ]),
      modelOf(gemini, [offerOf('google', { modelName: gemini }), offerOf('google-vertex', { modelName: gemini })]),
      modelOf('gpt-4o-mini', [offerOf('openai', { modelName: 'gpt-4o-mini' })]),
      modelOf('fails', [offerOf('anthropic', { modelName: 'claude-sonnet-4-5' })]),
      modelOf('hangs', [offerOf('anthropic', { modelName: 'claude-haiku-4-5' })]),
      modelOf('waits', [offerOf('anthropic', { modelName: 'claude-opus-4-8' })]),
      modelOf('nova', [offerOf('aws-bedrock', { modelName: 'amazon.nova-pro-v1:0' })]),
      modelOf('shared', [offerOf(sandbox, { modelName: sharedModel })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'sk-ant-of-the-gateway',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      AWS_BEDROCK_API_KEY: 'bedrock-key',
      AWS_BEDROCK_BASE_URL: baseUrl('aws-bedrock'),
      GEMINI_API_KEY: 'gemini-key',
      GEMINI_BASE_URL: baseUrl('google'),
      GOOGLE_VERTEX_API_KEY: 'token-of-the-gateway',
      GOOGLE_VERTEX_BASE_URL: baseUrl('google-vertex'),
      GOOGLE_VERTEX_PROJECT: 'our-project',
      OPENAI_API_KEY: 'sk-of-the-gateway',
      OPENAI_BASE_URL: baseUrl('openai'),
    }),
    providerKeys: async () => [{ id: 'pk_1', provider: 'anthropic', key: 'key-of-the-account' }],
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const long = 'Weigh this sentence. '.repeat(40);
const tool = { name: 'weather', description: 'Returns it.', input_schema: { type: 'object', properties: {} } };
const message = (model: string, members: object = {}) => ({
  model,
  system: 'Be brief.',
  messages: [{ role: 'user', content: long }],
  tools: [tool],
  ...members,
});
const headers = { 'anthropic-version': '2023-06-01' };
const said = ({ status, headers: sent, text }: ClientAnswer) => [status, sent['x-tallyport-count'], JSON.parse(text)];

/** The tokens that the answer to the same question is billed for. */
const billed = (text: string): number => {
  const { usage, usageMetadata } = JSON.parse(text);
  return usageMetadata?.promptTokenCount ?? usage.input_tokens;
};

describe('Messages', () => {
  const count = (body: object, ask: AskOptions = {}) =>
    bench.inApi('countTokens', body, { principal, headers, ...ask });

  test.each(['anthropic', 'aws-bedrock', 'google-vertex'])('%s counts what it bills', async (provider) => {
    const body = message(`${provider}/${claude}`);
    const counted = await count(body);
    const [{ path = '' } = {}] = bench.simulator.requests;
    expect(path).toMatch(/count.tokens/);
    const answered = await bench.inApi('messages', { ...body, max_tokens: 100 }, { principal, headers });
    expect(said(counted)).toEqual([200, 'vendor', { input_tokens: billed(answered.text) }]);
  });

  test('costs nothing and leaves no record', async () => {
    const body = message(`anthropic/${claude}`, { messages: [{ role: 'user', content: 'Free?' }] });
    await count(body, { requestId: 'req_free' });
    expect(bench.usage.filter(({ requestId }) => requestId === 'req_free')).toEqual([]);
    expect(bench.simulator.requests.map(({ path }) => path)).toEqual(['/anthropic/v1/messages/count_tokens']);
  });

  test('the same prompt is counted once', async () => {
    const body = message(`anthropic/${claude}`, { messages: [{ role: 'user', content: 'Again.' }] });
    const counts = [await count(body), await count(body)];
    expect(counts.map(said)[1]).toEqual(said(counts[0] as ClientAnswer));
    expect(bench.simulator.requests).toHaveLength(1);
  });

  test('an account with a key of its own uses it', async () => {
    const own = { accountId: 'owner', keyId: 'key', providerKeys: 'own_first' as const };
    await count(message(`anthropic/${claude}`, { system: 'Mine.' }), { principal: own });
    expect(bench.simulator.requests.map((request) => request.headers['x-api-key'])).toEqual(['key-of-the-account']);
  });

  test('members that only matter for an answer are left out', async () => {
    const body = message(`anthropic/${claude}`, { max_tokens: 10, stream: true, stop_sequences: ['x'], metadata: {} });
    expect((await count(body)).headers['x-tallyport-count']).toBe('vendor');
  });

  test('server tools are counted where they exist, and refused elsewhere', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    expect((await count(message(`anthropic/${claude}`, { tools }))).headers['x-tallyport-count']).toBe('vendor');
    const { error } = await count(message('shared', { tools }));
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: 'tools[0].type' });
  });

  test('a model of OpenAI is counted as a response, because chats are not counted there', async () => {
    const body = message('gpt-4o-mini');
    expect(said(await count(body))).toEqual([200, 'vendor', { input_tokens: expect.any(Number) }]);
    const { input_tokens: counted } = JSON.parse((await count(body)).text);
    const answered = await bench.inApi('messages', { ...body, max_tokens: 50 }, { principal, headers });
    // The tools have other members in a response.
    expect(Math.abs(counted - billed(answered.text))).toBeLessThan(15);
  });

  test('a model of another vendor is counted by that vendor', async () => {
    const counted = await count(message(`google/${gemini}`));
    expect(bench.simulator.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/:countTokens$/)]);
    expect(said(counted)).toEqual([200, 'vendor', { input_tokens: expect.any(Number) }]);
  });

  test('only a provider that the request prefers gets its prompt', async () => {
    const only = (provider: string) => message(claude, { system: 'Preferred.', provider: { only: [provider] } });
    const counts = [await count(only('google-vertex')), await count(only('groq'))];
    expect(counts.map((counted) => said(counted)[1])).toEqual(['vendor', 'estimate']);
    expect(bench.simulator.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/vertex\//)]);
  });

  test('the suffix of a model is none of its name', async () => {
    expect(said(await count(message('gpt-4o-mini:floor')))).toEqual(said(await count(message('gpt-4o-mini'))));
  });

  test.each(['shared', 'nova'])('the tokens of %s are estimated, and marked', async (model) => {
    expect(said(await count(message(model)))).toEqual([200, 'estimate', { input_tokens: expect.any(Number) }]);
    expect(bench.simulator.requests).toEqual([]);
  });

  test.each([
    ['fails', 'status:500'],
    ['hangs', 'hang'],
  ])('a vendor that %s is not asked again for a minute: the estimate is marked', async (model, fault) => {
    bench.simulator.faults.set({ provider: 'anthropic', fault });
    const counts = [await count(message(model)), await count(message(model, { system: 'Another.' }))];
    for (const counted of counts) {
      expect(said(counted)).toEqual([200, 'estimate', { input_tokens: expect.any(Number) }]);
    }
    expect(bench.simulator.requests).toHaveLength(1);
    bench.simulator.reset();
    const answered = await bench.inApi('messages', { ...message(model), max_tokens: 10 }, { principal, headers });
    expect(answered.status).toBe(200);
  });

  test('a vendor that hangs is asked with one key: the time is that of all requests together', async () => {
    bench.simulator.faults.set({ provider: 'anthropic', fault: 'hang' });
    const own = { accountId: 'owner', keyId: 'key', providerKeys: 'own_first' as const };
    const counted = await count(message('waits', { system: 'Wait.' }), { principal: own });
    expect(said(counted)).toEqual([200, 'estimate', { input_tokens: expect.any(Number) }]);
    expect(bench.simulator.requests.map((request) => request.headers['x-api-key'])).toEqual(['key-of-the-account']);
  });

  test("an account's guardrails apply: the vendor gets placeholders, or nothing", async () => {
    const ask = (action: 'block' | 'redact') =>
      count(message(`anthropic/${claude}`, { messages: [{ role: 'user', content: 'Say ada@example.com' }] }), {
        principal: { ...principal, guardrails: [{ request: { detect: { email: action } } }] },
      });
    expect((await ask('redact')).headers['x-tallyport-count']).toBe('vendor');
    expect((await ask('block')).error).toMatchObject({ code: 'guardrail_blocked' });
    expect(bench.simulator.requests.map(({ body }) => body)).toEqual([expect.stringContaining('Say [email]')]);
  });

  test('a key that may not use the model may not count with it', async () => {
    const restricted = { ...principal, allowedModels: ['shared'] };
    const { error } = await count(message(claude), { principal: restricted });
    expect(error).toMatchObject({ code: 'permission_denied' });
  });
});

describe('Gemini', () => {
  const contents = [{ role: 'user', parts: [{ text: long }] }];
  const count = (model: string, body: object) =>
    bench.inApi('countGeminiTokens', body, { principal, path: `${model}:countTokens` });

  test.each(['google', 'google-vertex'])('%s counts what it bills, and its answer is passed on', async (provider) => {
    const counted = await count(`${provider}/${gemini}`, { contents });
    const path = `${provider}/${gemini}:generateContent`;
    const answered = await bench.inApi('generateContent', { contents }, { principal, path });
    const totalTokens = billed(answered.text);
    const promptTokensDetails = [{ modality: 'TEXT', tokenCount: totalTokens }];
    expect(said(counted)).toEqual([200, 'vendor', { totalTokens, promptTokensDetails }]);
  });

  test('a whole request in a member is counted like the contents alone', async () => {
    const alone = await count(`google/${gemini}`, { contents });
    const whole = await count(`google/${gemini}`, { generateContentRequest: { model: `models/${gemini}`, contents } });
    expect(said(whole)).toEqual(said(alone));
  });

  test('an error names the member as the client wrote it', async () => {
    const { error } = await count('shared', { contents: [{ role: 'user', parts: [{ text: '' }] }] });
    const path = 'shared:generateContent';
    const body = { contents: [{ role: 'user', parts: [{ text: '' }] }] };
    expect(error).toEqual((await bench.inApi('generateContent', body, { principal, path })).error);
    expect(error?.['message']).toContain('contents');
  });

  test('a model of another vendor is counted by that vendor', async () => {
    expect(said(await count(`anthropic/${claude}`, { contents }))).toEqual([
      200,
      'vendor',
      { totalTokens: expect.any(Number) },
    ]);
  });
});

describe('Responses', () => {
  const count = (body: object) => bench.countResponseTokens(body, { principal });

  test('OpenAI counts what it bills, with the conversation before it', async () => {
    const first = JSON.parse(
      (await bench.inApi('responses', { model: 'gpt-4o-mini', input: long }, { principal })).text,
    );
    const body = { model: 'gpt-4o-mini', input: 'Go on.', previous_response_id: first.id };
    const counted = await count(body);
    const answered = await bench.inApi('responses', body, { principal });
    expect(said(counted)).toEqual([
      200,
      'vendor',
      { object: 'response.input_tokens', input_tokens: billed(answered.text) },
    ]);
  });

  test('another model is estimated, and marked', async () => {
    expect(said(await count({ model: 'shared', input: 'Hello there, you.' }))).toEqual([
      200,
      'estimate',
      { object: 'response.input_tokens', input_tokens: 5 },
    ]);
  });
});
