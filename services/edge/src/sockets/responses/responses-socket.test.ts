import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket, type SocketClient } from '../../testing/socket-client.ts';
import { answering, eventStream, openSocketEdge, type SocketEdge, textOf } from '../../testing/socket-edge.ts';

let edge: SocketEdge;
let clients: SocketClient[] = [];
beforeAll(async () => {
  edge = await openSocketEdge({ LIMIT_CHAT_PER_MINUTE: '0', LIMIT_MODELS_PER_MINUTE: '0' });
});
afterEach(() => {
  for (const { webSocket } of clients) webSocket.terminate();
  clients = [];
  edge.respond = answering();
});
afterAll(() => edge.stop());

async function connect(options: Parameters<typeof connectSocket>[2] = {}): Promise<SocketClient> {
  const client = await connectSocket(edge.base, '/v1/responses', { key: 'key', ...options });
  clients.push(client);
  return client;
}

const create = (input: string, members: object = {}) => ({ type: 'response.create', model: 'm', input, ...members });

describe('a request on a socket', () => {
  test('is served as POST /v1/responses with a stream, each with an id of its own', async () => {
    const seen: { head: RequestHead; body: string }[] = [];
    edge.respond = async ({ head, body }) => {
      seen.push({ head, body: Buffer.from(await body.bytes()).toString() });
      return eventStream({ type: 'response.completed', response: { id: 'resp_1' } });
    };
    const client = await connect({ headers: { 'idempotency-key': 'once', 'x-route-tier': 'gold', cookie: 'a=b' } });
    for (const input of ['One', 'Two']) {
      client.send(create(input, { stream: true, stream_id: 'lane', background: false, generate: true, store: false }));
      await client.next();
    }
    const [first, second] = seen;
    expect(seen.map(({ body }) => body)).toEqual(
      ['One', 'Two'].map((input) => `{"stream":true,"model":"m","input":"${input}","store":false}`),
    );
    expect(first?.head).toMatchObject({ principal: { accountId: 'acc' }, timeoutMs: 1_260_000 });
    expect(first?.head.headers).toEqual({ 'content-type': 'application/json', 'x-route-tier': 'gold' });
    expect(first?.head.requestId).toMatch(/^req_/);
    expect(second?.head.requestId).not.toBe(first?.head.requestId);
  });

  test('gets each event as one message, byte for byte', async () => {
    const events = [
      '{"type":"response.created", "n":1.0}',
      '{\n"type":"a"}',
      '{"type":"response.completed","é":"\\u00e9"}',
    ];
    const text = events.map(
      (event) =>
        `event: e\n${event
          .split('\n')
          .map((line) => `data: ${line}`)
          .join('\n')}\n\n`,
    );
    edge.respond = async () => ({ ...eventStream(), body: oneByOne(Buffer.from(`: silence\n\n${text.join('')}`)) });
    const client = await connect();
    const received: string[] = [];
    client.webSocket.on('message', (data) => received.push(data.toString()));
    client.send(create('Hello'));
    await client.until('response.completed');
    expect(received).toEqual(events);
  });

  test('has its lane in every event', async () => {
    const client = await connect();
    client.send(create('Hello', { stream_id: 'a "lane"' }));
    expect(await client.until('response.completed')).toEqual([
      { stream_id: 'a "lane"', type: 'response.created', response: { id: 'resp_1' } },
      { stream_id: 'a "lane"', type: 'response.completed', response: { id: 'resp_1', output: 'Hello' } },
    ]);
  });

  test('waits for those before it in its lane, and for no others', async () => {
    const { respond, answer, running } = heldAnswers();
    edge.respond = respond;
    const client = await connect();
    for (const [input, lane] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
      ['none1', undefined],
      ['none2', undefined],
    ]) {
      client.send(create(input ?? '', { stream_id: lane }));
    }
    await expect.poll(running).toEqual(['a1', 'b1', 'none1']);
    answer('a1');
    expect((await client.next()).response?.output).toBe('a1');
    await expect.poll(running).toEqual(['b1', 'none1', 'a2']);
    for (const input of ['none1', 'a2', 'b1']) answer(input);
    await expect.poll(running).toEqual(['none2']);
    answer('none2');
  });

  test('that a service refuses is an error event with the status and headers of HTTP, and the socket stays open', async () => {
    edge.respond = async () => {
      throw new GatewayError('rate_limit_exceeded', 'Too many tokens.', { retryAfterMs: 1_500 });
    };
    const client = await connect();
    client.send(create('Hello', { stream_id: 'a' }));
    expect(await client.next()).toEqual({
      type: 'error',
      stream_id: 'a',
      status: 429,
      error: {
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        message: 'Too many tokens.',
        param: null,
        headers: expect.objectContaining({ 'retry-after': '2', 'retry-after-ms': '1500' }),
      },
    });
    edge.respond = async () => ({
      head: { status: 402, headers: { 'content-type': 'application/json', 'x-should-retry': 'false' } },
      body: Buffer.from('{"error":{"code":"budget_exceeded","message":"Spent."}}'),
    });
    client.send(create('Hello'));
    expect(await client.next()).toEqual({
      type: 'error',
      status: 402,
      error: {
        code: 'budget_exceeded',
        message: 'Spent.',
        headers: { 'x-should-retry': 'false', 'x-request-id': expect.stringMatching(/^req_/) },
      },
    });
    edge.respond = answering();
    client.send(create('Hello'));
    expect(await client.until('response.completed')).toHaveLength(2);
  });

  test('whose service is lost in the middle gets an error event, and the next one is served', async () => {
    edge.respond = async () => ({
      ...eventStream(),
      body: lostAfter(textOf({ type: 'response.created', response: {} })),
    });
    const client = await connect();
    client.send(create('Hello'));
    expect(await client.until('error')).toMatchObject([
      { type: 'response.created' },
      { status: 503, error: { code: 'unavailable' } },
    ]);
    edge.respond = answering();
    client.send(create('Hello'));
    expect(await client.until('response.completed')).toHaveLength(2);
  });

  test('ends when its client leaves, and those that wait are not begun', async () => {
    const ended: string[] = [];
    let begun = 0;
    edge.respond = ({ signal }) => {
      begun += 1;
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          ended.push('aborted');
          reject(new Error('aborted'));
        }),
      );
    };
    const client = await connect();
    client.send(create('One'));
    client.send(create('Two'));
    await expect.poll(() => begun).toBe(1);
    client.webSocket.terminate();
    await expect.poll(() => edge.metric('gateway_inflight_requests{service="edge"}')).toBe(0);
    await expect.poll(() => ended).toEqual(['aborted']);
    expect(begun).toBe(1);
    await expect.poll(() => edge.metric('gateway_inflight_bytes{service="edge"}')).toBe(0);
  });
});

describe('a message that cannot be served', () => {
  const wrong: [string, string | Buffer, object][] = [
    ['no JSON', 'hello', { status: 400, error: { code: 'invalid_json' } }],
    ['a list', '[{"type":"response.create"}]', { status: 400, error: { code: 'invalid_json' } }],
    ['a broken name', '{"\\u00zz":1}', { status: 400, error: { code: 'invalid_json' } }],
    ['nothing', '', { status: 400, error: { code: 'invalid_json' } }],
    ['an empty object', '{}', { status: 400, error: { code: 'invalid_parameters', param: 'type' } }],
    [
      'an unknown type',
      '{"type":"response.cancel"}',
      { status: 400, error: { code: 'invalid_parameters', param: 'type' } },
    ],
    ['a type that is no text', '{"type":7}', { status: 400, error: { code: 'invalid_parameters', param: 'type' } }],
    [
      'too many members',
      `{"type":"response.create"${',"a":1'.repeat(1_000)}}`,
      { status: 400, error: { code: 'invalid_parameters' } },
    ],
    ['space', ' '.repeat(100_000), { status: 400, error: { code: 'invalid_json' } }],
    ['binary data', Buffer.from('{"type":"response.create"}'), { status: 400, error: { code: 'invalid_json' } }],
    [
      'a lane that is too long',
      JSON.stringify({ type: 'response.create', stream_id: 'x'.repeat(257) }),
      { error: { param: 'stream_id' } },
    ],
    ['a lane without a name', '{"type":"response.create","stream_id":""}', { error: { param: 'stream_id' } }],
    [
      'no stream',
      '{"type":"response.create","stream_id":"a","stream":false}',
      { stream_id: 'a', error: { code: 'unsupported_parameter', param: 'stream' } },
    ],
    [
      'a background response',
      '{"type":"response.create","background":true}',
      { error: { code: 'unsupported_parameter', param: 'background' } },
    ],
    [
      'a steer without a response',
      '{"type":"response.steer","input":"x"}',
      { error: { param: 'previous_response_id' } },
    ],
  ];

  test.each(wrong)('%s gets an error event, and the socket stays open', async (_name, message, expected) => {
    const client = await connect();
    client.webSocket.send(message);
    expect(await client.next()).toMatchObject({ type: 'error', ...expected });
    client.send(create('Hello'));
    expect(await client.until('response.completed')).toHaveLength(2);
  });

  test('a lane of the longest name is served', async () => {
    const client = await connect();
    client.send(create('Hello', { stream_id: 'x'.repeat(256) }));
    expect(await client.until('response.completed')).toHaveLength(2);
  });
});

describe('steering', () => {
  const steer = (id: string, input: unknown = 'Stop.') => ({ type: 'response.steer', previous_response_id: id, input });
  const failed = (id: string, code: string, input: unknown = 'Stop.') => ({
    type: 'response.steer.failed',
    sequence_number: 0,
    error: { type: 'invalid_request_error', code, message: expect.any(String) },
    steer: { previous_response_id: id, input },
  });

  test('fails with what is known of the response, and the response goes on', async () => {
    const gate = Promise.withResolvers<void>();
    edge.respond = async () => ({ ...eventStream(), body: gated(gate.promise) });
    const client = await connect();
    client.send(create('Hello'));
    await client.until('response.created');
    client.send(steer('resp_1'));
    expect(await client.next()).toEqual(failed('resp_1', 'steering_not_supported'));
    client.send(steer('resp_2'));
    expect(await client.next()).toEqual(failed('resp_2', 'response_not_found'));
    client.send(steer('resp_1', [{ role: 'system', content: 'No.' }]));
    expect(await client.next()).toEqual(failed('resp_1', 'invalid_input', [{ role: 'system', content: 'No.' }]));
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    client.webSocket.send(`{"type":"response.steer","previous_response_id":"resp_1","input":[${deep}]}`);
    expect(await client.next()).toMatchObject({ type: 'response.steer.failed', error: { code: 'invalid_input' } });
    gate.resolve();
    await client.until('response.completed');
    client.send(steer('resp_1'));
    expect(await client.next()).toEqual(failed('resp_1', 'response_already_completed'));
  });
});

describe('a socket', () => {
  test('has up to 16 lanes with work, and 64 requests', async () => {
    const { respond, answer, running } = heldAnswers();
    edge.respond = respond;
    const client = await connect();
    for (let lane = 0; lane < 16; lane += 1) client.send(create(`${lane}`, { stream_id: `${lane}` }));
    await expect.poll(() => running().length).toBe(16);
    client.send(create('one lane more', { stream_id: '16' }));
    expect(await client.next()).toMatchObject({ stream_id: '16', status: 429, error: { param: 'stream_id' } });
    for (let count = 16; count < 64; count += 1) client.send(create('waits', { stream_id: '0' }));
    client.send(create('one request more', { stream_id: '0' }));
    expect(await client.next()).toMatchObject({ stream_id: '0', status: 429, error: { code: 'rate_limit_exceeded' } });
    answer('1');
    await client.next();
    client.send(create('served', { stream_id: '1' }));
    await expect.poll(running).toContain('served');
  });

  test('of a key with a limit of requests stays open when it is reached', async () => {
    const client = await connect({ key: 'spent' });
    client.send(create('One'));
    expect(await client.until('response.completed')).toHaveLength(2);
    client.send(create('Two'));
    expect(await client.next()).toMatchObject({
      type: 'error',
      status: 429,
      error: {
        code: 'rate_limit_exceeded',
        headers: { 'ratelimit-remaining': '0', 'retry-after': expect.any(String) },
      },
    });
    expect(client.webSocket.readyState).toBe(client.webSocket.OPEN);
  });

  test('of a key that is revoked is closed when its work has ended, and begins no more', async () => {
    const { respond, answer, running } = heldAnswers();
    edge.respond = respond;
    const client = await connect({ key: 'revoked-key' });
    client.send(create('running'));
    client.send(create('waiting'));
    await expect.poll(running).toEqual(['running']);
    edge.revoke('revoked-key');
    client.send(create('late', { stream_id: 'late' }));
    expect(await client.next()).toMatchObject({ stream_id: 'late', status: 401, error: { code: 'invalid_api_key' } });
    answer('running');
    expect(await client.next()).toMatchObject({ type: 'response.completed', response: { output: 'running' } });
    expect(await client.next()).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } });
    expect(await client.closed).toEqual({
      code: 1008,
      reason: 'The API key of this socket is revoked or has expired.',
    });
  });

  test('whose process stops finishes what runs, refuses the rest, and says that it may reconnect', async () => {
    const stopping = await openSocketEdge();
    const { respond, answer, running } = heldAnswers();
    stopping.respond = respond;
    const busy = await connectSocket(stopping.base, '/v1/responses', { key: 'key' });
    const idle = await connectSocket(stopping.base, '/v1/responses', { key: 'key' });
    busy.send(create('running'));
    busy.send(create('waiting'));
    await expect.poll(running).toEqual(['running']);
    const stopped = stopping.stop(10_000);
    expect(await idle.closed).toEqual({ code: 1012, reason: 'Service restart: reconnect.' });
    busy.send(create('late'));
    expect(await busy.next()).toMatchObject({ status: 503, error: { code: 'unavailable' } });
    answer('running');
    expect(await busy.next()).toMatchObject({ type: 'response.completed', response: { output: 'running' } });
    expect(await busy.next()).toMatchObject({ status: 503, error: { code: 'unavailable' } });
    expect(await busy.closed).toEqual({ code: 1012, reason: 'Service restart: reconnect.' });
    await stopped;
  });

  test('whose process stops ends what does not end in time', async () => {
    const stopping = await openSocketEdge();
    stopping.respond = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const client = await connectSocket(stopping.base, '/v1/responses', { key: 'key' });
    client.send(create('Hello'));
    await expect.poll(() => stopping.metric('gateway_inflight_requests{service="edge"}')).toBe(1);
    const stopped = stopping.stop(1_100);
    expect(await client.next()).toMatchObject({ status: 503, error: { code: 'unavailable' } });
    expect((await client.closed).code).toBe(1012);
    await stopped;
  });
});

/** Answers each request when a test wants, with its input. */
function heldAnswers() {
  const held = new Map<string, () => void>();
  const respond: ExchangeHandler = async ({ body }) => {
    const { input } = JSON.parse(Buffer.from(await body.bytes()).toString()) as { input: string };
    const gate = Promise.withResolvers<void>();
    held.set(input, gate.resolve);
    await gate.promise;
    return eventStream({ type: 'response.completed', response: { id: input, output: input } });
  };
  return {
    respond,
    answer(input: string) {
      held.get(input)?.();
      held.delete(input);
    },
    running: () => [...held.keys()],
  };
}

async function* oneByOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}

async function* lostAfter(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  throw new GatewayError('unavailable', 'The service was lost.');
}

async function* gated(gate: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(textOf({ type: 'response.created', response: { id: 'resp_1' } }));
  await gate;
  yield Buffer.from(textOf({ type: 'response.completed', response: { id: 'resp_1' } }));
}
