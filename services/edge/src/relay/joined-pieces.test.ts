import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Body } from '@tallyport/bus';
import { listen } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { createJoinedPieces } from './joined-pieces.ts';
import { readRequestBody, readWholeBody } from './read-body.ts';

const tiny = (count: number) => Array.from({ length: count }, (_, index) => Buffer.of(index % 251));

function heldOf(pieces: readonly Buffer[]) {
  const joined = createJoinedPieces();
  let most = 0;
  for (const piece of pieces) {
    joined.add(piece);
    most = Math.max(most, joined.held());
  }
  return { most, whole: joined.whole() };
}

test.each([
  [1_023, 1_023],
  [1_024, 1_023],
  [1_025, 1_023],
  [300_000, 1_314],
])('of %i pieces of one byte, holds at most %i', (count, mostHeld) => {
  const pieces = tiny(count);
  const { most, whole } = heldOf(pieces);
  expect(most).toBe(mostHeld);
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
});

async function piecesOf(body: Body): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  if (body instanceof Uint8Array) return [body];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

test('does not copy a single piece, and returns an empty body for none', () => {
  const piece = Buffer.from('abc');
  expect(heldOf([piece]).whole).toBe(piece);
  expect(heldOf([]).whole).toEqual(Buffer.alloc(0));
});

test.each([
  ['whole', async (...read: Parameters<typeof readWholeBody>) => [await readWholeBody(...read)]],
  ['as a stream', async (...read: Parameters<typeof readRequestBody>) => piecesOf(await readRequestBody(...read))],
])('reads a body in HTTP chunks of one byte %s: unchanged and in few pieces', async (_how, readBody) => {
  const read = Promise.withResolvers<readonly Uint8Array[]>();
  const server = createServer((request, response) => {
    let bytes = 0;
    const reservation = { grow: (more: number) => void (bytes += more), release() {} };
    const whole = readBody(request, reservation).finally(() => void response.end());
    whole.then(read.resolve, read.reject);
  });
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  const body = Buffer.concat(tiny(5_000));
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write(Buffer.concat([...body].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]))));
  socket.write('0\r\n\r\n');
  const pieces = await read.promise;
  expect(body.equals(Buffer.concat(pieces))).toBe(true);
  expect(pieces.length).toBeLessThan(500);
  socket.destroy();
  server.close();
});
