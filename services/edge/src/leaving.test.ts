import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partOf } from '../../../tests/support/scale.ts';
import { type GatedEdge, openGatedEdge } from './testing/gated-edge.ts';

const head = (line: string, key: string, headers: string[] = []): string =>
  [`${line} HTTP/1.1`, 'host: localhost', `x-api-key: ${key}`, ...headers, '', ''].join('\r\n');
const json = 'content-type: application/json';
const post = (path: string, key: string, length: number): string =>
  head(`POST ${path}`, key, [json, `content-length: ${length}`]);
const chunked = (path: string, key: string): string => head(`POST ${path}`, key, [json, 'transfer-encoding: chunked']);

/** What a client has sent before it disconnects. */
const sent: Record<string, (key: string) => string> = {
  'a chat': (key) => `${post('/v1/chat/completions', key, 2)}{}`,
  'a chat without its body': (key) => post('/v1/chat/completions', key, 900),
  'half a chat': (key) => `${post('/v1/chat/completions', key, 900)}{"half`,
  'half a chunked chat': (key) => `${chunked('/v1/chat/completions', key)}5\r\n{"hal\r\n`,
  'a part of a large chat': (key) => post('/v1/chat/completions', key, 400_000) + 'x'.repeat(150_000),
  'three chats in one go': (key) => `${post('/v1/chat/completions', key, 2)}{}`.repeat(3),
  'a chat and half a chat': (key) =>
    `${post('/v1/chat/completions', key, 2)}{}${post('/v1/chat/completions', key, 9)}{`,
  'the models': (key) => head('GET /v1/models', key),
  'a broken chunk': (key) => `${chunked('/v1/chat/completions', key)}zzz\r\n`,
  'a tool call': (key) => `${post('/mcp', key, 2)}{}`,
  'half a tool call': (key) => `${post('/mcp', key, 900)}{"half`,
  'half a chunked tool call': (key) => `${chunked('/mcp', key)}5\r\n{"hal\r\n`,
  'a part of a large tool call': (key) => post('/mcp', key, 400_000) + 'x'.repeat(150_000),
  'two tool calls and a stream': (key) =>
    `${post('/mcp', key, 2)}{}`.repeat(2) + head('GET /mcp', key, ['accept: text/event-stream']),
  'an MCP stream': (key) => head('GET /mcp', key, ['accept: text/event-stream']),
  'a form': (key) => `${post('/sign-in', key, 2)}{}`,
  'half a form': (key) => `${post('/sign-in', key, 900)}{"half`,
  'half a chunked form': (key) => `${chunked('/oauth/token', key)}5\r\n{"hal\r\n`,
  'three forms in one go': (key) => `${post('/api/v1/keys', key, 2)}{}`.repeat(3),
  'half a request to an unknown path': (key) => `${post('/nowhere', key, 900)}{"half`,
};

/** How it disconnects. A client that half-closes its connection still reads. */
const ways: Record<string, (socket: Socket) => unknown> = {
  'by closing': (socket) => socket.destroy(),
  'by a reset': (socket) => socket.resetAndDestroy(),
  'by a half-close': (socket) => socket.end(),
};

describe('a disconnected client', () => {
  let edge: GatedEdge;
  let clients: Socket[] = [];
  let keys = 0;
  beforeAll(async () => {
    edge = await openGatedEdge({ LIMIT_MCP_PER_MINUTE: '0', LIMIT_CHAT_PER_MINUTE: '0', LIMIT_MODELS_PER_MINUTE: '0' });
  });
  afterAll(() => edge.stop());

  async function client(bytes: string): Promise<Socket> {
    const socket = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(bytes, resolve));
    return socket;
  }

  const three = async (bytes: (key: string) => string): Promise<void> => {
    clients = await Promise.all(Array.from({ length: 3 }, () => client(bytes(`key-${keys++}`))));
  };
  const leave = (way: string): void => clients.forEach((socket) => ways[way]!(socket));
  const statusOf = async (path: string, key: string): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${edge.port}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status;
  /** When this resolves, the server has processed the events that preceded it. */
  const flushed = () => fetch(`http://127.0.0.1:${edge.port}/assets/icon.svg`).then((answer) => answer.text());

  async function isOver(): Promise<void> {
    edge.services.gate.open();
    await expect.poll(edge.held, { interval: 5 }).toEqual({ requests: 0, bytes: 0 });
    edge.services.silent = false;
    const paths = ['/v1/chat/completions', '/v1/chat/completions', '/mcp', '/mcp'];
    const settled = () => Promise.all(paths.map((path) => statusOf(path, 'later')));
    expect(await settled()).toEqual([200, 200, 200, 200]);
    clients.forEach((socket) => socket.destroy());
  }

  const cases = Object.keys(sent).flatMap((what) => Object.keys(ways).map((way): [string, string] => [what, way]));
  const casesOf = (from: number) => partOf(cases, { one: 3, from });

  test.each(casesOf(0))('holds nothing after leaving during the key look-up: %s, %s', async (what, way) => {
    edge.services.gate.close();
    edge.services.silent = true;
    await three(sent[what]!);
    await flushed();
    leave(way);
    await flushed();
    await flushed();
    await isOver();
  });

  test.each(casesOf(1))('holds nothing after leaving at once: %s, %s', async (what, way) => {
    edge.services.silent = true;
    await three(sent[what]!);
    leave(way);
    await isOver();
  });

  test.each(casesOf(2))('holds nothing after leaving while a service works: %s, %s', async (what, way) => {
    edge.services.silent = true;
    await three(sent[what]!);
    for (let round = 0; round < 5; round += 1) await flushed();
    leave(way);
    await isOver();
  });

  test('holds nothing after a half-close in the middle of a long response', async () => {
    edge.services.answerBytes = 50_000_000;
    await three((key) => `${post('/v1/chat/completions', key, 2)}{}`);
    clients.forEach((socket) => socket.pause());
    await expect.poll(async () => (await edge.held()).requests).toBe(3);
    for (let round = 0; round < 5; round += 1) await flushed();
    leave('by a half-close');
    await expect.poll(edge.held).toEqual({ requests: 0, bytes: 0 });
    edge.services.answerBytes = 2;
    await isOver();
  });

  test('is disconnected a second after a malformed request', async () => {
    await three(sent['a broken chunk']!);
    clients.forEach((socket) => socket.pause());
    await isOver();
  });
});
