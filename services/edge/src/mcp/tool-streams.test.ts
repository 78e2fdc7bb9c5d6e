import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { authService, GatewayError, mcpService, type Principal } from '@tallyport/contracts';
import { listen, stopServer } from '@tallyport/service-kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToolStreams, type ToolStreams, type ToolStreamsOptions } from './tool-streams.ts';
import { watchTools } from './watch-tools.ts';

const notified = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

let server: Server;
let url: string;
let streams: ToolStreams;
/** What the look-up of each account returns now. */
let now: (principal: Principal) => Principal | GatewayError;
let responses: ServerResponse[];

const onFailed = (error: unknown): void => expect(error).toBeUndefined();

async function start(options: Partial<ToolStreamsOptions> = {}): Promise<void> {
  streams = createToolStreams({ most: 3, mostPerAccount: 2, settleMs: 20, onFailed, ...options });
  server = createServer((request, response) => {
    const [accountId = '', keyId = ''] = (request.url ?? '').slice(1).split('/');
    const principal: Principal = { accountId, keyId, mcpServers: true };
    const principalNow = async () => {
      const found = now(principal);
      if (found instanceof GatewayError) throw found;
      return found;
    };
    responses.push(response);
    streams.open({ principal, response, principalNow }).catch(({ code }) => response.writeHead(429).end(code));
  });
  url = await listen(server, { host: '127.0.0.1', port: 0 });
}

beforeEach(() => {
  now = (principal) => principal;
  responses = [];
});
afterEach(async () => {
  streams.close();
  server.closeAllConnections();
  await stopServer(server, 100);
});

/** What a client has received. */
async function open(path: string) {
  const response = await fetch(`${url}/${path}`);
  const received = { status: response.status, text: '', isOver: false };
  void (async () => {
    for await (const part of response.body!) received.text += Buffer.from(part).toString();
    received.isOver = true;
  })().catch(() => (received.isOver = true));
  await expect.poll(() => received.text).not.toBe('');
  return received;
}

test('streams are open up to the limits of an account and of the process', async () => {
  await start();
  const opened = [await open('a'), await open('a')];
  expect(opened.map(({ text }) => text)).toEqual([': open\n\n', ': open\n\n']);
  expect(await open('a')).toMatchObject({ status: 429, text: 'rate_limit_exceeded' });
  await open('b');
  expect(await open('c')).toMatchObject({ status: 429, text: 'overloaded' });
});

test('clients of an account are notified once about changes at the same time', async () => {
  await start();
  const [mine, other] = [await open('a'), await open('b')];
  for (let change = 0; change < 5; change += 1) streams.changed('a');
  await expect.poll(() => mine.text).toBe(`: open\n\n${notified}${notified}`);
  streams.changed('b');
  await expect.poll(() => other.text).toBe(`: open\n\n${notified}`);
  expect(mine.text).toBe(`: open\n\n${notified}${notified}`);
});

test('clients are notified if the tools of their key differ, and only then', async () => {
  await start();
  const [narrowed, same] = [await open('a/1'), await open('a/2')];
  now = (principal) => (principal.keyId === '1' ? { ...principal, allowedMcpTools: ['docs'] } : principal);
  streams.keysChanged('a');
  await expect.poll(() => narrowed.text).toBe(`: open\n\n${notified}`);
  const looked = vi.fn(now);
  now = looked;
  streams.keysChanged();
  await expect.poll(() => looked.mock.calls.length).toBe(2);
  expect([narrowed.text, same.text]).toEqual([`: open\n\n${notified}`, ': open\n\n']);
});

test('the stream of a key that has ended is closed, that of one that cannot be looked up is not', async () => {
  await start();
  const [revoked, unknown] = [await open('a/1'), await open('a/2')];
  now = ({ keyId }) => new GatewayError(keyId === '1' ? 'invalid_api_key' : 'unavailable', 'no');
  streams.keysChanged();
  await expect.poll(() => revoked.isOver).toBe(true);
  expect(unknown.isOver).toBe(false);
});

test('a stream ends after its time', async () => {
  await start({ lastsMs: 50 });
  const stream = await open('a');
  await expect.poll(() => stream.isOver).toBe(true);
  await expect.poll(() => streams.watching()).toEqual([]);
});

test('a client that does not read is left', async () => {
  await start({ everyMs: 20 });
  const connection = connect(Number(new URL(url).port), '127.0.0.1');
  await once(connection, 'connect');
  connection.pause();
  connection.write('GET /a HTTP/1.1\r\nhost: edge\r\n\r\n');
  await expect.poll(() => streams.watching()).toEqual(['a']);
  responses[0]?.write(Buffer.alloc(32 * 1024 * 1024));
  await expect.poll(() => streams.watching()).toEqual([]);
  connection.destroy();
});

test('lists of servers are read again while clients wait, and changes are passed on', async () => {
  await start();
  const link = inProcessLink();
  const refreshed: string[] = [];
  const notHere = () => Promise.reject(new Error('not here'));
  const listener = await serve(link, mcpService, {
    serve: notHere,
    testServer: notHere,
    refreshTools: async ({ accountId }) => {
      refreshed.push(accountId);
      return {};
    },
  });
  const [auth, mcp] = [createClient(link, authService), createClient(link, mcpService)];
  const watch = watchTools({ streams, auth, mcp, onFailed, everyMs: 20 });
  watch.start();
  const stream = await open('a');
  await expect.poll(() => refreshed.length).toBeGreaterThan(1);
  expect(new Set(refreshed)).toEqual(new Set(['a']));
  mcp.toolsChanged.publish({ accountId: 'a', serverId: 's', fingerprint: 'f' });
  await expect.poll(() => stream.text).toBe(`: open\n\n${notified}`);
  auth.mcpServersChanged.publish({ accountId: 'a' });
  await expect.poll(() => stream.text).toBe(`: open\n\n${notified}${notified}`);
  now = () => new GatewayError('invalid_api_key', 'revoked');
  auth.keyRevoked.publish({ keyHash: 'any' });
  await expect.poll(() => stream.isOver).toBe(true);
  watch.stop();
  await listener.drain(100);
  await link.close();
});
