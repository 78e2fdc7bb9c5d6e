import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { createSockets, type UpstreamSockets } from './open-sockets.ts';
import { UpstreamSocket } from './upstream-socket.ts';

/** Tests the socket of a vendor with a real one that misbehaves; only the time is not real. */
const mostBytes = 1024;

let sockets: UpstreamSockets;
let server: WebSocketServer | undefined;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  sockets = createSockets({ openMs: 1_000, maxMessageBytes: mostBytes });
});
afterEach(() => {
  vi.useRealTimers();
  sockets.close();
  for (const client of server?.clients ?? []) client.terminate();
  server?.close();
});

async function opened(options: ServerOptions = {}): Promise<{ socket: UpstreamSocket; vendor: WebSocket }> {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  server = listening;
  await once(listening, 'listening');
  const connected = once(listening, 'connection');
  const { port } = listening.address() as AddressInfo;
  const socket = await sockets.open({ origin: `http://127.0.0.1:${port}`, path: '/', headers: {} }).opened;
  if (!(socket instanceof UpstreamSocket)) throw new TypeError('It was refused.');
  const [vendor] = (await connected) as [WebSocket];
  return { socket, vendor };
}

const text = (length: number) => ({ kind: 'text', bytes: Buffer.alloc(length, 'x') }) as const;

/** Whether a promise is settled by what has happened so far. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
};

test('a message is read up to the limit, and a larger one ends the socket', async () => {
  const { socket, vendor } = await opened();
  vendor.send('x'.repeat(mostBytes));
  expect(await socket.read()).toEqual(text(mostBytes));
  vendor.send('x'.repeat(mostBytes + 1));
  await expect(socket.read()).rejects.toMatchObject({ kind: 'too_large' });
});

test('a vendor that reads nothing for 30 seconds is left, and not before', async () => {
  const { socket, vendor } = await opened();
  vendor.pause();
  const sent = Array.from({ length: 64 }, () => socket.send(text(1024 * 1024)));
  const last = sent.at(-1) ?? Promise.resolve();
  const read = socket.read();
  vi.advanceTimersByTime(29_999);
  expect([await isSettled(read), await isSettled(last)]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  await expect(read).rejects.toMatchObject({ kind: 'stalled' });
  await last;
});

test('a vendor that reads late, but in time, gets everything', async () => {
  const { socket, vendor } = await opened();
  vendor.pause();
  let received = 0;
  vendor.on('message', (data: Buffer) => (received += data.length));
  const sent = Array.from({ length: 32 }, () => socket.send(text(1024 * 1024)));
  vi.advanceTimersByTime(29_999);
  vendor.resume();
  for (const each of sent) await each;
  vi.advanceTimersByTime(30_000);
  await expect.poll(() => received).toBe(32 * 1024 * 1024);
});

test('a vendor that does not answer pings is left at the third beat', async () => {
  const { socket, vendor } = await opened({ autoPong: false });
  const read = socket.read();
  for (let beat = 0; beat < 2; beat += 1) {
    const pinged = once(vendor, 'ping');
    vi.advanceTimersByTime(15_000);
    await pinged;
  }
  vi.advanceTimersByTime(15_000);
  await expect(read).rejects.toMatchObject({ kind: 'stalled' });
});

test('a vendor that answers pings stays', async () => {
  const { socket, vendor } = await opened();
  for (let beat = 0; beat < 5; beat += 1) {
    const pinged = once(vendor, 'ping');
    vi.advanceTimersByTime(15_000);
    await pinged;
    // It is behind the pong.
    vendor.send('x');
    expect(await socket.read()).toEqual(text(1));
  }
});

test('everything that a vendor sends before it is read is read in its order', async () => {
  const { socket, vendor } = await opened();
  const messages = 64 * 1024;
  for (let count = 0; count < messages; count += 1) vendor.send(String(count).padEnd(mostBytes, '.'));
  for (let count = 0; count < messages; count += 1) {
    const message = await socket.read();
    if (message?.kind !== 'text' || Number.parseInt(message.bytes.toString('utf8', 0, 8), 10) !== count)
      throw new Error(`Message ${count} is not in its place.`);
  }
});
