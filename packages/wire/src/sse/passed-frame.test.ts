import { expect, test } from 'vitest';
import { createSseDecoder } from './decoder.ts';
import { sseComment, sseDone, sseText } from './encode.ts';
import { encodePassedFrame, passedEvent, unmarkedEvents } from './passed-frame.ts';

const named = encodePassedFrame({ event: 'delta' }, Buffer.from('{"a":1}'));
const unnamed = encodePassedFrame({ event: undefined }, Buffer.from('{"b":2}'));
const inLines = encodePassedFrame({ event: 'x' }, Buffer.from('{\n"c":3}'));
const own = sseText('{"d":4}', 'delta');

test('a decoder reads passed events with their names and data, and no others', () => {
  const frames = createSseDecoder({ maxFrameBytes: 100 }).push(
    Buffer.concat([named, unnamed, inLines, Buffer.from(own)]),
  );
  expect(frames.map((frame) => [passedEvent(frame), frame.data.toString()])).toEqual([
    [{ name: 'delta' }, '{"a":1}'],
    [{ name: undefined }, '{"b":2}'],
    [{ name: 'x' }, '{\n"c":3}'],
    [undefined, '{"d":4}'],
  ]);
});

test('the marks of whole passed events are removed', () => {
  expect(unmarkedEvents(Buffer.concat([named, unnamed, inLines]))?.toString()).toBe(
    'event: delta\ndata: {"a":1}\n\ndata: {"b":2}\n\nevent: x\ndata: {\ndata: "c":3}\n\n',
  );
});

test.each([
  ['events of our own', Buffer.from(own)],
  ['events of our own among them', Buffer.concat([named, Buffer.from(own)])],
  ['a comment', sseComment()],
  ['the end', sseDone()],
  ['numbered events', Buffer.concat([Buffer.from('id: 1\n'), named])],
  ['a part of an event', named.subarray(0, -1)],
])('%s are left to a decoder', (_name, bytes) => {
  expect(unmarkedEvents(bytes)).toBeUndefined();
});
