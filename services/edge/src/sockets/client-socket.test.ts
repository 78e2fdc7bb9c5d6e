import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createMemoryBudget } from '../http/memory-budget.ts';
import { closeNow, listening } from '../testing/test-servers.ts';
import { ClientSocket } from './client-socket.ts';
import { createOpenSockets } from './open-sockets.ts';
import { createWebSocketServer } from './web-socket-server.ts';

const largest = { bytes: 1_000, setting: 'MAX_BODY_BYTES' };

let server: Server;
let client: WebSocket;
afterEach(() => {
  client.terminate();
  closeNow(server);
});

/** A socket of a bare server, with its client. */
async function opened(): Promise<ClientSocket> {
  const sockets = createWebSocketServer(largest);
  const memory = createMemoryBudget({ total: { bytes: 10_000 }, perHolder: 10_000 });
  const found = Promise.withResolvers<ClientSocket>();
  server = createServer().on('upgrade', (request, connection: Socket, head) =>
    sockets.handleUpgrade(request, connection, head, (webSocket) => {
      const reserve = () => memory.reserve({ declaredBytes: 0, holder: 'acc', largest });
      found.resolve(new ClientSocket({ webSocket, connection, reserve }));
    }),
  );
  client = new WebSocket((await listening(server)).replace('http', 'ws'));
  client.on('error', () => undefined);
  await once(client, 'open');
  return found.promise;
}

test('a client that answers pings stays, however long it is silent', async () => {
  const socket = await opened();
  for (let beat = 0; beat < 10; beat += 1) {
    const asked = once(client, 'ping');
    socket.beat();
    await asked;
    await roundTrip();
  }
  expect(socket.isOpen).toBe(true);
});

test('a client that neither answers nor reads is left after three beats', async () => {
  const socket = await opened();
  client.pause();
  for (let beat = 0; beat < 3; beat += 1) socket.beat();
  expect(socket.isOpen).toBe(true);
  socket.beat();
  expect(await socket.closed).toBe('silent');
});

test('a client that reads slowly stays', async () => {
  const socket = await opened();
  client.pause();
  const sent = Array.from({ length: 200 }, () => socket.send(Buffer.alloc(64 * 1024, 'x')));
  const waits = sent.findLast((each) => each !== undefined);
  for (let beat = 0; beat < 3; beat += 1) socket.beat();
  const some = once(client, 'message');
  client.resume();
  await some;
  await waits;
  socket.beat();
  expect(socket.isOpen).toBe(true);
});

test('a client that causes messages and reads none is left', async () => {
  const socket = await opened();
  client.pause();
  for (let count = 0; count < 2_000 && socket.isOpen; count += 1) socket.sendUnasked(Buffer.alloc(64 * 1024, 'x'));
  expect(await socket.closed).toBe('unread');
});

test('a socket is closed at its longest age, after its work', async () => {
  const socket = await opened();
  const work = Promise.withResolvers<void>();
  const finished: string[] = [];
  const sockets = createOpenSockets({ most: 1, mostPerKey: 1, onFailed: () => undefined, longestMs: 1 });
  sockets.enter({ keyId: 'key' });
  const closed = once(client, 'close');
  const aged = Promise.withResolvers<void>();
  sockets.keep({
    socket,
    principal: { accountId: 'acc', keyId: 'key' },
    checkKey: async () => undefined,
    session: {
      message: () => undefined,
      report: () => undefined,
      finish(why) {
        finished.push(why);
        aged.resolve();
        return work.promise;
      },
    },
  });
  await aged.promise;
  expect([finished, socket.isOpen]).toEqual([['age'], true]);
  work.resolve();
  const [code, reason] = (await closed) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([1001, 'This socket has been open for an hour. Open another one.']);
  expect(await socket.closed).toBe('age');
});

test('a socket whose key is prolonged stays open until that has expired as well', async () => {
  const socket = await opened();
  const checks: number[] = [];
  const sockets = createOpenSockets({ most: 1, mostPerKey: 1, onFailed: () => undefined });
  sockets.enter({ keyId: 'key' });
  const soon = () => new Date(Date.now() + 20).toISOString();
  sockets.keep({
    socket,
    principal: { accountId: 'acc', keyId: 'key' },
    expiresAt: soon(),
    async checkKey() {
      checks.push(checks.length);
      if (checks.length > 1) throw new Error('auth-svc is away');
      return { expiresAt: soon() };
    },
    session: { message: () => undefined, report: () => undefined, finish: async () => undefined },
  });
  expect(await socket.closed).toBe('key');
  expect(checks).toEqual([0, 1]);
});

test('a socket whose key does not expire any more stays open', async () => {
  const socket = await opened();
  const checked = Promise.withResolvers<void>();
  let checks = 0;
  const sockets = createOpenSockets({ most: 1, mostPerKey: 1, onFailed: () => undefined });
  sockets.enter({ keyId: 'key' });
  sockets.keep({
    socket,
    principal: { accountId: 'acc', keyId: 'key' },
    expiresAt: new Date(Date.now() - 1).toISOString(),
    async checkKey() {
      checks += 1;
      checked.resolve();
      return {};
    },
    session: { message: () => undefined, report: () => undefined, finish: async () => undefined },
  });
  await checked.promise;
  await roundTrip();
  expect([socket.isOpen, checks]).toEqual([true, 1]);
});

/** What the client has sent before it has arrived when its next message is answered. */
async function roundTrip(): Promise<void> {
  const answer = once(client, 'pong');
  client.ping();
  await answer;
}
