import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Lookup, createPublicAgent } from '@tallyport/outbound';
import { createForeignFetch } from './foreign-documents.ts';

describe('fetching client documents', () => {
  let server: Server;
  let behave: RequestListener;
  let connections: number;
  let port: number;
  beforeEach(async () => {
    connections = 0;
    server = createServer((request, response) => behave(request, response));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const lookup: Lookup = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const may = () => true;
  const agentFor = (allowLocal: boolean) => createPublicAgent({ allowLocal, connectMs: 1_000, lookup });
  const fetched = createForeignFetch({ agent: agentFor(true), may });
  const address = (path = '/') => `http://client.example:${port}${path}`;

  test('refuses a name that resolves to a private address', async () => {
    const careful = createForeignFetch({ agent: agentFor(false), may });
    await expect(careful(address())).rejects.toMatchObject({
      cause: { message: 'must be at a public address' },
    });
    expect(connections).toBe(0);
  });

  test('refuses addresses that are not public names', async () => {
    const usual = createForeignFetch({ agent: agentFor(true) });
    await expect(usual(address())).rejects.toThrow('not that of a public server');
    await expect(usual(`https://127.0.0.1:${port}/`)).rejects.toThrow('not that of a public server');
    expect(connections).toBe(0);
  });

  test('returns a document with status and headers, and sends only the requested headers', async () => {
    behave = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=60' });
      response.end(JSON.stringify({ path: request.url, headers: request.headers }));
    };
    const answer = await fetched(address('/a?b=1'), { headers: { accept: 'application/json' }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'max-age=60']);
    expect(await answer.json()).toEqual({
      path: '/a?b=1',
      headers: {
        host: `client.example:${port}`,
        connection: 'keep-alive',
        accept: 'application/json',
        'accept-encoding': 'identity',
      },
    });
  });

  test.each([301, 302, 307, 308])('does not follow a redirect with %i', async (status) => {
    behave = (_request, response) => response.writeHead(status, { location: address('/elsewhere') }).end();
    await expect(fetched(address())).rejects.toThrow('redirects are not followed');
  });

  test('reads at most 64 KiB', async () => {
    behave = (request, response) => response.end(Buffer.alloc(Number(request.url?.slice(1)), 'a'));
    expect((await (await fetched(address('/65536'))).arrayBuffer()).byteLength).toBe(65_536);
    await expect(fetched(address('/65537'))).rejects.toMatchObject({ kind: 'too_large' });
  });

  test('gives up on a slow response, and when the library aborts', async () => {
    behave = (request, response) => {
      if (request.url === '/head') response.writeHead(200).write('half');
    };
    const ending = new AbortController();
    const fetches = ['/', '/head'].map((path) => fetched(address(path)));
    const left = fetched(address('/'), { signal: ending.signal });
    ending.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    expect(await Promise.allSettled(fetches)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  });

  test('sends only GET requests', async () => {
    await expect(fetched(address(), { method: 'POST', body: 'a' })).rejects.toThrow('only GET');
    expect(connections).toBe(0);
  });
});
