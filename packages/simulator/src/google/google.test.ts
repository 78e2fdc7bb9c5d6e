import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { name: string; args: object };
}

const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const text = (words: string) => ({ text: words });
const hello = { contents: [user(text('Hello'))] };
const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const tools = [{ functionDeclarations: ['one', 'two'].map((name) => ({ name, parametersJsonSchema: schema })) }];

interface Asked {
  name?: string;
  method?: string;
  headers?: Record<string, string>;
}

const post = (members: object, { name = 'gemini-3-pro', method = 'generateContent', headers = {} }: Asked = {}) =>
  ask({
    url: `${simulator.url}/google/v1beta/models/${name}:${method}`,
    body: { ...hello, ...members },
    headers: { 'x-goog-api-key': 'sim-key', ...headers },
  });

const sse = { method: 'streamGenerateContent?alt=sse' };

async function whole(members: object, asked?: Asked) {
  return JSON.parse((await post(members, asked)).text);
}

interface Answer {
  candidates: { content: { parts?: Part[] }; finishReason?: string }[];
  usageMetadata: object;
  responseId: string;
}

/** Folds the answers of a stream. */
function folded(answers: readonly Answer[]) {
  const parts: Part[] = [];
  for (const part of answers.flatMap(({ candidates }) => candidates[0]?.content.parts ?? [])) {
    const last = parts.at(-1);
    if (part.text === '') continue;
    if (last?.text !== undefined && part.text !== undefined && last.thought === part.thought)
      Object.assign(last, { ...part, text: last.text + part.text });
    else parts.push({ ...part });
  }
  const last = answers.at(-1);
  return { ...last, candidates: [{ ...last?.candidates[0], content: { role: 'model', parts } }], responseId: 'same' };
}

const events = (body: string): Answer[] => dataOf(body).map((data) => JSON.parse(data));

describe('answers', () => {
  test('have all members of the format', async () => {
    const answer = await whole({});
    expect(answer).toEqual({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: [{ text: expect.stringContaining('simulated answer from google') }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 2,
        candidatesTokenCount: expect.any(Number),
        totalTokenCount: 2 + answer.usageMetadata.candidatesTokenCount,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 2 }],
      },
      modelVersion: 'gemini-3-pro',
      responseId: expect.stringMatching(/^sim/),
    });
  });

  const thoughts = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
  const asking = (words: string) => ({ contents: [user(text(words))] });

  test.each([
    ['text', {}],
    ['thoughts', thoughts],
    ['tools in parallel', { tools, ...asking('in parallel') }],
    ['text and a call', { tools, ...thoughts, ...asking('[text-and-call]') }],
    ['a call without arguments', { tools, ...asking('[no-arguments]') }],
    ['an image', asking('[image]')],
    ['citations', asking('[citations]')],
    ['a cut', asking('[length]')],
    ['cached tokens', asking('[cached] and some more words to count')],
    ['a schema', { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }],
  ])('fold to the same from events and from an array: %s', async (_, members) => {
    const expected = { ...(await whole(members)), responseId: 'same' };
    expect(folded(events((await post(members, sse)).text))).toEqual(expected);
    expect(folded(await whole(members, { method: 'streamGenerateContent' }))).toEqual(expected);
  });

  test('have no parts if refused', async () => {
    const [candidate] = (await whole(asking('[refusal]'))).candidates;
    expect(candidate).toMatchObject({ content: { parts: [] }, finishReason: 'SAFETY' });
    expect(events((await post(asking('[refusal]'), sse)).text).at(-1)?.candidates[0]).toMatchObject({
      content: {},
      finishReason: 'SAFETY',
    });
  });

  test('accept snake case in requests', async () => {
    const answer = await whole({ generation_config: { max_output_tokens: 3 } });
    expect(answer.candidates[0]).toMatchObject({
      content: { parts: [{ text: 'This is a si' }] },
      finishReason: 'MAX_TOKENS',
    });
  });
});

describe('thought signatures', () => {
  const response = (name: string) => ({ functionResponse: { name, response: { result: 'forty-two' } } });
  const asked = user(text('in parallel'));

  test('are on the first of parallel calls and must be sent back', async () => {
    const parts: Part[] = (await whole({ tools, contents: [asked] })).candidates[0].content.parts;
    expect(parts.map(({ thoughtSignature }) => typeof thoughtSignature)).toEqual(['string', 'undefined']);
    const answered = (...calls: object[]) => [asked, model(...calls), user(response('one'), response('two'))];
    const good = await whole({ tools, contents: answered(...parts) });
    expect(good.candidates[0].content.parts[0].text).toContain('forty-two | forty-two');
    const bare = parts.map(({ functionCall }) => ({ functionCall }));
    const missing = await whole({ tools, contents: answered(...bare) });
    expect(missing.error).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining('missing a thought_signature in functionCall parts'),
    });
    expect(missing.error.message).toContain('`default_api:one` , position 2.');
    const skipped = [{ ...bare[0], thoughtSignature: 'skip_thought_signature_validator' }, bare[1] ?? {}];
    expect(await whole({ tools, contents: answered(...skipped) })).toHaveProperty('candidates');
    const forged = [{ ...bare[0], thoughtSignature: 'AAAA' }, bare[1] ?? {}];
    expect((await whole({ tools, contents: answered(...forged) })).error.message).toBe('Corrupted thought signature.');
    const older = [...answered(...bare), model(text('42')), user(text('Thanks [text]'))];
    expect(await whole({ tools, contents: older })).toHaveProperty('candidates');
    expect(await whole({ tools, contents: answered(...bare) }, { name: 'gemini-2.5-flash' })).toHaveProperty(
      'candidates',
    );
  });
});

describe('refuses', () => {
  const declare = (parameters: object) => ({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] });
  const call = { functionCall: { name: 'one', args: {} } };

  test.each<[string, object, string]>([
    ['unknown members', { messages: [] }, 'Unknown name "messages"'],
    ['unknown settings', { generationConfig: { n: 1 } }, `Unknown name "n" at 'generation_config'`],
    ['no contents', { contents: [] }, 'contents is not specified'],
    ['other roles', { contents: [{ role: 'assistant', parts: [text('x')] }] }, 'Please use a valid role'],
    ['no parts', { contents: [user()] }, 'must not be empty'],
    ['an empty part', { contents: [user({ thought: true })] }, "required oneof field 'data'"],
    [
      'a remote image',
      { contents: [user({ fileData: { fileUri: 'https://example.com/a.png' } })] },
      'Cannot fetch content',
    ],
    [
      'a call without its response',
      { contents: [user(text('x')), model(call), user(text('y'))] },
      'equal to the number of function call parts',
    ],
    [
      'a response without its call',
      { contents: [user({ functionResponse: { name: 'f', response: {} } })] },
      'immediately after a function call turn',
    ],
    [
      'a response that is a string',
      { contents: [user({ functionResponse: { name: 'f', response: 'x' } })] },
      'function_response.response',
    ],
    [
      'JSON Schema in the member for the subset',
      declare({ type: 'object', additionalProperties: false }),
      'Unknown name "additionalProperties"',
    ],
    ['an object without properties', declare({ type: 'object', properties: {} }), 'should be non-empty'],
    ['a list of types', declare({ type: ['string', 'null'] }), 'cannot start list'],
    [
      'a schema without JSON',
      { generationConfig: { responseJsonSchema: schema } },
      'response mime type application/json',
    ],
    ['six stops', { generationConfig: { stopSequences: ['1', '2', '3', '4', '5', '6'] } }, 'at most 5'],
    ['temperature over 2', { generationConfig: { temperature: 2.1 } }, 'supported range'],
    [
      'a level of other models',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'MEDIUM' } } },
      'not supported for this model',
    ],
    [
      'budget and level',
      { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
      'only one',
    ],
    [
      'names without ANY',
      { tools, toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['one'] } } },
      'mode is ANY',
    ],
  ])('%s', async (_, members, message) => {
    const { status, text: body } = await post(members);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) } },
    ]);
  });

  const json = { responseMimeType: 'application/json' };
  const medium = { generationConfig: { thinkingConfig: { thinkingLevel: 'MEDIUM' } } };

  test.each<[string, string, object, string]>([
    ['a penalty', 'gemini-3-pro', { generationConfig: { presencePenalty: 0.5 } }, 'Penalty is not enabled'],
    ['no penalty', 'gemini-3-pro', { generationConfig: { presencePenalty: 0 } }, 'candidates'],
    ['a penalty', 'gemini-2.0-flash', { generationConfig: { frequencyPenalty: 0.5 } }, 'candidates'],
    ...['gemini-3.1-pro-preview', 'gemini-4-argon', 'gemini-flash-latest'].map(
      (model): [string, string, object, string] => ['a level', model, medium, 'candidates'],
    ),
    ...['gemini-2.5-flash', 'gemini-3-pro', 'gemma-4-31b-it'].map((model): [string, string, object, string] => [
      'a level',
      model,
      medium,
      'MEDIUM is not supported',
    ]),
    ['tools and JSON', 'gemini-2.5-flash', { tools, generationConfig: json }, 'Function calling with a response mime'],
    ['tools and JSON', 'gemini-3-pro', { tools, generationConfig: json }, 'candidates'],
    ['tools and a search', 'gemini-2.5-pro', { tools: [...tools, { googleSearch: {} }] }, 'Tool use with function'],
  ])('%s at %s', async (_, name, members, words) => {
    expect((await post(members, { name })).text).toContain(words);
  });

  test('answers a wrong key with 400 and an unknown model with 404', async () => {
    const wrong = await post({}, { headers: { 'x-goog-api-key': 'nobody' } });
    expect([wrong.status, JSON.parse(wrong.text).error]).toMatchObject([
      400,
      { details: [{ reason: 'API_KEY_INVALID' }] },
    ]);
    expect((await post({}, { name: 'gpt-4o' })).status).toBe(404);
    const array = await post({ contents: [] }, { method: 'streamGenerateContent' });
    expect(JSON.parse(array.text)).toMatchObject([{ error: { code: 400 } }]);
  });
});

describe('faults', () => {
  const struck = (fault: string, asked: Asked = sse) => post({}, { ...asked, headers: { 'x-sim-fault': fault } });

  test('sends RetryInfo with a rate limit', async () => {
    const { error } = JSON.parse((await struck('status:429;retry-after=34')).text);
    expect(error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', details: [{}, { retryDelay: '34s' }] });
  });

  test('sends an error in the middle as an event or at the end of the array', async () => {
    const error = { error: { code: 503, status: 'UNAVAILABLE', message: expect.any(String) } };
    expect(events((await struck('error-mid-stream:2')).text)).toEqual([expect.anything(), expect.anything(), error]);
    const array = await struck('error-mid-stream:2', { method: 'streamGenerateContent' });
    expect(JSON.parse(array.text)).toEqual([expect.anything(), expect.anything(), error]);
  });

  test('keeps one CRLF per event, and the answer unchanged with comments and single bytes', async () => {
    const good = await post({}, sse);
    expect((await struck('crlf')).text).toBe(good.text);
    expect(good.text).toMatch(/^data: .*\r\n\r\ndata: /);
    expect(events((await struck('comments, byte-wise')).text)).toEqual(events(good.text));
    expect((await struck('no-usage')).text).not.toContain('usageMetadata');
  });
});

describe('vertex', () => {
  const url = (path: string) => `${simulator.url}/vertex/${path}`;
  const generate = (authorization: string) =>
    ask({
      url: url('v1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent'),
      body: hello,
      headers: { authorization },
    });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'robot@project.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.googleapis.com/token',
    iat: nowSeconds,
    exp: nowSeconds + 3600,
  };

  async function token(changes: object, header: object = { alg: 'RS256', typ: 'JWT' }) {
    const assertion = [encode(header), encode({ ...claims, ...changes }), 'A'.repeat(342)].join('.');
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return JSON.parse((await ask({ url: url('token'), body: body.toString(), headers })).text);
  }

  test('exchanges a service account’s assertion for a valid token', async () => {
    const granted = await token({});
    expect(granted).toEqual({ access_token: expect.any(String), expires_in: 3599, token_type: 'Bearer' });
    const good = await generate(`Bearer ${granted.access_token}`);
    expect(JSON.parse(good.text).candidates[0].content.parts[0].text).toContain('answer from google-vertex');
    expect((await generate('Bearer nobody')).status).toBe(401);
  });

  test.each([
    ['another algorithm', {}, { alg: 'HS256' }],
    ['no issuer', { iss: undefined }, undefined],
    ['another scope', { scope: 'email' }, undefined],
    ['a long lifetime', { exp: nowSeconds + 3601 }, undefined],
    ['an old assertion', { iat: nowSeconds - 4000, exp: nowSeconds - 400 }, undefined],
  ])('refuses an assertion with %s', async (_, changes, header) => {
    expect(await token(changes, header)).toEqual({ error: 'invalid_grant', error_description: expect.any(String) });
  });
});
