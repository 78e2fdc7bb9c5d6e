import type { Guardrails, Principal } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, eventsIn, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';
import { askInLane, type DialectLane, documentsIn, laneWith, startLanes } from './testing/dialect-lanes.ts';

const vendors = {
  shared: { provider: 'sandbox-a', vendorModel: sharedModel, isNative: false },
  claude: { provider: 'anthropic', vendorModel: 'claude-opus-4-8', isNative: true },
  gpt: { provider: 'openai', vendorModel: 'gpt-6-luna', isNative: true },
  gemini: { provider: 'google', vendorModel: 'gemini-3-flash-preview', isNative: true },
};
const lane = laneWith(vendors);
const lanes: readonly DialectLane[] = [
  lane('messages', 'shared', 'plain'),
  lane('messages', 'shared', 'events'),
  lane('messages', 'claude', 'plain'),
  lane('messages', 'claude', 'events'),
  lane('responses', 'shared', 'plain'),
  lane('responses', 'shared', 'events'),
  lane('responses', 'gpt', 'plain'),
  lane('responses', 'gpt', 'events'),
  lane('generateContent', 'shared', 'plain'),
  lane('generateContent', 'shared', 'events'),
  lane('generateContent', 'shared', 'array'),
  lane('generateContent', 'gemini', 'plain'),
  lane('generateContent', 'gemini', 'events'),
  lane('generateContent', 'gemini', 'array'),
  lane('interact', 'shared', 'plain'),
  lane('interact', 'shared', 'events'),
  lane('interact', 'gemini', 'plain'),
  lane('interact', 'gemini', 'events'),
];
const streamed = lanes.filter(({ form }) => form !== 'plain');

const secret = 'ada@example.com';
const question = `Say ${secret}`;
const email = (part: 'answer' | 'request', action: 'block' | 'redact'): Guardrails => ({
  [part]: { detect: { email: action } },
});
const callerWith = (...guardrails: Guardrails[]): Principal => ({ accountId: 'account', keyId: 'key', guardrails });

let bench: ChatBench;
beforeAll(async () => {
  bench = await startLanes(vendors);
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let asks = 0;
const nextId = (): string => `req_${(asks += 1)}`;
/** The records of a request; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const received = () => bench.simulator.requests.map(({ body }) => body);
/** All texts of an answer, joined: a stream has them in pieces. */
const textOf = (asked: DialectLane, answer: { status: number; text: string }): string =>
  JSON.stringify(documentsIn(asked, answer), (name, value: unknown) => (name === 'usage' ? undefined : value))
    .match(/"(?:delta|text)":"((?:[^"\\]|\\.)*)"/g)
    ?.map((member) => Object.values(JSON.parse(`{${member}}`)).join(''))
    .join('') ?? '';

describe.each(lanes)('$name', (asked) => {
  test('a blocked request is refused in the form of the API, calls no provider and costs nothing', async () => {
    const requestId = nextId();
    const guardrails = email('request', 'block');
    const { status, text } = await askInLane(bench, asked, { question, guardrails, requestId });
    expect([status, text]).toEqual([400, expect.stringContaining("blocked by the rule 'email'")]);
    expect(text).not.toContain(secret);
    expect(received()).toEqual([]);
    await expect
      .poll(() => recordsOf(requestId))
      .toMatchObject([
        {
          cost: '0',
          endReason: 'refused',
          error: 'guardrail_blocked',
          guardrails: [{ rule: 'email', action: 'block', count: 1 }],
        },
      ]);
  });

  test('a redacted request goes on with placeholders, also where its bytes are passed on', async () => {
    const answer = await askInLane(bench, asked, { question, guardrails: email('request', 'redact') });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-tallyport-lane']).toBe(asked.isNative ? 'native' : undefined);
    expect(received()).toEqual([expect.stringContaining('Say [email]')]);
    expect(received().join()).not.toContain(secret);
  });

  test('a redacted answer has placeholders', async () => {
    const answer = await askInLane(bench, asked, { question, guardrails: email('answer', 'redact') });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(secret);
    expect(textOf(asked, answer)).toContain('You said: "Say [email]"');
    expect(answer.headers['x-tallyport-lane']).toBeUndefined();
    expect(received()).toEqual([expect.stringContaining(question)]);
  });
});

test.each(streamed)(
  '$name: a blocked answer ends with an error of the API, and its usage is recorded',
  async (asked) => {
    const requestId = nextId();
    const guardrails = email('answer', 'block');
    const { status, text } = await askInLane(bench, asked, { question, guardrails, requestId });
    expect(status).toBe(200);
    expect(text).toContain("The answer was blocked by the rule 'email'");
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/message_stop|response\.completed|interaction\.completed|"finishReason":"STOP"/);
    await expect.poll(() => recordsOf(requestId)).toMatchObject([{ attempts: [{ provider: asked.provider }] }]);
    expect(recordsOf(requestId)[0]).toMatchObject({ endReason: 'error', error: 'guardrail_blocked' });
    expect(recordsOf(requestId)[0]?.tokens.input).toBeGreaterThan(0);
    expect(recordsOf(requestId)[0]?.guardrails).toEqual([{ rule: 'email', action: 'block', count: 1 }]);
  },
);

test.each(lanes.filter(({ form }) => form === 'plain'))('$name: a blocked answer is an error', async (asked) => {
  const requestId = nextId();
  const guardrails = email('answer', 'block');
  const { status, text } = await askInLane(bench, asked, { question, guardrails, requestId });
  expect([status, text]).toEqual([400, expect.stringContaining("The answer was blocked by the rule 'email'")]);
  await expect.poll(() => recordsOf(requestId)).toMatchObject([{ attempts: [{ provider: asked.provider }] }]);
  expect(recordsOf(requestId)[0]).toMatchObject({ endReason: 'error', error: 'guardrail_blocked' });
  expect(recordsOf(requestId)[0]?.guardrails).toEqual([{ rule: 'email', action: 'block', count: 1 }]);
});

test.each(lanes)('$name: the record has what was found in the request and in its answer', async (asked) => {
  const requestId = nextId();
  const patterns = [{ name: 'say', pattern: 'Say', action: 'redact' as const }];
  const guardrails: Guardrails = { request: { patterns }, answer: { detect: { email: 'redact' } } };
  await askInLane(bench, asked, { question, guardrails, requestId });
  await expect
    .poll(() => recordsOf(requestId).map(({ guardrails: found }) => found))
    .toEqual([
      [
        { rule: 'say', action: 'redact', count: 1 },
        { rule: 'email', action: 'redact', count: 1 },
      ],
    ]);
});

test('the record of a caller without rules has no findings', async () => {
  const requestId = nextId();
  await bench.ask({ model: 'shared', messages: [{ role: 'user', content: 'Hi' }] }, { requestId });
  await bench.ask(
    { model: 'shared', messages: [{ role: 'user', content: 'Hi' }] },
    { requestId, principal: { accountId: 'account', keyId: 'key' } },
  );
  await expect.poll(() => recordsOf(requestId)).toHaveLength(1);
  expect(recordsOf(requestId)[0]).not.toHaveProperty('guardrails');
});

test('a request that could only be passed on is refused where answers are inspected', async () => {
  const body = {
    model: 'claude',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  };
  const ask = (principal: Principal) => bench.inApi('messages', body, { principal });
  expect((await ask(callerWith(email('request', 'redact')))).status).toBe(200);
  expect((await ask(callerWith(email('answer', 'redact')))).error).toMatchObject({ status: 400 });
});

describe('chat completions', () => {
  const chat = (changes: object = {}) => ({
    model: 'shared',
    messages: [{ role: 'user', content: question }],
    ...changes,
  });
  const sentTexts = (text: string): string =>
    eventsIn(text)
      .filter((event) => event.startsWith('{'))
      .map((event) => JSON.parse(event).choices?.[0]?.delta?.content ?? '')
      .join('');

  test('are redacted, streamed or not, and the end of a stream stays whole', async () => {
    const principal = callerWith(email('answer', 'redact'));
    const plain = await bench.ask(chat(), { principal });
    const stream = await bench.ask(chat({ stream: true, stream_options: { include_usage: true } }), { principal });
    const { content } = JSON.parse(plain.text).choices[0].message;
    expect(content).toContain('You said: "Say [email]"');
    expect(sentTexts(stream.text)).toBe(content);
    const events = eventsIn(stream.text);
    expect(events.at(-1)).toBe('[DONE]');
    const [finish, usage] = events.slice(-3, -1).map((event) => JSON.parse(event));
    expect(finish.choices[0].finish_reason).toBe('stop');
    expect(finish.metadata.used_provider).toBe('sandbox-a');
    expect(usage.usage).toEqual(JSON.parse(plain.text).usage);
  });

  test('the error of a blocked stream is its last event', async () => {
    const { text } = await bench.ask(chat({ stream: true }), { principal: callerWith(email('answer', 'block')) });
    expect(JSON.parse(eventsIn(text).at(-1) ?? '')).toMatchObject({ error: { code: 'guardrail_blocked' } });
    expect(text).not.toContain(secret.slice(0, 4));
  });

  test('arguments of tools are redacted and remain JSON', async () => {
    const tools = [{ type: 'function', function: { name: 'send', parameters: { type: 'object' } } }];
    const messages = [{ role: 'user', content: `[call:send;to=${secret};card=4111111111111111]` }];
    const principal = callerWith({ answer: { detect: { email: 'redact', card: 'redact' } } });
    const plain = await bench.ask(chat({ tools, messages }), { principal });
    const stream = await bench.ask(chat({ tools, messages, stream: true }), { principal });
    const called = JSON.parse(plain.text).choices[0].message.tool_calls[0].function.arguments;
    const pieces = eventsIn(stream.text)
      .filter((event) => event.startsWith('{'))
      .flatMap((event) => JSON.parse(event).choices[0]?.delta.tool_calls ?? []);
    const streamedCall = pieces.map((piece) => piece.function?.arguments ?? '').join('');
    expect(JSON.parse(called)).toMatchObject({ to: '[email]' });
    expect(JSON.parse(streamedCall)).toEqual(JSON.parse(called));
    expect(called).not.toContain('4111');
  });

  test('both policies of a caller apply', async () => {
    const patterns = [{ name: 'falcon', pattern: '(?i)falcon', action: 'block' as const }];
    const ask = (content: string) =>
      bench.ask(chat({ messages: [{ role: 'user', content }] }), {
        principal: callerWith(email('request', 'redact'), { request: { patterns, detect: {} } }),
      });
    expect((await ask('Project Falcon')).error).toMatchObject({ code: 'guardrail_blocked' });
    expect((await ask(question)).status).toBe(200);
    expect(received()).toEqual([expect.stringContaining('[email]')]);
  });

  test('of two members with the same name, the vendor gets the one that was inspected', async () => {
    const messages = (text: string) => `"messages":[{"role":"user","content":"${text}"}]`;
    const body = Buffer.from(`{"model":"shared",${messages('Say bob@example.com')},${messages(question)}}`);
    await bench.ask(body, { principal: callerWith(email('request', 'redact')) });
    expect(received().join()).not.toMatch(/example\.com/);
  });

  test('a body that is not JSON gets the usual error', async () => {
    const answer = await bench.ask(Buffer.from('{'), { principal: callerWith(email('request', 'block')) });
    expect(answer.error).toMatchObject({ code: 'invalid_json' });
  });

  test('findings are counted by rule, and patterns under one name', async () => {
    const patterns = [{ name: 'say', pattern: 'Say', action: 'redact' as const }];
    const guardrails: Guardrails = { request: { patterns, detect: { email: 'redact' } }, answer: { patterns } };
    const counted = async (labels: string): Promise<number> => {
      const lines = (await bench.metrics()).split('\n');
      const line = lines.find((each) => each.startsWith(`gateway_guardrail_findings_total{${labels}}`));
      return Number(line?.split(' ')[1] ?? 0);
    };
    const counts = async () => [
      await counted('part="request",rule="pattern",action="redact"'),
      await counted('part="request",rule="email",action="redact"'),
      await counted('part="request",rule="email",action="block"'),
    ];
    const [ofPattern = 0, redacted = 0, blocked = 0] = await counts();
    await bench.ask(chat(), { principal: callerWith(guardrails) });
    await bench.ask(chat(), { principal: callerWith(email('request', 'block')) });
    expect(await counts()).toEqual([ofPattern + 1, redacted + 1, blocked + 1]);
  });

  test('explain says what the rules would do, and sends nothing', async () => {
    const explained = async (principal: Principal) =>
      JSON.parse((await bench.explain(chat(), { principal })).text).guardrails;
    expect(await explained(callerWith(email('request', 'block')))).toEqual([
      { rule: 'email', action: 'block', count: 1 },
    ]);
    expect(await explained(callerWith(email('request', 'redact'), { request: { maxCharacters: 1000 } }))).toEqual([
      { rule: 'email', action: 'redact', count: 1 },
    ]);
    expect(await explained(callerWith())).toBeUndefined();
    expect(received()).toEqual([]);
  });

  test('explain names the lane that rules for answers leave', async () => {
    const body = { model: 'claude', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };
    const lanesOf = async (principal: Principal): Promise<string> => {
      const { text } = await bench.explain(body, { principal, query: 'path=/v1/messages' });
      return JSON.parse(text).candidates[0].lane;
    };
    expect(await lanesOf(callerWith(email('request', 'redact')))).toBe('native');
    expect(await lanesOf(callerWith(email('answer', 'redact')))).not.toBe('native');
  });
});

describe('other endpoints', () => {
  const modelOf = (id: string, output: string) =>
    sharedModelEntry({
      id,
      aliases: [],
      outputModalities: [output],
      offers: sandboxProviders.map(({ id: provider }) => offerOf(provider, { modelName: id })),
    });
  let calls: ChatBench;
  beforeAll(async () => {
    calls = await startChatBench({
      environment: { CACHE_TTL_SECONDS: '60' },
      catalogue: {
        version: '1',
        models: [
          sharedModelEntry(),
          modelOf('sandbox-embedding', 'embeddings'),
          modelOf('sandbox-moderation', 'moderations'),
          modelOf('sandbox-speech', 'speech'),
        ],
      },
    });
  });
  afterAll(() => calls.close());

  test.each([
    ['embed', { model: 'sandbox-embedding', input: question }],
    ['moderate', { model: 'sandbox-moderation', input: question }],
    ['speak', { model: 'sandbox-speech', input: question, voice: 'alloy' }],
  ] as const)('%s', async (operation, body) => {
    const ask = (principal: Principal) => calls[operation](body, { principal });
    expect((await ask(callerWith(email('request', 'block')))).error).toMatchObject({ code: 'guardrail_blocked' });
    expect(calls.simulator.requests).toEqual([]);
    expect((await ask(callerWith(email('request', 'redact')))).status).toBe(200);
    expect((await ask(callerWith(email('answer', 'block')))).status).toBe(200);
    expect(calls.simulator.requests[0]?.body).toContain('[email]');
    calls.simulator.reset();
  });

  test('callers with other rules for answers do not share cached answers', async () => {
    const chat = { model: sharedModel, messages: [{ role: 'user', content: question }] };
    const ask = async (...guardrails: Guardrails[]) => {
      const { headers, text } = await calls.ask(chat, { principal: callerWith(...guardrails) });
      return [headers['x-tallyport-cache'], text.includes(secret)];
    };
    expect(await ask()).toEqual(['MISS', true]);
    expect(await ask(email('answer', 'redact'))).toEqual(['MISS', false]);
    expect(await ask(email('answer', 'redact'))).toEqual(['HIT', false]);
    expect(await ask()).toEqual(['HIT', true]);
  });
});

test('the digits of a number in arguments of a tool stay where a request is inspected', async () => {
  const digits = '1234567890123456789';
  const call = `{"type":"function_call","id":"a","name":"f","arguments":{"id":${digits}}}`;
  const result = '{"type":"function_result","call_id":"a","name":"f","result":"ada@example.com"}';
  const asked = '{"type":"user_input","content":[{"type":"text","text":"Hi"}]}';
  const body = `{"model":"gemini","store":false,"input":[${asked},${call},${result},${asked}]}`;
  const principal = callerWith(email('request', 'redact'));
  expect((await bench.inApi('interact', Buffer.from(body), { principal })).status).toBe(200);
  expect(received()).toEqual([expect.stringContaining(`"arguments":{"id":${digits}}`)]);
  expect(received()[0]).toContain('"result":"[email]"');
});
