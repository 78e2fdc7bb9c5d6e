import { expect, test } from 'vitest';
import { encodeSocketMessage, type SocketMessage, SocketMessageDecoder } from './messages.ts';

const messages: SocketMessage[] = [
  { kind: 'text', bytes: Buffer.from('{"type":"ä"}') },
  { kind: 'text', bytes: Buffer.alloc(0) },
  { kind: 'binary', bytes: Buffer.from([0, 1, 255]) },
  { kind: 'close', code: 1012, reason: 'Neustart: später' },
];
const stream = Buffer.concat(messages.map(encodeSocketMessage));

test('messages are the same wherever their stream is cut in two', () => {
  for (let at = 0; at <= stream.length; at += 1) {
    const decoder = new SocketMessageDecoder(100);
    const read = [...decoder.push(stream.subarray(0, at)), ...decoder.push(stream.subarray(at))];
    expect(read).toEqual(messages);
  }
});

test('messages are the same byte by byte', () => {
  const decoder = new SocketMessageDecoder(100);
  expect([...stream].flatMap((byte) => decoder.push(Buffer.from([byte])))).toEqual(messages);
});

test('a message has up to the most bytes, and one more is refused before it has arrived', () => {
  const atLimit = encodeSocketMessage({ kind: 'text', bytes: Buffer.alloc(10) });
  expect(new SocketMessageDecoder(10).push(atLimit)).toHaveLength(1);
  const beyond = encodeSocketMessage({ kind: 'text', bytes: Buffer.alloc(11) });
  expect(() => new SocketMessageDecoder(10).push(beyond.subarray(0, 5))).toThrow(RangeError);
});

test.each([
  ['an unknown kind', [3, 0, 0, 0, 0]],
  ['a close without a code', [2, 0, 0, 0, 1, 7]],
])('%s is refused', (_, bytes) => {
  expect(() => new SocketMessageDecoder(10).push(Buffer.from(bytes))).toThrow(RangeError);
});
