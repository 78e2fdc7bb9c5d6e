// Pause: a stream that never ends has begun.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, eventsIn, startChatBench } from './testing/chat-bench.ts';
import { patient } from '../../../tests/support/patience.ts';

let bench: ChatBench;
let first: string;
let second: string;

beforeAll(async () => {
  bench = await startChatBench();
  [first = '', second = ''] = bench.providers;
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...changes,
});
const breakFirst = (fault: string) => bench.simulator.faults.set({ provider: first, fault });
const jsonEvents = (text: string) =>
  eventsIn(text)
    .filter((event) => event.startsWith('{'))
    .map((event) => JSON.parse(event));

const attempt = (provider: string, changes: object = {}) => ({
  provider,
  model: 'sandbox-chat',
  status_code: 200,
  error_type: 'none',
  succeeded: true,
  duration_ms: expect.any(Number),
  ...changes,
});
const metadata = (changes: object = {}) => ({
  request_id: 'req_test',
  requested_model: 'sandbox-chat',
  requested_provider: null,
  used_model: 'sandbox-chat',
  used_provider: first,
  cached: false,
  routing: [attempt(first)],
  // Their order depends on what was measured before.
  not_tried: expect.arrayContaining(
    bench.providers.slice(1).map((provider) => ({ provider, model: 'sandbox-chat', reason: 'score' })),
  ),
  ...changes,
});

describe('a whole answer', () => {
  test('has all members', async () => {
    const { status, headers, text } = await bench.ask(chat());
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: `${first}/sandbox-chat`,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringContaining('Hello there'), refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: expect.objectContaining({ prompt_tokens: 3, total_tokens: expect.any(Number) }),
      service_tier: 'default',
      system_fingerprint: 'fp_simulated',
      metadata: metadata(),
    });
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'x-tallyport-provider': first,
      'x-tallyport-model': `${first}/sandbox-chat`,
      'x-tallyport-attempts': '1',
      'x-tallyport-cache': 'BYPASS',
      'content-length': String(Buffer.byteLength(text)),
      'server-timing': expect.stringMatching(/^plan;dur=[\d.]+, upstream;dur=[\d.]+$/),
    });
  });

  test('reports its routing', async () => {
    breakFirst('status:503');
    const { headers, text } = await bench.ask(chat());
    expect(headers).toMatchObject({ 'x-tallyport-provider': second, 'x-tallyport-attempts': '2' });
    expect(JSON.parse(text).metadata.routing).toEqual([
      attempt(first, { status_code: 503, error_type: 'provider_overloaded', succeeded: false }),
      attempt(second),
    ]);
  });

  test('says in words that another provider failed before', async () => {
    const failover = async () => JSON.parse((await bench.ask(chat())).text).metadata.failover;
    expect(await failover()).toBeUndefined();
    breakFirst('status:503');
    expect(await failover()).toBe(`answered by ${second} after ${first} failed`);
    bench.simulator.faults.set({ provider: second, fault: 'status:503' });
    const [, , third] = bench.providers;
    expect(await failover()).toBe(`answered by ${third} after ${first} and ${second} failed`);
  });

  test('with a megabyte of text keeps every byte and its length', async () => {
    const bytes = 1_000_000;
    breakFirst(`oversized-line:${bytes}`);
    const { headers, text } = await bench.ask(chat());
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    const answer = JSON.parse(text);
    const long = Object.values(answer).filter((member) => typeof member === 'string' && member.length === bytes);
    expect(long).toHaveLength(1);
    expect(answer).toMatchObject({ model: `${first}/sandbox-chat`, metadata: metadata() });
  });

  test('a prefix pins the provider', async () => {
    const { text } = await bench.ask(chat({ model: `${second}/sandbox-chat` }));
    expect(JSON.parse(text).metadata).toMatchObject({
      requested_model: `${second}/sandbox-chat`,
      requested_provider: second,
      used_provider: second,
    });
  });

  test('always has usage', async () => {
    breakFirst('no-usage');
    const { text } = await bench.ask(chat());
    expect(JSON.parse(text).usage).toEqual({
      prompt_tokens: 3,
      completion_tokens: expect.any(Number),
      total_tokens: expect.any(Number),
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });
});

describe('a stream', () => {
  test('starts with the role, has metadata on its finish chunk and ends with [DONE]', async () => {
    const { headers, text } = await bench.ask(chat({ stream: true }));
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-tallyport-provider': first,
    });
    expect(eventsIn(text).at(-1)).toBe('[DONE]');
    const chunks = jsonEvents(text);
    expect(chunks[0].choices[0].delta).toMatchObject({ role: 'assistant' });
    expect(chunks.slice(1).every(({ choices }) => choices[0].delta.role === undefined)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], metadata: metadata() });
    expect(chunks.slice(0, -1).some((chunk) => 'metadata' in chunk)).toBe(false);
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set([`${first}/sandbox-chat`]));
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  test('has the text of the whole answer', async () => {
    const whole = JSON.parse((await bench.ask(chat())).text);
    const chunks = jsonEvents((await bench.ask(chat({ stream: true }))).text);
    const text = chunks.map(({ choices }) => choices[0].delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0].message.content);
  });

  test.each(['none', 'no-usage'])('usage is sent if requested (%s)', async (fault) => {
    if (fault !== 'none') breakFirst(fault);
    const { text } = await bench.ask(chat({ stream: true, stream_options: { include_usage: true } }));
    const chunks = jsonEvents(text);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 3 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  test('usage is sent if requested in the format of another gateway', async () => {
    const { text } = await bench.ask(chat({ stream: true, usage: { include: true } }));
    expect(jsonEvents(text).at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 3 } });
  });

  test('reasoning is sent, unless the client excludes it', async () => {
    const messages = [{ role: 'user', content: '[reasoning]' }];
    const shown = async (reasoning: object, stream: boolean) =>
      (await bench.ask(chat({ stream, messages, reasoning }))).text.includes('"reasoning_content"');
    expect([await shown({}, true), await shown({}, false)]).toEqual([true, true]);
    expect([await shown({ exclude: true }, true), await shown({ exclude: true }, false)]).toEqual([false, false]);
  });

  const agent = { 'user-agent': 'speakeasy-sdk/typescript 1.3.19 2.900.0 1.0.0 @openrouter/sdk' };
  test.each([
    ['of OpenRouter', {}, agent, true],
    ['that uses its member', { reasoning: {} }, {}, true],
    ['of another kind', {}, {}, false],
  ])('a client %s gets reasoning by its name as well, plain and streamed', async (_what, members, headers, named) => {
    const messages = [{ role: 'user', content: '[reasoning]' }];
    const { message } = JSON.parse((await bench.ask(chat({ messages, ...members }), { headers })).text).choices[0];
    expect(message.reasoning_content).toContain('');
    expect(message.reasoning).toBe(named ? message.reasoning_content : undefined);
    const streamed = await bench.ask(chat({ messages, stream: true, ...members }), { headers });
    const deltas = jsonEvents(streamed.text).flatMap(({ choices }) => (choices[0] ? [choices[0].delta] : []));
    const thoughts = deltas.filter((delta) => delta.reasoning_content !== undefined);
    expect(thoughts.length).toBeGreaterThan(0);
    for (const { reasoning, reasoning_content: text } of thoughts) expect(reasoning).toBe(named ? text : undefined);
  });

  test('a client of OpenRouter gets the usage of a stream without asking, unless it declines', async () => {
    const usages = async (members: object) =>
      jsonEvents((await bench.ask(chat({ stream: true, ...members }), { headers: agent })).text).map(
        ({ usage }) => usage,
      );
    const asked = await usages({});
    // OpenRouter's SDK refuses the `usage: null` of OpenAI's chunks.
    expect(new Set(asked.slice(0, -1))).toEqual(new Set([undefined]));
    expect(asked.at(-1)).toMatchObject({ prompt_tokens: 3 });
    expect(new Set(await usages({ stream_options: { include_usage: false } }))).toEqual(new Set([undefined]));
  });

  test('tool calls arrive whole', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
    const chunks = jsonEvents((await bench.ask(chat({ stream: true, tools }))).text);
    const deltas = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
    expect(deltas[0].function.name).toBe('weather');
    expect(() => JSON.parse(deltas.map((delta) => delta.function.arguments ?? '').join(''))).not.toThrow();
  });
});

describe('a stream whose first content is late', () => {
  let impatient: ChatBench;
  beforeAll(async () => {
    impatient = await startChatBench({ environment: { CHAT_HEAD_AFTER_MS: '10', CHAT_KEEP_ALIVE_MS: '10' } });
  });
  afterEach(() => impatient.simulator.reset());
  afterAll(() => impatient.close());

  test('is opened anyway and kept alive with comments', async () => {
    impatient.simulator.faults.set({ fault: 'hang' });
    const { head, body } = await impatient.open(chat({ stream: true }));
    expect([head.status, head.headers['x-tallyport-provider']]).toEqual([200, undefined]);
    for await (const bytes of body) {
      expect(Buffer.from(bytes).toString()).toMatch(/^: keep-alive\n\n/);
      break;
    }
  });

  test('gets its answer when it arrives', async () => {
    impatient.simulator.faults.set({ fault: 'slow-first-byte:150' });
    const { status, headers, text } = await impatient.ask(chat({ stream: true }));
    expect([status, headers['x-tallyport-provider']]).toEqual([200, undefined]);
    expect(eventsIn(text).at(-1)).toBe('[DONE]');
    expect(jsonEvents(text).at(-1).metadata.used_provider).toBe(first);
  });

  test('can still fail over', async () => {
    impatient.simulator.faults.set({ provider: first, fault: 'status:500,slow-first-byte:100' });
    const { text } = await impatient.ask(chat({ stream: true }));
    expect(jsonEvents(text).at(-1).metadata.used_provider).toBe(second);
  });

  test('reports a failure of all providers as an error event', async () => {
    impatient.simulator.faults.set({ fault: 'status:500,slow-first-byte:40' });
    const { status, text } = await impatient.ask(chat({ stream: true }));
    expect(status).toBe(200);
    const events = eventsIn(text).filter((event) => !event.startsWith(':'));
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0] ?? '').error).toMatchObject({
      code: 'all_providers_failed',
      type: 'upstream_error',
      attempts: bench.providers.map((provider) => ({ provider, status: 500, kind: 'provider_server_error' })),
    });
  });
});

describe('a client that leaves', () => {
  test.each([
    ['a stream', true, 'endless'],
    ['an answer in one piece', false, 'hang'],
    ['a stream not begun', true, 'hang'],
  ])('%s: the upstream is closed within 300 ms and nothing stays open', async (_name, stream, fault) => {
    breakFirst(fault);
    const leaving = new AbortController();
    const asking = bench.ask(chat({ stream }), { signal: leaving.signal });
    await bench.simulator.waitFor(({ requests }) => requests[0] !== undefined && requests[0].body !== '');
    if (fault === 'endless') await wait(20);
    const leftAt = Date.now();
    leaving.abort();
    expect((await asking).error?.code).toBe('client_closed_request');
    const [aborted] = await bench.simulator.waitFor(({ aborted: all }) => all.length === 1 && all);
    expect((aborted?.endedAt ?? 0) - leftAt).toBeLessThan(patient(3_000));
    await expect.poll(() => bench.metrics()).toContain('gateway_inflight_requests{service="chat"} 0');
  });

  test('frames that cannot be parsed are skipped and counted', async () => {
    breakFirst('malformed-line');
    expect((await bench.ask(chat({ stream: true }))).status).toBe(200);
    const skipped = `gateway_stream_frames_skipped_total{provider="${first}",model="sandbox-chat"} 1`;
    await expect.poll(() => bench.metrics()).toContain(skipped);
  });

  test('a client that stops reading slows the provider down', async () => {
    breakFirst('endless');
    const { body } = await bench.open(chat({ stream: true }));
    for await (const bytes of body) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    await bench.simulator.waitFor(({ aborted }) => aborted.length === 1);
  });
});

describe('refuses requests that cannot be tried', () => {
  const broken = (text: string) => Buffer.from(text, 'latin1');
  test.each<[string, unknown, object]>([
    ['no JSON', broken('{"model":'), { code: 'invalid_json', status: 400 }],
    ['nothing', broken(''), { code: 'invalid_json', message: 'The body must be JSON, but it is empty.' }],
    ['invalid UTF-8', broken('{"model":"\xff"}'), { code: 'invalid_json' }],
    [
      'two million values',
      broken(`{"model":"sandbox-chat","messages":[${'0,'.repeat(2_000_000)}0]}`),
      { code: 'request_too_large', status: 413, message: expect.stringContaining('more than 100000 JSON values') },
    ],
    ['no object', [], { code: 'invalid_parameters' }],
    ['no messages', { model: 'sandbox-chat' }, { code: 'invalid_parameters', param: 'messages' }],
    [
      'a wrong message',
      chat({
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: 5 },
        ],
      }),
      { code: 'invalid_parameters', param: 'messages[1].content' },
    ],
    ['a wrong type', chat({ temperature: 'hot' }), { code: 'invalid_parameters', param: 'temperature' }],
    [
      'an unknown model',
      chat({ model: 'sandbox-chap' }),
      { code: 'model_not_found', status: 404, message: "There is no model 'sandbox-chap'. Did you mean sandbox-chat?" },
    ],
    [
      'images for a text model',
      chat({
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }],
      }),
      { code: 'unsupported_capability', param: 'messages' },
    ],
  ])('%s', async (_name, body, expected) => {
    const { error } = await bench.ask(body);
    expect(error).toMatchObject(expected);
    expect(bench.simulator.requests).toEqual([]);
  });

  test.each([
    ['10,000 messages', chat({ messages: Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'x' })) })],
    ['deep nesting', broken(`{"model":"sandbox-chat","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
  ])('survives %s', async (_name, body) => {
    const { status } = await bench.ask(body);
    expect([200, 400]).toContain(status);
    expect((await bench.ask(chat())).status).toBe(200);
  });
});
