import { geminiErrors } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { createAwsEventStreamDecoder } from '@tallyport/wire';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';
import { messageEvents, messagesSdk, speakMessages, streamedUsage } from '../testing/messages-client.ts';

const claude = 'claude-opus-4-8';
const [fallback = ''] = sandboxProviders.map(({ id }) => id);
const pricing = { prompt: '0.000005', completion: '0.000025', cacheRead: '0.0000005', cacheWrite: '0.00000625' };
const bedrockName = 'us.anthropic.claude-opus-4-8';
const bedrock = offerOf('aws-bedrock', { modelName: bedrockName, pricing, priority: 0.5 });
const vertex = offerOf('google-vertex', { modelName: `${claude}@default`, pricing, priority: 0.4 });
const last = offerOf(fallback, { modelName: sharedModel, pricing, priority: 0 });
const gemini = 'gemini-3-flash-preview';

const awsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(claude, [offerOf('anthropic', { modelName: claude, pricing }), bedrock, vertex, last]),
      modelOf('at aws-bedrock', [bedrock, last]),
      modelOf('at google-vertex', [vertex, last]),
      modelOf('others', [
        offerOf('aws-bedrock', { modelName: 'amazon.nova-pro-v1:0' }),
        offerOf('google-vertex', { modelName: 'gemini-2.5-pro', priority: 0 }),
      ]),
      modelOf(gemini, [offerOf('google-vertex', { modelName: gemini }), last]),
    ),
    awsCredentials,
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'sk-ant-of-the-gateway',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
      AWS_BEDROCK_BASE_URL: baseUrl('aws-bedrock'),
      GOOGLE_VERTEX_API_KEY: 'token-of-the-gateway',
      GOOGLE_VERTEX_BASE_URL: baseUrl('google-vertex'),
      GOOGLE_VERTEX_PROJECT: 'our-project',
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
  max_tokens: 5_000,
  messages: [{ role: 'user', content: 'Hello there, [cached]' }],
  ...members,
});
const speak = (body: unknown, ask?: AskOptions): Promise<ClientAnswer> => speakMessages(bench, body, ask);
const received = (provider: string) => bench.simulator.requests.filter((each) => each.provider === provider);

interface Sent {
  stream: boolean;
  body: string;
  beta: string | undefined;
}

interface Cloud {
  id: string;
  /** A prefix of the model's name selects the provider. */
  model: string;
  sent(json: string): string;
  path(stream: boolean): string;
  betas: string | undefined;
  /** The simulator answers one body always alike; here as the API's own events. */
  own(sent: Sent): Promise<string>;
  /** Bytes after which a stream has begun. */
  cut: string;
}

const post = async (path: string, { body, beta }: Sent): Promise<Buffer> => {
  const headers = { authorization: 'Bearer any', ...(beta && { 'anthropic-beta': beta }) };
  const answer = await fetch(`${bench.simulator.url}${path}`, { method: 'POST', headers, body });
  return Buffer.from(await answer.arrayBuffer());
};

/** The events that a Bedrock stream holds. */
function eventsInFrames(frames: Buffer): string {
  const decoded = createAwsEventStreamDecoder({ maxFrameBytes: 1_000_000 }).push(frames);
  return decoded
    .map(({ data }) => Buffer.from(JSON.parse(data.toString()).bytes, 'base64').toString())
    .map((json) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`)
    .join('');
}

const withoutStream = (json: string): string => json.replace(/,"stream":(true|false)/, '');

const clouds: readonly Cloud[] = [
  {
    id: 'aws-bedrock',
    model: `aws-bedrock/${claude}`,
    sent: (json) =>
      withoutStream(json)
        .replace(
          /\{"model":"[^"]*"/,
          '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["context-management-2025-06-27"]',
        )
        .replace(/,"tags":\{[^}]*\}/, ''),
    path: (stream) =>
      `/bedrock/model/${encodeURIComponent(bedrockName)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
    betas: undefined,
    async own(sent) {
      const bytes = await post(this.path(sent.stream), sent);
      return sent.stream ? eventsInFrames(bytes) : bytes.toString();
    },
    cut: 'cut:3000',
  },
  {
    id: 'google-vertex',
    model: `google-vertex/${claude}`,
    sent: (json) => json.replace(/\{"model":"[^"]*"/, '{"anthropic_version":"vertex-2023-10-16"'),
    path: (stream) =>
      `/vertex/v1/projects/our-project/locations/global/publishers/anthropic/models/${claude}%40default:${stream ? 'streamRawPredict' : 'rawPredict'}`,
    betas: 'context-management-2025-06-27',
    async own(sent) {
      return (await post(this.path(sent.stream), sent)).toString();
    },
    cut: 'cut:1500',
  },
];

const rich = {
  system: [{ type: 'text', text: 'Be brief. é', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  thinking: { type: 'adaptive', display: 'summarized' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } }] },
  output_config: { effort: 'high', future: 1 },
  metadata: { user_id: 'u' },
};
/** Agents send betas that only Anthropic knows. */
const beta = { 'anthropic-beta': 'claude-code-20250219, context-management-2025-06-27' };

describe.each(clouds)('$id', (cloud) => {
  const ask = (members: object = {}, options: AskOptions = {}) =>
    speak(bodyOf({ model: cloud.model, ...members }), options);
  const ownAnswer = (stream: boolean): Promise<string> => {
    const [request] = received(cloud.id);
    const betas = request?.headers['anthropic-beta'];
    return cloud.own({ stream, body: request?.body ?? '', beta: betas?.toString() });
  };

  describe.each([false, true])('streamed: %s', (stream) => {
    const json = JSON.stringify(bodyOf({ model: cloud.model, ...rich, stream })).replace('"future":1', '"future":1.0');

    test('body and answer pass unchanged, apart from what the cloud says elsewhere', async () => {
      const { status, text, headers } = await speak(Buffer.from(json), { headers: beta });
      const [request] = received(cloud.id);
      expect([status, request?.path, request?.body]).toEqual([200, cloud.path(stream), cloud.sent(json)]);
      expect([request?.headers['anthropic-beta'], request?.headers['anthropic-version']]).toEqual([
        cloud.betas,
        undefined,
      ]);
      const own = await ownAnswer(stream);
      expect(text).toBe(own.replace(`"model":"${claude}"`, `"model":"${cloud.model}"`));
      expect(text).toMatch(/"signature":"[^"]+"/);
      expect(headers).toMatchObject({
        'content-type': stream ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
        'x-tallyport-lane': 'native',
        'x-tallyport-provider': cloud.id,
        'x-tallyport-cache': 'BYPASS',
      });
    });

    test('the ledger has the usage of the vendor', async () => {
      const { text } = await speak(Buffer.from(json), { headers: beta });
      const usage = stream ? streamedUsage(text) : JSON.parse(text).usage;
      const { input_tokens: input, output_tokens: all, output_tokens_details: details } = usage;
      const answer = { output: all - details.thinking_tokens, reasoning: details.thinking_tokens };
      const tokens = {
        ...answer,
        cacheRead: usage.cache_read_input_tokens,
        cacheWrite: usage.cache_creation_input_tokens,
      };
      expect(tokens.cacheWrite).toBeGreaterThan(0);
      await expect
        .poll(() => bench.usage)
        .toMatchObject([{ operation: 'chat', provider: cloud.id, tokens: { input, ...tokens } }]);
    });

    test.each(['status:503', 'error-in-200', 'error-in-200;body=json'])(
      'another provider gets the translation if the vendor fails: %s',
      async (fault) => {
        bench.simulator.faults.set({ provider: cloud.id, fault });
        const { text, headers } = await ask({ model: `at ${cloud.id}`, stream });
        expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
        expect(headers['x-tallyport-lane']).toBeUndefined();
        const [answer] = stream ? messageEvents(text) : [{ message: JSON.parse(text) }];
        expect(answer?.message).toMatchObject({ type: 'message', model: `at ${cloud.id}` });
      },
    );
  });

  test.each(['byte-wise', 'gzip', 'no-done'])('a stream is the same however it arrives: %s', async (fault) => {
    bench.simulator.faults.set({ provider: cloud.id, fault });
    const { text, headers } = await ask({ stream: true });
    bench.simulator.faults.clear();
    expect(headers['x-tallyport-lane']).toBe('native');
    const plain = (events: string): string =>
      events.replace(/,"amazon-bedrock-invocationMetrics":\{[^}]*\}/, '').replace(cloud.model, claude);
    expect(plain(text)).toBe(plain(await ownAnswer(true)));
  });

  test.each([cloud.cut, 'error-mid-stream:7'])(
    'a stream that breaks (%s) ends with an error, not like an answer',
    async (fault) => {
      bench.simulator.faults.set({ provider: cloud.id, fault });
      const { text, headers } = await ask({ stream: true });
      const events = messageEvents(text);
      expect(headers['x-tallyport-lane']).toBe('native');
      expect(events.at(0)?.type).toBe('message_start');
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
      expect(events.map(({ type }) => type)).not.toContain('message_stop');
      expect(text).toMatch(/\nevent: error\ndata: .*\n\n$/);
      await expect.poll(() => bench.usage).toHaveLength(1);
    },
  );

  test('an error of the vendor has its own words', async () => {
    const { status, text } = await ask({ top_k: -1, mystery: 1, thinking: { type: 'between_tools' } });
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      { type: 'invalid_request_error', message: 'mystery: Extra inputs are not permitted' },
    ]);
  });

  test('the SDK works a loop with signed thinking and cache marks, and gets what the vendor sent', async () => {
    const client = messagesSdk(() => bench);
    const cache_control = { type: 'ephemeral' as const };
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const }, cache_control }];
    const question = { role: 'user' as const, content: 'Think, then call the tool in parallel' };
    const base = { model: cloud.model, max_tokens: 5_000, tools, thinking: { type: 'adaptive' as const } };
    const first = await client.messages.stream({ ...base, messages: [question] }).finalMessage();
    expect([first.model, first.stop_reason]).toEqual([cloud.model, 'tool_use']);
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Sun.' }] : [],
    );
    const messages = [question, { role: 'assistant' as const, content: first.content }];
    const answer = await client.messages.create({
      ...base,
      messages: [...messages, { role: 'user', content: results }],
    });
    expect(answer.stop_reason).toBe('end_turn');
    const [, second] = received(cloud.id);
    expect(second?.path).toBe(cloud.path(false));
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      tools,
      messages: [question, { content: first.content }, {}],
    });
  });
});

test('a frame that is damaged ends a stream of Bedrock with an error', async () => {
  bench.simulator.faults.set({ provider: 'aws-bedrock', fault: 'malformed-line:4' });
  const { text } = await speak(bodyOf({ model: `aws-bedrock/${claude}`, stream: true }));
  expect(messageEvents(text).map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'error',
  ]);
});

describe('several clouds', () => {
  const failing = (...providers: string[]): void => {
    for (const provider of providers) bench.simulator.faults.set({ provider, fault: 'status:529' });
  };

  test.each([
    [['anthropic'], 'aws-bedrock'],
    [['anthropic', 'aws-bedrock'], 'google-vertex'],
  ])('if %j fail, %s gets the request as it is', async (providers, next) => {
    failing(...providers);
    const { status, headers } = await speak(bodyOf({ ...rich, stream: true }), { headers: beta });
    expect([status, headers['x-tallyport-provider'], headers['x-tallyport-lane']]).toEqual([200, next, 'native']);
    expect(received(next)).toHaveLength(1);
  });

  test('a search of the web is passed on to the cloud that has it, and to no other', async () => {
    failing('anthropic');
    const { headers } = await speak(bodyOf({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }));
    expect(headers).toMatchObject({ 'x-tallyport-provider': 'google-vertex', 'x-tallyport-lane': 'native' });
    expect([received('aws-bedrock'), received(fallback)]).toEqual([[], []]);
  });
});

describe('explain', () => {
  const explained = async (members: object, headers = {}) => {
    const { text } = await bench.explain(bodyOf(members), { principal, headers, query: 'path=/v1/messages' });
    const { candidates, excluded } = JSON.parse(text);
    return {
      lanes: candidates.map((each: Record<string, unknown>) => [each.provider, each.lane, each.lane_reason]),
      excluded: excluded.map(({ provider }: { provider: string }) => provider),
    };
  };
  const native = (provider: string) => [provider, 'native', 'same_api'];
  const unfit = (provider: string) => [provider, 'translated', 'unfit'];
  const foreign = (provider: string) => [provider, 'translated', 'other_api'];
  const [anthropic, others] = ['anthropic', ['aws-bedrock', 'google-vertex']];
  const image = { type: 'image', source: { type: 'url', url: 'https://images.test/a.png' } };

  test.each<[string, object, object]>([
    [
      'as it is at Anthropic and in both clouds',
      rich,
      { lanes: [...[anthropic, ...others].map(native), foreign(fallback)], excluded: [] },
    ],
    [
      'translated in clouds that refuse a member',
      { service_tier: 'auto' },
      { lanes: [native(anthropic), ...others.map(unfit), foreign(fallback)], excluded: [] },
    ],
    [
      'labelled, and Bedrock gets it without its labels',
      { tags: { team: 'a' } },
      { lanes: [...[anthropic, 'aws-bedrock'].map(native), unfit('google-vertex'), foreign(fallback)], excluded: [] },
    ],
    [
      'translated in clouds that download no images',
      { messages: [{ role: 'user', content: [image] }] },
      { lanes: [native(anthropic), ...others.map(unfit), foreign(fallback)], excluded: [] },
    ],
    [
      'only for Anthropic if it needs its services',
      { mcp_servers: [{ type: 'url', url: 'https://x' }] },
      { lanes: [native(anthropic)], excluded: [...others, fallback] },
    ],
    ['translated for models of other makers', { model: 'others' }, { lanes: others.map(foreign), excluded: [] }],
  ])('a request is %s', async (_name, members, expected) => {
    expect(await explained(members, { 'anthropic-beta': 'context-management-2025-06-27' })).toEqual(expected);
  });
});

describe('Gemini on Vertex AI', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Think about [cached]' }] }];
  const generate = async (stream: boolean, body: object, options: AskOptions = {}): Promise<ClientAnswer> => {
    const path = `${gemini}:${stream ? 'streamGenerateContent' : 'generateContent'}`;
    const query = stream ? 'alt=sse' : '';
    const answer = await bench.inApi('generateContent', body, { principal, path, query, ...options });
    if (answer.error === undefined) return answer;
    const refused = geminiErrors.error(answer.error, 'req_test');
    return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
  };
  const pathOf = (stream: boolean): string =>
    `/vertex/v1/projects/our-project/locations/global/publishers/google/models/${gemini}:${stream ? 'streamGenerateContent' : 'generateContent'}`;

  test.each([false, true])('body and answer pass unchanged, streamed: %s', async (stream) => {
    const json = JSON.stringify({ contents, tools: [{ googleSearch: {} }], generation_config: { topK: 1 } });
    const { status, text, headers } = await generate(stream, Buffer.from(json.replace('{', '{"model":"x", ')));
    const [request] = received('google-vertex');
    expect([status, request?.path, request?.body.replace(' ', '')]).toEqual([200, pathOf(stream), json]);
    expect(request?.headers.authorization).toBe('Bearer token-of-the-gateway');
    const own = await post(`${pathOf(stream)}${stream ? '?alt=sse' : ''}`, {
      stream,
      body: request?.body ?? '',
      beta: undefined,
    });
    const pieces = (answer: string): string[] => answer.split(/\r?\n/).filter((line) => line !== '');
    expect(pieces(text)).toEqual(pieces(own.toString()));
    expect(headers).toMatchObject({ 'x-tallyport-lane': 'native', 'x-tallyport-provider': 'google-vertex' });
    const { usageMetadata: usage } = JSON.parse(pieces(text).at(-1)?.replace('data: ', '') ?? '');
    const cacheRead = usage.cachedContentTokenCount ?? 0;
    const tokens = { input: usage.promptTokenCount - cacheRead, cacheRead };
    await expect.poll(() => bench.usage).toMatchObject([{ provider: 'google-vertex', tokens }]);
  });

  test('another provider gets the translation if it fails', async () => {
    bench.simulator.faults.set({ provider: 'google-vertex', fault: 'status:503' });
    const { headers } = await generate(true, { contents });
    expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
  });

  test('contents without a role are translated, because Vertex AI refuses them', async () => {
    const { status, headers } = await generate(false, { contents: [{ parts: [{ text: 'Hi' }] }] });
    expect([status, headers['x-tallyport-provider'], headers['x-tallyport-lane']]).toEqual([
      200,
      'google-vertex',
      undefined,
    ]);
  });
});
