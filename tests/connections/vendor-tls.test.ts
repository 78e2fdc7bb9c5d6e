import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPools, openUpstream, type Pools, readAll } from '../../packages/outbound/src/index.ts';
import { type Certificates, makeCertificates } from './certificates.ts';

const usual = getCACertificates();
let certificates: Certificates;
let server: Server;
let pools: Pools;
/** Whether the session of each connection was resumed. */
let resumed: boolean[];
let sockets: TLSSocket[];

beforeAll(async () => {
  certificates = await makeCertificates();
  setDefaultCACertificates([...usual, readFileSync(certificates.authority, 'utf8')]);
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await certificates.remove();
});
afterEach(async () => {
  await pools.close();
  server.close().closeAllConnections();
});

async function start(maxVersion: 'TLSv1.2' | 'TLSv1.3', headers = { connection: 'close' }): Promise<string> {
  resumed = [];
  sockets = [];
  pools = createPools({ connectMs: 5_000 });
  const files = { cert: readFileSync(certificates.certificate), key: readFileSync(certificates.key) };
  server = createServer({ ...files, maxVersion }, (_request, response) => {
    response.writeHead(200, headers).end('x');
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.push(socket);
    resumed.push(socket.isSessionReused());
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  return `https://localhost:${typeof address === 'object' ? address?.port : 0}`;
}

async function ask(origin: string): Promise<string> {
  const request = { origin, path: '/', method: 'POST', headers: {}, body: '{}' } as const;
  const call = openUpstream(pools, request, { maxBytes: 100 });
  await call.head();
  return (await readAll(call)).toString();
}

/** What nothing refers to is gone, as it is sooner or later in a busy process. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a new connection with %s resumes the session of the last one',
  async (version) => {
    const origin = await start(version);
    for (const _ of [1, 2, 3]) {
      expect(await ask(origin)).toBe('x');
      // The ticket may follow the answer.
      await new Promise((later) => setImmediate(later));
      collectGarbage();
    }
    expect(resumed).toEqual([false, true, true]);
  },
);

test('a request is sent again if its connection was closed just before it was written', async () => {
  const origin = await start('TLSv1.3', { connection: 'keep-alive' });
  expect(await ask(origin)).toBe('x');
  await new Promise((later) => setImmediate(later));
  setImmediate(() => sockets[0]?.destroy());
  expect(await ask(origin)).toBe('x');
  expect(sockets).toHaveLength(2);
});

test('a server that no authority vouches for gets no request', async () => {
  const origin = await start('TLSv1.3');
  setDefaultCACertificates(usual);
  await expect(ask(origin)).rejects.toMatchObject({ kind: 'connection' });
  setDefaultCACertificates([...usual, readFileSync(certificates.authority, 'utf8')]);
});
