import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
// Pause: connections are closed after they were unused or unknown for a time.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createCachedLookup } from '../names/cached-lookup.ts';
import { createConnector } from './connector.ts';
import { openUpstream } from './open.ts';
import { OriginPool } from './origin-pool.ts';
import type { Pools } from './pools.ts';
import { readAll } from './read-all.ts';
import { UpstreamFailure } from './upstream-failure.ts';

const usual = { unknownMs: 100, unusedMs: 150, mostMs: 400, recentMs: 50 };

let server: Server;
let sockets: Socket[];
let requestsRead: number;
let pool: OriginPool;
let origin: string;
let roundTripMs: number;
const roundTrip = { leastMs: () => roundTripMs, took: () => undefined };

afterEach(async () => {
  await pool.destroy();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const answer = (headers = ''): string => `HTTP/1.1 200 OK\r\n${headers}content-length: 1\r\n\r\nx`;
const reply = (socket: Socket): void => void socket.write(answer());

/** A server that does this with each request on a connection, which is its first or a later one. */
async function start(
  onRequest: (socket: Socket, nth: number) => void = reply,
  limitsHere: Partial<typeof usual> = {},
): Promise<void> {
  sockets = [];
  requestsRead = 0;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    let nth = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requestsRead += 1;
      nth += 1;
      onRequest(socket, nth);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  // Measured by no connection, so that a test can say how far away the server is.
  roundTripMs = 0;
  const connect = createConnector({ timeoutMs: 1_000, names: createCachedLookup(), roundTrip });
  pool = new OriginPool(origin, { connect, roundTrip, limits: { ...usual, ...limitsHere } });
}

const pools: Pools = { get: () => pool, close: async () => undefined };

interface Asked {
  body?: string | readonly Uint8Array[];
  onSent?: () => void;
  onUnread?: () => void;
}

async function ask({ body = '{}', ...options }: Asked = {}): Promise<string> {
  const call = openUpstream(
    pools,
    { origin, path: '/', method: 'POST', headers: {}, body },
    { maxBytes: 100, ...options },
  );
  await call.head();
  const text = (await readAll(call)).toString();
  // The connection is free again one turn later.
  await new Promise((later) => setImmediate(later));
  return text;
}

const opened = (count: number) => expect.poll(() => sockets.length).toBe(count);

describe('an idle connection', () => {
  test('is used again', async () => {
    await start();
    for (const _ of [1, 2, 3]) expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(1);
  });

  test('that became free last is used first', async () => {
    const answers: (() => void)[] = [];
    await start((socket) => void answers.push(() => reply(socket)));
    const [first, second] = [ask(), ask()];
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await second;
    answers[0]?.();
    await first;
    const third = ask();
    await expect.poll(() => answers.length).toBe(3);
    const asked = sockets.map(({ bytesRead }) => bytesRead);
    answers[2]?.();
    await third;
    expect(asked[0]).toBeGreaterThan(asked[1] ?? 0);
  });

  test('is not used after the time for servers that are not known, but replaced by one more', async () => {
    await start();
    await ask();
    await opened(2);
    await ask();
    expect(sockets.map(({ bytesRead }) => bytesRead > 0)).toEqual([true, true]);
    expect(requestsRead).toBe(2);
  });

  test('is replaced once, not again and again, and ends at the longest time', async () => {
    await start();
    await ask();
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    await opened(2);
    for (const socket of sockets) socket.on('end', () => socket.end());
    await expect.poll(connections).toBe(0);
    expect(sockets).toHaveLength(2);
  });

  test('is used as long as another one was seen open', async () => {
    await start();
    await ask();
    await opened(2);
    await ask();
    await pause(usual.unknownMs + 50);
    // The first one has been open for longer than the second one is idle.
    await ask();
    expect(sockets.slice(0, 2).map(({ bytesRead }) => bytesRead > 0)).toEqual([true, true]);
    expect(sockets).toHaveLength(2);
  });

  test('of a server that closes it at once is not used', async () => {
    await start((socket) => void socket.end(answer()));
    for (const _ of [1, 2, 3]) expect(await ask()).toBe('x');
    expect(requestsRead).toBe(3);
  });

  test.each(['connection: close\r\n', 'keep-alive: timeout=0\r\n'])('is not used after %j', async (header) => {
    await start((socket) => void socket.write(answer(header)));
    for (const _ of [1, 2, 3]) expect(await ask()).toBe('x');
    expect(requestsRead).toBe(3);
    expect(sockets.length).toBeGreaterThanOrEqual(3);
  });

  test('that the server closed is replaced before the next request', async () => {
    await start();
    await ask();
    sockets[0]?.end();
    await opened(2);
    await ask();
    expect(sockets.map(({ bytesRead }) => bytesRead > 0)).toEqual([true, true]);
  });

  test.each<[string, (socket?: Socket) => void]>([
    ['half-closed', (socket) => socket?.end()],
    ['reset', (socket) => socket?.resetAndDestroy()],
    ['destroyed', (socket) => socket?.destroy()],
  ])('that was %s in the moment of the request is not the one that gets it', async (_name, close) => {
    await start();
    await ask();
    close(sockets[0]);
    expect(await ask()).toBe('x');
    expect(requestsRead).toBe(2);
  });
});

describe('after several requests at once', () => {
  /** Answers each group of requests when all of them have been read. */
  async function startGroups(size: number, unusedMs = 60_000): Promise<void> {
    const waiting: Socket[] = [];
    const answerAll = (socket: Socket): void => {
      waiting.push(socket);
      if (waiting.length === size) waiting.splice(0).forEach(reply);
    };
    await start(answerAll, { recentMs: 60_000, unusedMs });
  }
  const askAtOnce = (size: number) => Promise.all(Array.from({ length: size }, () => ask()));

  test('as many connections stay ready', async () => {
    await startGroups(3);
    await askAtOnce(3);
    await opened(6);
    await askAtOnce(3);
    expect(sockets).toHaveLength(6);
    expect(sockets.every(({ bytesRead }) => bytesRead > 0)).toBe(true);
  });

  test('those that were not used are replaced as well', async () => {
    await startGroups(2, usual.unusedMs);
    await askAtOnce(2);
    await expect.poll(() => sockets.length).toBeGreaterThanOrEqual(6);
  });

  test('no more than 32 stay ready', async () => {
    await startGroups(40);
    await askAtOnce(40);
    await opened(72);
    await pause(usual.unknownMs);
    expect(sockets).toHaveLength(72);
  });

  test('a server that ends unused connections soon gets no others', async () => {
    await startGroups(2, usual.unusedMs);
    await askAtOnce(2);
    server.on('connection', (socket) => socket.end());
    await opened(4);
    await pause(2 * usual.unusedMs);
    expect(sockets).toHaveLength(4);
  });
});

describe('an answer that is abandoned', () => {
  test('leaves a connection for the next request', async () => {
    await start((socket, nth) =>
      nth === 1 ? reply(socket) : socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
    );
    await ask();
    const call = openUpstream(pools, { origin, path: '/', method: 'POST', headers: {}, body: '{}' }, { maxBytes: 100 });
    await call.head();
    call.abort(new UpstreamFailure('left', 'was not read'));
    await opened(2);
    expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(2);
  });
});

describe('a connection opened ahead', () => {
  test('is one, however often it is wanted, and serves the next request', async () => {
    await start();
    for (const _ of [1, 2, 3]) pool.openAhead();
    await opened(1);
    pool.openAhead();
    expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(1);
  });

  test('serves a request that arrives while it is being opened', async () => {
    await start();
    pool.openAhead();
    expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(1);
  });

  test('may end before it is used', async () => {
    await start();
    pool.openAhead();
    await opened(1);
    sockets[0]?.resetAndDestroy();
    expect(await ask()).toBe('x');
  });

  test('may be refused, and is opened again later', async () => {
    await start();
    server.close();
    pool.openAhead();
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    pool.openAhead();
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
  });
});

describe('an expected request', () => {
  test('has a connection, which is not opened again before an unused one ends', async () => {
    await start();
    for (const _ of [1, 2, 3]) pool.expectRequest();
    await opened(1);
    sockets[0]?.destroy();
    pool.expectRequest();
    expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(2);
  });

  test('uses the connection that is there', async () => {
    await start();
    await ask();
    pool.expectRequest();
    expect(await ask()).toBe('x');
    expect(sockets).toHaveLength(1);
  });
});

describe('a request on a connection that the server closes', () => {
  /** Answers the first request of a connection, and closes it with the second one. */
  const closesUnderSecond = (close: (socket: Socket) => void) =>
    start((socket, nth) => (nth === 1 ? reply(socket) : close(socket)));
  const counts = () => {
    const seen = { sent: 0, unread: 0 };
    return { seen, onSent: () => void (seen.sent += 1), onUnread: () => void (seen.unread += 1) };
  };

  const ways: [string, (socket: Socket) => void][] = [
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
  ];

  test.each(ways)('is sent again once if it %s sooner than a request can arrive', async (_name, close) => {
    await closesUnderSecond(close);
    const { seen, ...count } = counts();
    await ask();
    // As if the server were far away: its end was sent before the request arrived.
    roundTripMs = 60_000;
    expect(await ask(count)).toBe('x');
    expect(seen).toEqual({ sent: 2, unread: 1 });
  });

  test.each(ways)('is not sent again if it %s later', async (_name, close) => {
    await closesUnderSecond(close);
    const { seen, ...count } = counts();
    await ask();
    await expect(ask(count)).rejects.toMatchObject({ kind: 'connection' });
    expect(seen).toEqual({ sent: 1, unread: 0 });
    expect(requestsRead).toBe(2);
  });

  test('is sent again if it was closed just before the request was written', async () => {
    await start();
    const { seen, ...count } = counts();
    await ask();
    // The end is on its way when undici writes the request, and the system of the server refuses the request.
    setImmediate(() => sockets[0]?.destroy());
    expect(await ask(count)).toBe('x');
    expect(seen).toEqual({ sent: 2, unread: 1 });
    expect(requestsRead).toBe(2);
  });

  test('is not sent again if the server reads it after its end', async () => {
    await start();
    await ask();
    setImmediate(() => sockets[0]?.end());
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    expect(requestsRead).toBe(2);
  });

  test('is not sent again after an interim answer', async () => {
    await closesUnderSecond((socket) => void socket.end('HTTP/1.1 100 Continue\r\n\r\n'));
    await ask();
    roundTripMs = 60_000;
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    expect(requestsRead).toBe(2);
  });

  test('is sent again at most once', async () => {
    let isClosing = false;
    await start((socket) => (isClosing ? socket.end() : reply(socket)));
    await ask();
    isClosing = true;
    roundTripMs = 60_000;
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    expect(requestsRead).toBe(3);
  });

  test('is not sent again after the beginning of an answer', async () => {
    await closesUnderSecond((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-'));
    await ask();
    roundTripMs = 60_000;
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    expect(requestsRead).toBe(2);
  });

  test('is not sent again on a new connection', async () => {
    await start((socket) => void socket.end());
    roundTripMs = 60_000;
    await expect(ask()).rejects.toMatchObject({ kind: 'connection' });
    expect(requestsRead).toBe(1);
  });

  test('is sent again with the whole of a body in slices', async () => {
    await closesUnderSecond((socket) => void socket.end());
    await ask();
    roundTripMs = 60_000;
    expect(await ask({ body: [Buffer.from('{'), Buffer.from('}')] })).toBe('x');
  });
});
