import { expect, test } from 'vitest';
import { eventsAfter, numberedEvents } from './numbered-events.ts';

const texts = ['data: one\n\n', 'event: b\ndata: two\n\n', 'data: three\n\n'];

async function* events(): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const numbered = async (): Promise<string[]> => {
  const all: string[] = [];
  for await (const event of numberedEvents(events())) all.push(event.toString());
  return all;
};

test('events are numbered from one', async () => {
  expect(await numbered()).toEqual(texts.map((text, index) => `id: ${index + 1}\n${text}`));
});

test.each([0, 1, 2, 3])('stored pieces of every size have the events after %i', async (last) => {
  const all = await numbered();
  const stored = Buffer.from(all.join(''));
  for (let size = 1; size <= stored.length; size += 1) {
    const read = eventsAfter(last);
    const found: Buffer[] = [];
    for (let from = 0; from < stored.length; from += size) found.push(...read(stored.subarray(from, from + size)));
    expect(found.map(String)).toEqual(all.slice(last));
  }
});
