import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Appender, joinEntries, splitEntries } from './appender.ts';

const textOf = (entry: Uint8Array): string => Buffer.from(entry).toString();

test('entries joined are the same entries split', () => {
  const entry = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      expect(splitEntries(joinEntries(entries)).map(textOf)).toEqual(entries.map(textOf));
    }),
  );
});

/** A journal that answers when it is told to. */
function journal() {
  const sent: { id: string; entries: string[]; answer: (error?: unknown) => void }[] = [];
  const appender = new Appender((id, message) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const answer = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    sent.push({ id, entries: splitEntries(message).map(textOf), answer });
    return promise;
  });
  return { sent, append: (text: string) => appender.append(text, Buffer.from(text)) };
}

test('what comes alone goes at once, what comes while two are on their way goes together', async () => {
  const { sent, append } = journal();
  const appended = ['a', 'b', 'c', 'd', 'e'].map(append);
  expect(sent.map(({ entries }) => entries)).toEqual([['a'], ['b']]);
  sent[0]?.answer();
  await appended[0];
  expect(sent.map(({ id, entries }) => [id, entries])).toEqual([
    ['a', ['a']],
    ['b', ['b']],
    [hash('sha256', 'c\nd\ne'), ['c', 'd', 'e']],
  ]);
  sent[2]?.answer();
  await Promise.all(appended.slice(2));
});

test('what fails together is told to each, and the next goes on', async () => {
  const { sent, append } = journal();
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(append);
  sent[0]?.answer();
  await first;
  sent[2]?.answer(new Error('full'));
  await expect(third).rejects.toThrow('full');
  await expect(fourth).rejects.toThrow('full');
  sent[1]?.answer();
  await second;
  void append('e');
  expect(sent.at(-1)?.entries).toEqual(['e']);
});

test('more than can wait is refused', async () => {
  const { append } = journal();
  const waiting = Array.from({ length: 10_002 }, (_, at) => append(String(at)));
  await expect(append('one more')).rejects.toMatchObject({ code: 'unavailable' });
  expect(waiting).toHaveLength(10_002);
});
