import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket, type ConnectOptions, refusedSocket, type SocketClient } from '../testing/socket-client.ts';
import { openSocketEdge, type SocketEdge } from '../testing/socket-edge.ts';

const path = '/v1/responses';

let edge: SocketEdge;
const clients: SocketClient[] = [];
beforeAll(async () => {
  edge = await openSocketEdge({
    LIMIT_MODELS_PER_MINUTE: '0',
    MAX_SOCKETS: '3',
    MAX_SOCKETS_PER_KEY: '2',
    UPLOAD_TIMEOUT_MS: '300',
  });
});
afterEach(async () => {
  for (const { webSocket } of clients.splice(0)) webSocket.terminate();
  await expect.poll(() => edge.metric(`gateway_sockets{route="${path}"}`)).toBe(0);
});
afterAll(() => edge.stop());

async function open(options: ConnectOptions, at = path): Promise<SocketClient> {
  const client = await connectSocket(edge.base, at, options);
  clients.push(client);
  return client;
}

describe('an upgrade', () => {
  test.each<[string, ConnectOptions, string]>([
    ['a bearer key', { key: 'key' }, ''],
    ['a key in a header of another SDK', { headers: { 'x-api-key': 'key' } }, ''],
    ["OpenAI's subprotocol", { protocols: ['realtime', 'openai-insecure-api-key.key'] }, 'realtime'],
    [
      'the key before the marker',
      { protocols: ['openai-insecure-api-key.key', 'openai-project.p', 'realtime'] },
      'realtime',
    ],
    [
      "Vercel's subprotocol",
      { protocols: ['ai-gateway-realtime.v1', 'ai-gateway-auth.key'] },
      'ai-gateway-realtime.v1',
    ],
    ['a subprotocol and a key in a header', { key: 'key', protocols: ['responses'] }, 'responses'],
  ])('with %s is accepted, and never repeats the key', async (_name, options, protocol) => {
    expect((await open(options)).webSocket.protocol).toBe(protocol);
  });

  test.each(['/openai/v1/responses', '/openai/responses?api-version=preview'])('of %s is the same', async (alias) => {
    const client = await open({ key: 'key' }, alias);
    client.send({ type: 'response.create', model: 'm', input: 'Hello' });
    expect(await client.until('response.completed')).toHaveLength(2);
  });

  test.each<[string, string, ConnectOptions, number, string]>([
    ['without a key', path, {}, 401, 'invalid_api_key'],
    ['with an unknown key', path, { key: 'unknown' }, 401, 'invalid_api_key'],
    [
      'with an unknown key in a subprotocol',
      path,
      { protocols: ['realtime', 'openai-insecure-api-key.unknown'] },
      401,
      'invalid_api_key',
    ],
    ['with a key in the address', `${path}?api_key=key`, { key: 'key' }, 401, 'invalid_api_key'],
    [
      'with the key as its only subprotocol',
      path,
      { protocols: ['openai-insecure-api-key.key'] },
      400,
      'invalid_parameters',
    ],
    ['of an older version', path, { key: 'key', protocolVersion: 8 }, 426, 'invalid_parameters'],
    ['of a path without sockets', '/v1/chat/completions', { key: 'key' }, 405, 'method_not_allowed'],
    ['of an unknown path', '/v1/nothing', { key: 'key' }, 404, 'not_found'],
  ])('%s is refused with an error of the API', async (_name, at, options, status, code) => {
    const { status: refused, error, headers } = await refusedSocket(edge.base, at, options);
    expect([refused, error.code]).toEqual([status, code]);
    expect(error.message).not.toContain('insecure');
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_/),
      'content-type': expect.stringContaining('json'),
    });
  });

  test('is refused beyond the sockets of a key, and of the process', async () => {
    const first = await open({ key: 'a' });
    await open({ key: 'a' });
    expect(await refusedSocket(edge.base, path, { key: 'a' })).toMatchObject({
      status: 429,
      error: { code: 'rate_limit_exceeded', message: expect.stringContaining('MAX_SOCKETS_PER_KEY') },
      headers: { 'retry-after': '60' },
    });
    await open({ key: 'b' });
    expect(await refusedSocket(edge.base, path, { key: 'c' })).toMatchObject({
      status: 503,
      error: { code: 'overloaded', message: expect.stringContaining('MAX_SOCKETS') },
    });
    first.webSocket.close();
    await first.closed;
    await expect.poll(() => edge.metric(`gateway_sockets{route="${path}"}`)).toBe(2);
    await open({ key: 'a' });
  });

  test.each([
    ['a key that is no key', ['sec-websocket-version: 13', 'sec-websocket-key: short'], '400'],
    ['no version', ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='], '426'],
    [
      'a subprotocol twice',
      ['sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol: a, a'],
      '400',
    ],
  ])('with %s is refused', async (_name, lines, status) => {
    expect(await answerTo(upgradeWith(lines))).toContain(`HTTP/1.1 ${status} `);
  });

  test('whose head does not end is answered with 408', async () => {
    expect(await answerTo(upgradeWith([]).slice(0, -2))).toContain('HTTP/1.1 408 ');
  });

  test('to another protocol is ignored, as the request of a client that offers HTTP/2', async () => {
    const lines = ['GET /v1/responses HTTP/1.1', 'host: localhost', 'connection: upgrade', 'upgrade: h2c'];
    const answer = await answerTo([...lines, 'connection: close', '', ''].join('\r\n'));
    expect(answer).toContain('HTTP/1.1 426 ');
    expect(answer.toLowerCase()).toContain('upgrade: websocket');
    expect(answer).toContain('GET /v1/responses opens a WebSocket');
  });
});

const upgradeWith = (lines: readonly string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: localhost',
    'x-api-key: key',
    'connection: upgrade',
    'upgrade: websocket',
    ...lines,
    '',
    '',
  ].join('\r\n');

/** All that an edge sends until it closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect({ port: Number(new URL(edge.base).port), host: '127.0.0.1' });
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}
