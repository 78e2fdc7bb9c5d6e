import { expect, test } from 'vitest';
import { readAll, readAllPieces } from './read-all.ts';

const kibibyte = 1024;

/** A body that arrives in these steps. */
function bodyOf(...steps: readonly Buffer[][]) {
  const waiting = [...steps];
  return { ready: async () => waiting.length > 0, take: () => waiting.shift() ?? [] };
}
const bytes = (length: number, value = 1) => Buffer.alloc(length, value);
const lengths = async (...chunks: readonly number[]) =>
  (await readAllPieces(bodyOf(chunks.map((length) => bytes(length))))).map(({ length }) => length);

test('keeps large chunks as they are', async () => {
  const chunks = [bytes(4 * kibibyte), bytes(100 * kibibyte, 2)];
  const pieces = await readAllPieces(bodyOf(chunks.slice(0, 1), chunks.slice(1)));
  expect(pieces.map((piece, at) => piece === chunks[at])).toEqual([true, true]);
});

test('joins small chunks, in order', async () => {
  const pieces = await readAllPieces(
    bodyOf([bytes(1, 1), bytes(2, 2)], [bytes(4_096, 3)], [], [bytes(4_095, 4), bytes(1, 5)]),
  );
  expect(pieces).toEqual([Buffer.from([1, 2, 2]), bytes(4_096, 3), Buffer.concat([bytes(4_095, 4), bytes(1, 5)])]);
});

test('joins small chunks once 64 KiB of them are waiting', async () => {
  expect(await lengths(...Array.from({ length: 65 }, () => kibibyte))).toEqual([64 * kibibyte, kibibyte]);
  expect(await lengths(...Array.from({ length: 64 }, () => kibibyte))).toEqual([64 * kibibyte]);
});

test('returns a single chunk itself, and an empty buffer for no chunks', async () => {
  const chunk = bytes(3);
  expect(await readAll(bodyOf([chunk]))).toBe(chunk);
  expect(await readAll(bodyOf())).toEqual(Buffer.alloc(0));
});

test('joins several chunks', async () => {
  const chunks = [bytes(5 * kibibyte, 1), bytes(1, 2), bytes(5 * kibibyte, 3)];
  expect(await readAll(bodyOf(chunks))).toEqual(Buffer.concat(chunks));
});

test('counts portions of 64 KiB or more while it reads, and waits for room', async () => {
  const held: number[] = [];
  const room = Promise.withResolvers<void>();
  const steps = [[bytes(64 * kibibyte - 1)], [bytes(1)], [bytes(100 * kibibyte), bytes(1)], [bytes(3)]];
  const body = bodyOf(...steps);
  let isRead = false;
  const take = () => {
    isRead = true;
    return body.take();
  };
  const reading = readAllPieces({ ...body, take }, (portion) => {
    held.push(portion);
    return held.length === 1 ? room.promise : undefined;
  });
  await new Promise(setImmediate);
  isRead = false;
  await new Promise(setImmediate);
  expect({ held, isRead }).toEqual({ held: [64 * kibibyte], isRead: false });
  room.resolve();
  expect(Buffer.concat(await reading)).toEqual(Buffer.concat(steps.flat()));
  expect(held).toEqual([64 * kibibyte, 100 * kibibyte + 1]);
});

test('fails if there is no room', async () => {
  const error = new Error('no room');
  await expect(readAllPieces(bodyOf([bytes(64 * kibibyte)], [bytes(1)]), () => Promise.reject(error))).rejects.toBe(
    error,
  );
});
