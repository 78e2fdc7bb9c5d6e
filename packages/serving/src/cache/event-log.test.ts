import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventLog, eventReader } from './event-log.ts';

const readAll = (log: EventLog): string[] => {
  const next = eventReader(() => log.bytes());
  const events: string[] = [];
  for (let event = next(); event !== undefined; event = next()) events.push(event.toString());
  return events;
};

const event = fc
  .tuple(fc.constantFrom('data: {"a":', 'data: {"b":', ''), fc.string({ unit: 'binary' }), fc.constantFrom('"}', '}'))
  .map((parts) => `${parts.join('').replaceAll('\n', ' ')}\n\n`);

test('returns the pushed events', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const log = new EventLog();
      for (const each of events) log.push(Buffer.from(each));
      expect(readAll(log)).toEqual(events);
    }),
  );
});

test('can be read while it grows', () => {
  const log = new EventLog();
  const next = eventReader(() => log.bytes());
  const seen: (string | undefined)[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    log.push(Buffer.from(`data: {"text":"word ${count}"}\n\n`));
    seen.push(next()?.toString(), next()?.toString());
  }
  expect(seen.filter((text) => text === undefined)).toHaveLength(1_000);
  expect(seen.filter((text) => text !== undefined)).toEqual(readAll(log));
});

test('stores the events of a stream in little more than their text', () => {
  const log = new EventLog();
  const chunk = (text: string) =>
    `data: {"id":"chatcmpl-123456789","object":"chat.completion.chunk","created":1700000000,"model":"a/b","choices":[{"index":0,"delta":{"content":"${text}"},"logprobs":null,"finish_reason":null}]}\n\n`;
  for (let count = 0; count < 1_000; count += 1) log.push(Buffer.from(chunk(` word${count % 100}`)));
  expect(log.size).toBeLessThan(10 * 1_000);
  expect(readAll(log)).toHaveLength(1_000);
});

const broken = new RangeError('The event log is corrupted.');

test('a corrupted log throws instead of looping', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const next = eventReader(() => Buffer.from(bytes));
      let count = 0;
      const read = (): void => {
        while (next() !== undefined) count += 1;
        throw broken;
      };
      expect(read).toThrow(broken);
      expect(count).toBeLessThan(bytes.length);
    }),
  );
});
