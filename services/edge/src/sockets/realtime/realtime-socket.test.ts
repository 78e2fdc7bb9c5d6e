import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { encodeSocketMessage, type SocketMessage, SocketMessageDecoder } from '@tallyport/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket } from '../../testing/socket-client.ts';
import { openSocketEdge, type SocketEdge } from '../../testing/socket-edge.ts';

let edge: SocketEdge;
beforeAll(async () => {
  edge = await openSocketEdge();
});
afterAll(() => edge.stop());

const textOf = (event: object): SocketMessage => ({ kind: 'text', bytes: Buffer.from(JSON.stringify(event)) });
const path = '/v1/realtime?model=gpt-realtime';

interface Echo {
  handler: ExchangeHandler;
  head?: RequestHead;
  aborted: boolean;
  /** The close of the client. */
  ended?: SocketMessage;
}

/** A service that sends every message back, and ends when its client does. */
function echo(): Echo {
  const state: Echo = {
    aborted: false,
    handler: async ({ head, body, signal }) => {
      state.head = head;
      signal.addEventListener('abort', () => (state.aborted = true));
      async function* back() {
        const decoder = new SocketMessageDecoder(1_000_000);
        for await (const piece of body) {
          for (const message of decoder.push(piece)) {
            if (message.kind === 'close') {
              state.ended = message;
              yield encodeSocketMessage({ kind: 'close', code: 1000, reason: '' });
              return;
            }
            yield encodeSocketMessage(message);
          }
        }
      }
      return { head: { status: 200, headers: {} }, body: back() };
    },
  };
  return state;
}

const ending =
  (...messages: SocketMessage[]): ExchangeHandler =>
  async () => ({
    head: { status: 200, headers: {} },
    body: Buffer.concat(messages.map(encodeSocketMessage)),
  });

describe('a realtime socket', () => {
  test('relays messages unchanged in both directions, with the query and the beta header', async () => {
    const service = echo();
    edge.realtime = service.handler;
    const client = await connectSocket(edge.base, path, { key: 'key', headers: { 'openai-beta': 'realtime=v1' } });
    for (let count = 0; count < 50; count += 1) client.send({ type: 'ping', count, text: 'ä'.repeat(count) });
    for (let count = 0; count < 50; count += 1)
      expect(await client.next()).toEqual({ type: 'ping', count, text: 'ä'.repeat(count) });
    expect(service.head).toMatchObject({ query: 'model=gpt-realtime', headers: { 'openai-beta': 'realtime=v1' } });
    client.webSocket.close();
    await expect.poll(() => service.aborted).toBe(true);
  });

  test('is opened by a page of a browser, with the key as a subprotocol', async () => {
    edge.realtime = echo().handler;
    const client = await connectSocket(edge.base, path, { protocols: ['realtime', 'openai-insecure-api-key.key'] });
    expect(client.webSocket.protocol).toBe('realtime');
    client.webSocket.close();
  });

  test('ends with the code and the reason of its session', async () => {
    edge.realtime = ending(textOf({ type: 'error' }), { kind: 'close', code: 4001, reason: 'Enough.' });
    const client = await connectSocket(edge.base, path, { key: 'key' });
    expect(await client.next()).toEqual({ type: 'error' });
    expect(await client.closed).toEqual({ code: 4001, reason: 'Enough.' });
  });

  test.each([
    [new GatewayError('model_not_found', 'No such model.'), 'model_not_found', 1008],
    [new GatewayError('budget_exceeded', 'Spent.'), 'budget_exceeded', 1008],
    [new GatewayError('unavailable', 'Restarting.'), 'unavailable', 1012],
    [new GatewayError('overloaded', 'Full.'), 'overloaded', 1013],
    [new Error('secret'), 'internal_error', 1011],
  ])('that is refused with %s gets an event and is closed', async (thrown, code, closeCode) => {
    edge.realtime = async () => {
      throw thrown;
    };
    const client = await connectSocket(edge.base, path, { key: 'key' });
    expect(await client.next()).toMatchObject({ type: 'error', event_id: expect.any(String), error: { code } });
    expect((await client.closed).code).toBe(closeCode);
  });

  test.each([
    ['has ended without a reason', async () => ({ head: { status: 200, headers: {} }, body: Buffer.alloc(0) })],
    ['sends no messages', async () => ({ head: { status: 200, headers: {} }, body: Buffer.from([9, 0, 0, 0, 0]) })],
  ] as const)('whose service %s is closed', async (_, handler) => {
    edge.realtime = handler;
    const client = await connectSocket(edge.base, path, { key: 'key' });
    expect(await client.next()).toMatchObject({ type: 'error' });
    expect((await client.closed).code).toBe(1011);
  });

  test('counts as a running request, and as a chat', async () => {
    edge.realtime = echo().handler;
    const client = await connectSocket(edge.base, path, { key: 'spent' });
    client.send({ type: 'ping' });
    await client.next();
    expect(await edge.metric('gateway_inflight_requests{service="edge"}')).toBe(1);
    const second = await connectSocket(edge.base, path, { key: 'spent' });
    expect(await second.next()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    expect((await second.closed).code).toBe(1008);
    client.webSocket.close();
    await expect.poll(() => edge.metric('gateway_inflight_requests{service="edge"}')).toBe(0);
  });

  test('of a key that is revoked ends with an event, after its service has ended it', async () => {
    const service = echo();
    edge.realtime = service.handler;
    const client = await connectSocket(edge.base, path, { key: 'to-be-revoked' });
    client.send({ type: 'ping' });
    await client.next();
    edge.revoke('to-be-revoked');
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'invalid_api_key' } });
    expect((await client.closed).code).toBe(1008);
    expect(service.ended).toEqual({ kind: 'close', code: 1000, reason: '' });
  });

  test('of a key that expires ends with an event, after its service has ended it', async () => {
    const service = echo();
    edge.realtime = service.handler;
    edge.expire('short', new Date(Date.now() + 300));
    const client = await connectSocket(edge.base, path, { key: 'short' });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'invalid_api_key' } });
    expect(await client.closed).toEqual({
      code: 1008,
      reason: 'The API key of this socket is revoked or has expired.',
    });
    expect(service.ended).toEqual({ kind: 'close', code: 1000, reason: '' });
  });

  test('of a process that stops ends with an event before the process does', async () => {
    const stopping = await openSocketEdge();
    const service = echo();
    stopping.realtime = service.handler;
    const client = await connectSocket(stopping.base, path, { key: 'key' });
    client.send({ type: 'ping' });
    await client.next();
    const stopped = stopping.stop(4_100);
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'unavailable' } });
    expect((await client.closed).code).toBe(1012);
    await stopped;
    expect(service.ended).toBeDefined();
  });

  test('whose service does not read is not read either', async () => {
    const read = Promise.withResolvers<void>();
    let received = 0;
    edge.realtime = async ({ body }) => {
      async function* late() {
        await read.promise;
        for await (const piece of body) received += piece.length;
        yield encodeSocketMessage({ kind: 'close', code: 1000, reason: '' });
      }
      return { head: { status: 200, headers: {} }, body: late() };
    };
    const client = await connectSocket(edge.base, path, { key: 'key' });
    const message = { type: 'input_audio_buffer.append', audio: 'x'.repeat(256 * 1024) };
    for (let count = 0; count < 100; count += 1) client.send(message);
    await expect.poll(() => client.webSocket.bufferedAmount).toBeGreaterThan(0);
    const unread = client.webSocket.bufferedAmount;
    read.resolve();
    await expect.poll(() => client.webSocket.bufferedAmount).toBe(0);
    expect(unread).toBeGreaterThan(10 * 1024 * 1024);
    await expect.poll(() => received).toBeGreaterThan(100 * 256 * 1024);
    client.webSocket.close();
  });
});

test('GET without an upgrade says how the path is used', async () => {
  const answer = await fetch(`${edge.base}/v1/realtime?model=gpt-realtime`, {
    headers: { authorization: 'Bearer key' },
  });
  expect([answer.status, ((await answer.json()) as { error: object }).error]).toEqual([
    426,
    expect.objectContaining({ message: 'GET /v1/realtime opens a WebSocket: send the headers of an upgrade.' }),
  ]);
});
