import { ask } from '@tallyport/sandbox/testing';
import { createHmac, hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';
import { foldedFrames, framesOf, type Frame } from '../testing/frames.ts';

let simulator: Simulator;
const awsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'], awsCredentials });
});
afterAll(() => simulator.close());

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ text: words });
const hello = { messages: [user(text('Hello'))] };
const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const toolSpec = (name: string) => ({ toolSpec: { name, inputSchema: { json: schema } } });
const toolConfig = { tools: [toolSpec('one'), toolSpec('two')] };
const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

interface Asked {
  model?: string;
  method?: string;
  headers?: Record<string, string>;
}

const post = (members: object, { model = claude, method = 'converse', headers = {} }: Asked = {}) =>
  ask({
    url: `${simulator.url}/bedrock/model/${encodeURIComponent(model)}/${method}`,
    body: { ...hello, ...members },
    headers: { authorization: 'Bearer sim-key', ...headers },
  });

const whole = async (members: object) => JSON.parse((await post(members)).text);

const embed = (texts: unknown) =>
  ask({
    url: `${simulator.url}/bedrock/model/cohere.embed-v4:0/invoke`,
    body: { texts, input_type: 'search_document' },
    headers: { authorization: 'Bearer sim-key' },
  });

test("each of a document's texts gets a vector, and an empty text or none is refused", async () => {
  const { embeddings } = JSON.parse((await embed(['one', 'two'])).text);
  expect(embeddings.map((vector: number[]) => vector.length)).toEqual([1_536, 1_536]);
  for (const texts of [['one', ''], ['one', 2], [], Array(97).fill('one')])
    expect(await embed(texts)).toMatchObject({ status: 400 });
});

describe('answers', () => {
  test('have all members of the format', async () => {
    expect(await whole({})).toEqual({
      output: {
        message: {
          role: 'assistant',
          content: [{ text: expect.stringContaining('simulated answer from aws-bedrock') }],
        },
      },
      stopReason: 'end_turn',
      usage: expect.objectContaining({ inputTokens: 2, cacheReadInputTokens: 0 }),
      metrics: { latencyMs: 1 },
    });
  });

  const asking = (words: string) => ({ messages: [user(text(words))] });

  test.each([
    ['text', {}],
    ['tools in parallel', { toolConfig, ...asking('in parallel') }],
    ['text and a call', { toolConfig, ...asking('[text-and-call]') }],
    ['a call without arguments', { toolConfig, ...asking('[no-arguments]') }],
    ['thoughts', { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } } }],
    ['a refusal', asking('[refusal]')],
    ['a cut', asking('[length]')],
    ['cached tokens', asking('[cached] and some more words to count')],
  ])('fold to the same from a stream: %s', async (_, members) => {
    const stream = await post(members, { method: 'converse-stream' });
    expect(stream.headers['content-type']).toBe('application/vnd.amazon.eventstream');
    expect(foldedFrames(framesOf(stream.body))).toEqual(await whole(members));
  });

  test('have padded payloads, with usage last or before the stop reason', async () => {
    const frames = async (model: string) => framesOf((await post({}, { model, method: 'converse-stream' })).body);
    const types = (list: Frame[]) => list.map(({ headers }) => headers[':event-type']).slice(-2);
    const good = await frames(claude);
    expect(good.filter(({ payload }) => typeof payload.p !== 'string')).toEqual([]);
    expect(types(good)).toEqual(['messageStop', 'metadata']);
    expect(types(await frames('amazon.nova-lite-v1:0'))).toEqual(['metadata', 'messageStop']);
  });
});

const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'one', input: {} } });
const result = (toolUseId: string) => ({ toolResult: { toolUseId, content: [text('x')] } });

describe('refuses', () => {
  const turn = (...messages: object[]) => ({ toolConfig, messages: [user(text('go')), ...messages] });

  test.each<[string, object, string]>([
    ['unknown members', { model: 'x' }, 'extraneous key [model]'],
    ['no messages', { messages: [] }, 'must not be empty'],
    ['an assistant first', { messages: [assistant(text('x'))] }, 'must start with a user message'],
    ['one role twice', { messages: [user(text('x')), user(text('y'))] }, 'must alternate'],
    ['other roles', { messages: [{ role: 'system', content: [text('x')] }] }, 'enum value set: [user, assistant]'],
    ['empty text', { messages: [user(text(''))] }, 'is blank'],
    ['empty content', { messages: [user()] }, 'content field in the Message object at messages.0 is empty'],
    ['an image URL', { messages: [user({ image: { format: 'png', source: { url: 'https://a' } } })] }, 'source.bytes'],
    [
      'calls without toolConfig',
      { ...turn(assistant(use('a')), user(result('a'))), toolConfig: undefined },
      'toolConfig field must be defined',
    ],
    [
      'a call without result',
      turn(assistant(use('a')), user(text('x'))),
      'Expected toolResult blocks at messages.2.content for the following Ids: a',
    ],
    ['a result without call', turn(assistant(text('x')), user(result('a'))), 'exceeds the number of toolUse blocks'],
    ['arguments as text', turn(assistant({ toolUse: { ...use('a').toolUse, input: '{}' } })), 'Provide a json object'],
    ['tool choice none', { toolConfig: { ...toolConfig, toolChoice: { none: {} } } }, 'one of: auto, any, tool'],
    ['no tools', { toolConfig: { tools: [] } }, 'at least one tool'],
    ['temperature over 1', { inferenceConfig: { temperature: 1.1 } }, 'between 0 and 1'],
    [
      'a document name with dots',
      { messages: [user({ document: { name: 'a.pdf', format: 'pdf', source: { bytes: 'AAAA' } } })] },
      'file name can only contain',
    ],
    [
      'a duplicate tool choice',
      {
        toolConfig: { ...toolConfig, toolChoice: { tool: { name: 'one' } } },
        additionalModelRequestFields: { tool_choice: { type: 'tool', name: 'one', disable_parallel_tool_use: true } },
      },
      'The additional field tool_choice/type conflicts with the existing field toolConfig.toolChoice.tool.',
    ],
    [
      'a tool choice without type',
      { toolConfig, additionalModelRequestFields: { tool_choice: { disable_parallel_tool_use: true } } },
      'tool_choice.type: Field required',
    ],
    [
      'thinking with a forced tool',
      {
        toolConfig: { ...toolConfig, toolChoice: { any: {} } },
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
      },
      'The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [
      'a schema that Claude does not support',
      {
        outputConfig: {
          textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(schema) } } },
        },
      },
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ],
    [
      'an id used twice',
      turn(assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))),
      'ids must be unique',
    ],
  ])('%s', async (_, members, message) => {
    const { status, headers, text: body } = await post(members);
    expect([status, JSON.parse(body)]).toEqual([400, { message: expect.stringContaining(message) }]);
    expect(headers['x-amzn-errortype']).toMatch(/^ValidationException:http/);
  });

  test('a prefilled answer on Claude from 4.6 on', async () => {
    const begun = { messages: [user(text('x')), assistant(text('y'))] };
    const answers = [claude, 'us.anthropic.claude-opus-4-6-v1', 'amazon.nova-lite-v1:0'].map((model) =>
      post(begun, { model }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 400, 200]);
  });

  test('a wrong key, no key, and a model that needs an inference profile', async () => {
    const wrong = await post({}, { headers: { authorization: 'Bearer nobody' } });
    expect([wrong.status, wrong.headers['x-amzn-errortype']]).toEqual([403, expect.stringMatching(/^AccessDenied/)]);
    const profile = await post({}, { model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' });
    expect([profile.status, profile.text]).toEqual([
      400,
      expect.stringContaining('on-demand throughput isn’t supported'),
    ]);
  });
});

describe('signatures', () => {
  const hmac = (key: Buffer | string, words: string) => createHmac('sha256', key).update(words).digest();
  const sha256 = (words: string) => hash('sha256', words, 'hex');

  /** An independent implementation of the signing algorithm for this request. */
  function signedHeaders({
    secret = awsCredentials.secretAccessKey,
    service = 'bedrock',
    accessKeyId = 'AKIDEXAMPLE',
  } = {}) {
    const { host } = new URL(simulator.url);
    const time = '20261121T120000Z';
    const scope = `20261121/us-east-1/${service}/aws4_request`;
    const path = `/bedrock/model/${encodeURIComponent(encodeURIComponent(claude))}/converse`;
    const canonical = [
      'POST',
      path,
      '',
      `host:${host}`,
      `x-amz-date:${time}`,
      '',
      'host;x-amz-date',
      sha256(JSON.stringify(hello)),
    ];
    const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n');
    const key = ['us-east-1', service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, '20261121'));
    const signature = hmac(key, toSign).toString('hex');
    return {
      'x-amz-date': time,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    };
  }

  test('accepts a valid signature', async () => {
    expect((await post({}, { headers: signedHeaders() })).status).toBe(200);
  });

  test.each<[string, Parameters<typeof signedHeaders>[0], string]>([
    ['of another secret', { secret: 'x' }, 'InvalidSignatureException'],
    ['for another service', { service: 's3' }, 'InvalidSignatureException'],
    ['of another account', { accessKeyId: 'AKIDOTHER' }, 'UnrecognizedClientException'],
  ])('refuses a signature %s', async (_, changes, type) => {
    const { status, headers } = await post({}, { headers: signedHeaders(changes) });
    expect([status, headers['x-amzn-errortype']]).toEqual([403, expect.stringContaining(type)]);
  });

  test('refuses a signature of unknown form', async () => {
    const { headers } = await post({}, { headers: { authorization: 'AWS4-HMAC-SHA256 nonsense' } });
    expect(headers['x-amzn-errortype']).toContain('IncompleteSignatureException');
  });
});

describe('faults', () => {
  const struck = (fault: string) => post({}, { method: 'converse-stream', headers: { 'x-sim-fault': fault } });

  test('sends an error in the middle as an exception frame', async () => {
    const frames = framesOf((await struck('error-mid-stream:3')).body);
    expect(frames.length).toBe(4);
    expect(frames[3]?.headers).toEqual({
      ':exception-type': 'modelStreamErrorException',
      ':content-type': 'application/json',
      ':message-type': 'exception',
    });
  });

  test('ignores line end and comment faults, and splits frames into bytes', async () => {
    const good = await post({}, { method: 'converse-stream' });
    expect((await struck('crlf, comments, byte-wise')).body).toEqual(good.body);
  });

  test('damages a frame and removes usage', async () => {
    const body = (await struck('malformed-line:2')).body;
    expect(() => framesOf(body)).toThrow();
    const types = framesOf((await struck('no-usage')).body).map(({ headers }) => headers[':event-type']);
    expect(types).not.toContain('metadata');
  });

  test('sends rate limits', async () => {
    const { status, headers } = await struck('status:429;retry-after=3');
    expect([status, headers['x-amzn-errortype'], headers['retry-after']]).toEqual([
      429,
      expect.stringContaining('ThrottlingException'),
      '3',
    ]);
  });
});
