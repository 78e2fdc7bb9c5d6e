import { expect, test } from 'vitest';
import { createSseDecoder } from '../sse/decoder.ts';
import { passedBytes, passedEvent } from './passed-event.ts';

const events = [
  passedEvent({ event: 'delta' }, Buffer.from('{"a":1}')),
  passedEvent({ event: undefined }, Buffer.from('{"b":2}')),
  passedEvent({ event: 'x' }, Buffer.from('{\n"c":3}')),
];

test('a decoder reads passed events with their names and data', () => {
  const bytes = Buffer.concat(events.map((event) => event.bytes));
  expect(bytes.toString()).toBe('event: delta\ndata: {"a":1}\n\ndata: {"b":2}\n\nevent: x\ndata: {\ndata: "c":3}\n\n');
  const frames = createSseDecoder({ maxFrameBytes: 100 }).push(bytes);
  expect(frames.map(({ event, data }) => [event, data.toString()])).toEqual([
    ['delta', '{"a":1}'],
    [undefined, '{"b":2}'],
    ['x', '{\n"c":3}'],
  ]);
});

test.each(events)('an event has the data that it was made from: $name', (event) => {
  const again = passedBytes(event.name, event.bytes);
  const datas = [event, again].map(({ name, data }) => [name, JSON.parse(data.toString())]);
  expect(datas[0]).toEqual(datas[1]);
  expect(Object.values(datas[0]?.[1])).toHaveLength(1);
});

test("a frame's data is copied, because it is a view", () => {
  const data = Buffer.from('{"a":1}');
  const event = passedEvent({ event: undefined }, data);
  data.fill(0);
  expect(event.data.toString()).toBe('{"a":1}');
});
