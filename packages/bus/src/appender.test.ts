import { hash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
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

afterEach(() => void vi.useRealTimers());

/** What goes together when one entry comes every so often and each message is answered at once. */
async function comingEvery(intervalMs: number): Promise<string[][]> {
  vi.useFakeTimers();
  const { sent, append } = journal();
  const appended: Promise<void>[] = [];
  for (let at = 0; at < 200; at++) {
    appended.push(append(String(at)));
    await vi.advanceTimersByTimeAsync(intervalMs);
    for (const { answer } of sent) answer();
  }
  await vi.advanceTimersByTimeAsync(4);
  for (const { answer } of sent) answer();
  await Promise.all(appended);
  return sent.map(({ entries }) => entries);
}

test('when much comes, a moment of it goes together, and nothing waits longer', async () => {
  const messages = await comingEvery(1);
  expect(messages.flat()).toEqual(Array.from({ length: 200 }, (_, at) => String(at)));
  expect(messages.slice(-20, -1).map(({ length }) => length)).toEqual(Array(19).fill(4));
});

test('when little comes, nothing waits', async () => {
  expect(await comingEvery(3)).toHaveLength(200);
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
