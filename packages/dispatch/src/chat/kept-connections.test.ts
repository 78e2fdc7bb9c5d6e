import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fallback } from '../plan/fallback.ts';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';

const completion = JSON.stringify({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }],
});
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${completion.length}\r\n\r\n${completion}`;

let bench: DispatchBench;
let server: Server;
let sockets: Socket[];
/** Requests that the vendor's process has read. */
let requestsRead: number;

afterEach(async () => {
  await bench.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Answers the first request of each connection and keeps the connection open; then does what the test says. */
async function start(onKept: (socket: Socket) => void, reply = answer): Promise<void> {
  sockets = [];
  requestsRead = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requestsRead += 1;
      requests += 1;
      if (requests > 1) onKept(socket);
      else socket.write(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  bench = await startDispatchBench({ baseUrl: `http://127.0.0.1:${port}` });
}

const ask = (fallback: Fallback | undefined = 'never') => bench.dispatch.complete(bench.job({ fallback }));

/** The connection is free again one turn after its answer was read. */
async function askFirst(): Promise<void> {
  await ask();
  await new Promise((later) => setImmediate(later));
}

describe('a request on a kept connection that the vendor has read', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['and closes', (socket) => socket.end()],
    // Pause: the server closes when the connection is kept already.
    ['and closes later', (socket) => void setTimeout(() => socket.end(), 50)],
    ['and resets', (socket) => socket.resetAndDestroy()],
    // Pause: the server resets when the connection is kept already.
    ['and resets later', (socket) => void setTimeout(() => socket.resetAndDestroy(), 50)],
    ['and closes after half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
  ])('%s is not sent again', async (_name, onKept) => {
    await start(onKept);
    await askFirst();
    await expect(ask()).rejects.toMatchObject({ code: 'all_providers_failed' });
    expect(requestsRead).toBe(2);
    expect(bench.outcomes[1]?.attempts).toMatchObject([{ error_type: 'provider_connection_failed', succeeded: false }]);
  });

  test('that is closed is tried at another provider, as a separate attempt', async () => {
    await start((socket) => socket.end());
    await askFirst();
    const { routing } = await ask('any-failure');
    expect(requestsRead).toBe(3);
    expect(routing).toMatchObject([
      { provider: bench.providers[0], error_type: 'provider_connection_failed' },
      { provider: bench.providers[1], error_type: 'none', succeeded: true },
    ]);
  });
});

describe('a request on a kept connection that the vendor ended before it read the request', () => {
  test.each<[string, () => Promise<{ routing: readonly object[] }>]>([
    [
      'while it was idle',
      () => {
        sockets[0]?.resetAndDestroy();
        return ask();
      },
    ],
    [
      'just before it was written',
      () => {
        setImmediate(() => sockets[0]?.resetAndDestroy());
        return ask();
      },
    ],
    [
      'by closing it, just before it was written',
      () => {
        setImmediate(() => sockets[0]?.destroy());
        return ask();
      },
    ],
  ])('%s is sent again, on a new connection', async (_name, reset) => {
    await start((socket) => socket.write(answer));
    await askFirst();
    const { routing } = await reset();
    expect(routing).toMatchObject([{ succeeded: true }]);
    expect([requestsRead, sockets.length]).toEqual([2, 2]);
  });
});

describe('interim answers', () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
  test.each([
    ['100 Continue', interim + answer],
    ['100 Continue with headers, twice', `HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n${interim}${answer}`],
    ['103 Early Hints', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer}`],
  ])('%s, though not requested, precedes the answer', async (_name, reply) => {
    await start((socket) => socket.write(reply), reply);
    await askFirst();
    const { completion: second } = await ask();
    expect(second.choices[0]?.message.content).toBe('x');
    expect(sockets).toHaveLength(1);
  });

  test('100 Continue may come byte by byte', async () => {
    await start(() => undefined, '');
    const asked = ask();
    await expect.poll(() => requestsRead).toBe(1);
    sockets[0]?.setNoDelay(true);
    for (const byte of interim + answer) await new Promise((sent) => sockets[0]?.write(byte, sent));
    expect((await asked).completion.choices[0]?.message.content).toBe('x');
  });

  test('what looks like one in the middle of an answer belongs to the answer', async () => {
    const text = `${interim}is an interim answer`;
    const body = completion.replace('"x"', JSON.stringify(text));
    const spoken = Buffer.from(body);
    const at = spoken.indexOf('HTTP/1.1 100');
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${spoken.length}\r\n\r\n`;
    await start(() => undefined, '');
    const asked = ask();
    await expect.poll(() => requestsRead).toBe(1);
    await new Promise((sent) => sockets[0]?.write(head + spoken.subarray(0, at).toString(), sent));
    await new Promise((later) => setImmediate(() => setImmediate(later)));
    sockets[0]?.write(spoken.subarray(at));
    expect((await asked).completion.choices[0]?.message.content).toBe(text);
  });
});
