import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { closeNow, listening } from '../testing/test-servers.ts';
import { type LingerBounds, LingeringClose } from './lingering-close.ts';

const mebibyte = 1024 ** 2;

describe('a connection whose request is refused before its end', () => {
  let server: Server;
  let clients: Socket[] = [];
  let served: string[] = [];
  afterEach(() => {
    clients.forEach((socket) => socket.destroy());
    closeNow(server);
  });

  async function open(bounds: LingerBounds): Promise<number> {
    clients = [];
    served = [];
    server = createServer((request, response) => {
      if (!closing.accepts(request)) return;
      served.push(request.url ?? '');
      response.writeHead(401, { connection: 'close', 'content-length': 2 }).end('no');
    });
    const closing = new LingeringClose(server, bounds);
    return Number(new URL(await listening(server)).port);
  }

  /** Resolves when the client has its response. */
  async function refused(port: number, body = '', length = 2 ** 40): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1' });
    clients.push(socket);
    socket.on('error', () => undefined);
    socket.write(`POST /first HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${body}`);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 401 .*no$/s);
    return socket;
  }
  const isClosed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

  test('is closed when the request is complete', async () => {
    const socket = await refused(await open({ connections: 1, bytes: mebibyte, ms: 60_000 }), 'half', 8);
    const closed = isClosed(socket);
    socket.write('half');
    await closed;
  });

  test('is closed after a time', async () => {
    const startedAt = performance.now();
    await isClosed(await refused(await open({ connections: 1, bytes: mebibyte, ms: 200 })));
    expect(performance.now() - startedAt).toBeGreaterThan(190);
  });

  test('is closed after a number of bytes', async () => {
    const socket = await refused(await open({ connections: 1, bytes: 8 * mebibyte, ms: 60_000 }));
    let sent = 0;
    const pour = (): void => {
      while (!socket.destroyed && sent < 128 * mebibyte) {
        sent += 65_536;
        if (!socket.write(Buffer.alloc(65_536))) return void socket.once('drain', pour);
      }
    };
    const closed = isClosed(socket);
    pour();
    await closed;
    expect(sent).toBeGreaterThan(8 * mebibyte);
    // What the system buffers comes on top.
    expect(sent).toBeLessThan(40 * mebibyte);
  });

  test('is closed at once if too many others linger, and lingers when one of them has ended', async () => {
    const port = await open({ connections: 1, bytes: mebibyte, ms: 60_000 });
    const first = await refused(port);
    await isClosed(await refused(port));
    first.destroy();
    await expect
      .poll(async () => {
        const later = await refused(port);
        return Promise.race([
          isClosed(later).then(() => 'closed'),
          // Pause: a connection that is closed at once is closed by then.
          new Promise((resolve) => setTimeout(resolve, 100, 'open')),
        ]);
      })
      .toBe('open');
  });

  test('serves no further request', async () => {
    const socket = await refused(await open({ connections: 1, bytes: mebibyte, ms: 60_000 }), 'half', 8);
    const closed = isClosed(socket);
    socket.write('halfGET /second HTTP/1.1\r\nhost: a\r\n\r\n');
    await closed;
    expect(served).toEqual(['/first']);
  });
});
