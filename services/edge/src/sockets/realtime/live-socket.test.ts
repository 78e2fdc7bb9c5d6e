import { once } from 'node:events';
import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { encodeSocketMessage, socketMessagesIn } from '@tallyport/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket, refusedSocket } from '../../testing/socket-client.ts';
import { openSocketEdge, type SocketEdge } from '../../testing/socket-edge.ts';

let edge: SocketEdge;
beforeAll(async () => {
  edge = await openSocketEdge();
});
afterAll(() => edge.stop());

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const withKey = { headers: { 'x-goog-api-key': 'key' } };

/** A service that sends every message back as a binary one, until its client leaves. */
const echo: ExchangeHandler = async ({ body }) => {
  async function* back() {
    for await (const message of socketMessagesIn(body, 1_000_000)) {
      if (message.kind === 'close') break;
      yield encodeSocketMessage({ ...message, kind: 'binary' });
    }
    yield encodeSocketMessage({ kind: 'close', code: 1000, reason: '' });
  }
  return { head: { status: 200, headers: {} }, body: back() };
};

const failing =
  (error: Error): ExchangeHandler =>
  async () => {
    throw error;
  };

describe("a socket of Google's Live API", () => {
  const stable = path.replace('v1beta', 'v1');
  test.each([path, stable, `/${path}`, `/${stable}`, `${path}?key=`])(
    'is opened at %s, and frames keep their kind',
    async (address) => {
      edge.realtime = echo;
      const client = await connectSocket(edge.base, address, withKey);
      const message = once(client.webSocket, 'message');
      client.send({ setup: { model: 'models/gemini-3.8-live' } });
      const [bytes, isBinary] = (await message) as [Buffer, boolean];
      expect([bytes.toString(), isBinary]).toEqual(['{"setup":{"model":"models/gemini-3.8-live"}}', true]);
      client.webSocket.close();
    },
  );

  test.each([
    [new GatewayError('model_not_found', 'No such model.'), 1008, 'No such model.'],
    [new GatewayError('budget_exceeded', 'Spent.'), 1008, 'Spent.'],
    [new GatewayError('invalid_parameters', 'setup: wrong.'), 1007, 'setup: wrong.'],
    [new GatewayError('request_too_large', 'Too large.'), 1007, 'Too large.'],
    [new GatewayError('overloaded', 'Full.'), 1013, 'Full.'],
    [new Error('secret'), 1011, expect.not.stringContaining('secret')],
  ])('that is refused with %s is closed with a reason, and without an event', async (thrown, code, reason) => {
    edge.realtime = failing(thrown);
    const client = await connectSocket(edge.base, path, withKey);
    const first = client.next();
    await expect(first).rejects.toThrow('closed');
    expect(await client.closed).toEqual({ code, reason });
  });

  test('of a process that stops announces it', async () => {
    const stopping = await openSocketEdge();
    stopping.realtime = echo;
    const client = await connectSocket(stopping.base, path, withKey);
    client.send({ setup: {} });
    await client.next();
    const stopped = stopping.stop(4_100);
    expect(await client.next()).toEqual({ goAway: { timeLeft: '0s' } });
    expect((await client.closed).code).toBe(1012);
    await stopped;
  });

  test.each([
    ['key', 400],
    ['access_token', 400],
  ])('is not opened with a key as %s in the address', async (name, status) => {
    expect(await refusedSocket(edge.base, `${path}?${name}=key`, withKey)).toMatchObject({ status });
  });

  test('that sends text that is not UTF-8 is closed', async () => {
    edge.realtime = echo;
    const client = await connectSocket(edge.base, path, withKey);
    client.webSocket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await client.closed).code).toBe(1007);
  });
});

test('a message above the limit closes the socket', async () => {
  const small = await openSocketEdge({ MAX_BODY_BYTES: '100000' });
  small.realtime = echo;
  const client = await connectSocket(small.base, path, withKey);
  client.send({ setup: 'x'.repeat(100_000) } satisfies Record<string, unknown>);
  expect((await client.closed).code).toBe(1009);
  await small.stop();
});
