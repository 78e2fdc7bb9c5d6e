import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket, type ConnectOptions, type SocketClient } from '../testing/socket-client.ts';
import { answering, openSocketEdge, type SocketEdge, textOf } from '../testing/socket-edge.ts';
import { mostFragments } from './web-socket-server.ts';

const path = '/v1/responses';
const mostBytes = 400_000;

let edge: SocketEdge;
const clients: SocketClient[] = [];
beforeAll(async () => {
  edge = await openSocketEdge({
    LIMIT_CHAT_PER_MINUTE: '0',
    LIMIT_MODELS_PER_MINUTE: '0',
    MAX_BODY_BYTES: String(mostBytes),
    MAX_INFLIGHT_BYTES: String(1024 ** 2),
  });
});
afterEach(async () => {
  for (const { webSocket } of clients.splice(0)) webSocket.terminate();
  edge.respond = answering();
  await expect.poll(() => edge.metric(`gateway_sockets{route="${path}"}`)).toBe(0);
  await expect.poll(() => edge.metric('gateway_inflight_bytes{service="edge"}')).toBe(0);
});
afterAll(() => edge.stop());

async function open(options: ConnectOptions = {}): Promise<SocketClient> {
  const client = await connectSocket(edge.base, path, { key: 'key', ...options });
  clients.push(client);
  return client;
}

const closedFor = (reason: string): Promise<number> =>
  edge.metric(`gateway_sockets_closed_total{route="${path}",reason="${reason}"}`);

/** A request with so many bytes. */
function createOf(bytes: number): string {
  const empty = JSON.stringify({ type: 'response.create', model: 'm', input: '' });
  return empty.replace('"input":""', `"input":"${'x'.repeat(bytes - empty.length)}"`);
}

/** A text message in so many fragments, which are sent together. */
function sendFragments(client: SocketClient, text: string, count: number): void {
  const { webSocket } = client;
  webSocket.send(text, { fin: false });
  for (let sent = 2; sent < count; sent += 1) webSocket.send('', { fin: false });
  webSocket.send('', { fin: true });
}

const hello = JSON.stringify({ type: 'response.create', model: 'm', input: 'Hello' });

describe('a message', () => {
  test('of the largest size is served, and a larger one closes the socket with the limit', async () => {
    const client = await open();
    client.webSocket.send(createOf(mostBytes));
    expect(await client.until('response.completed')).toHaveLength(2);
    client.webSocket.send(createOf(mostBytes + 1));
    expect(await client.closed).toEqual({
      code: 1009,
      reason: `A message is larger than ${mostBytes} bytes (MAX_BODY_BYTES).`,
    });
    await expect.poll(() => closedFor('too_large')).toBe(1);
  });

  test('of 100 MB is refused by its length, before it is read', async () => {
    const client = await open();
    const frame = Buffer.alloc(14);
    frame.writeUInt16BE(0x81ff);
    frame.writeBigUInt64BE(100_000_000n, 2);
    rawOf(client).write(frame);
    expect((await client.closed).code).toBe(1009);
  });

  test('in fragments that together are too large closes the socket', async () => {
    const client = await open();
    for (let sent = 0; sent <= mostBytes; sent += 100_000) {
      client.webSocket.send('x'.repeat(100_000), { fin: false });
    }
    expect((await client.closed).code).toBe(1009);
  });

  test('in the most fragments is served, and one in more closes the socket', async () => {
    const client = await open();
    sendFragments(client, hello, mostFragments);
    expect(await client.until('response.completed')).toHaveLength(2);
    sendFragments(client, hello, mostFragments + 1);
    expect(await client.closed).toEqual({ code: 1008, reason: expect.stringContaining(`${mostFragments} fragments`) });
    await expect.poll(() => closedFor('invalid')).toBeGreaterThan(0);
  });

  test('with bytes that are not UTF-8 closes the socket', async () => {
    const client = await open();
    client.webSocket.send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), { binary: false });
    expect(await client.closed).toEqual({ code: 1007, reason: 'The bytes of a text are not UTF-8.' });
  });

  test('that finds no memory closes the socket with an error event, and the memory is free again', async () => {
    const [first, second] = [await open(), await open()];
    first.webSocket.send('x'.repeat(300_000), { fin: false });
    await expect.poll(() => edge.metric('gateway_inflight_bytes{service="edge"}')).toBeGreaterThanOrEqual(300_000);
    second.webSocket.send('x'.repeat(300_000), { fin: false });
    expect(await second.next()).toMatchObject({ type: 'error', status: 429, error: { code: 'rate_limit_exceeded' } });
    expect((await second.closed).code).toBe(1013);
    await expect.poll(() => closedFor('memory')).toBe(1);
    first.webSocket.terminate();
    await expect.poll(() => edge.metric('gateway_inflight_bytes{service="edge"}')).toBe(0);
  });
});

describe('messages', () => {
  test('up to 200 in a second are read, and a flood closes the socket', async () => {
    const client = await open();
    const counted = () => edge.metric(`gateway_socket_messages_total{route="${path}"}`);
    const before = await counted();
    for (let count = 0; count < 200; count += 1) client.webSocket.send('?');
    for (let count = 0; count < 200; count += 1)
      expect(await client.next()).toMatchObject({ type: 'error', status: 400 });
    expect(await counted()).toBe(before + 200);
    // They fall into at most two seconds.
    for (let count = 0; count < 10_000; count += 1) client.webSocket.send('?');
    expect((await client.closed).code).toBe(1008);
    await expect.poll(() => closedFor('too_fast')).toBe(1);
  });
});

describe('a client', () => {
  test('that reads nothing stops the service that answers it', async () => {
    let sent = 0;
    // Five times what the buffers on the way take.
    const all = 400;
    const event = Buffer.from(textOf({ type: 'response.output_text.delta', delta: 'x'.repeat(64 * 1024) }));
    edge.respond = async () => ({
      head: { status: 200, headers: { 'content-type': 'text/event-stream' } },
      body: (async function* () {
        while (sent < all) {
          sent += 1;
          yield event;
        }
      })(),
    });
    const client = await open();
    client.webSocket.pause();
    client.webSocket.send(hello);
    let before = -1;
    await expect.poll(() => sent > 0 && before === (before = sent), { interval: 100 }).toBe(true);
    expect(sent).toBeLessThan(all / 2);
    client.webSocket.resume();
    await expect.poll(() => sent).toBe(all);
  });

  test('that closes only its direction is left', async () => {
    const client = await open();
    rawOf(client).end();
    await expect.poll(() => closedFor('lost')).toBeGreaterThan(0);
  });

  test('that leaves while its key is looked up leaves nothing', async () => {
    const socket = connect({ port: Number(new URL(edge.base).port), host: '127.0.0.1' });
    const lines = ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
    socket.write(
      [
        `GET ${path} HTTP/1.1`,
        'host: localhost',
        'x-api-key: new key',
        ...lines,
        `sec-websocket-key: ${'a'.repeat(22)}==`,
        '',
        '',
      ].join('\r\n'),
      () => socket.destroy(),
    );
    await once(socket, 'close');
    await expect.poll(() => edge.metric('gateway_inflight_requests{service="edge"}')).toBe(0);
  });
});

/** The connection below a client, for frames that a client library does not send. */
const rawOf = ({ webSocket }: SocketClient): Socket => (webSocket as unknown as { _socket: Socket })._socket;
