import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { untilPasses } from '../../../tests/support/probe.ts';
import { Appender, joinEntries, splitEntries } from './appender.ts';

const textOf = (entry: Uint8Array): string => Buffer.from(entry).toString();

test('splitEntries restores what joinEntries joined', () => {
  const entry = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      expect(splitEntries(joinEntries(entries)).map(textOf)).toEqual(entries.map(textOf));
    }),
  );
});

/** A journal whose publishes are settled by the test. */
function journal() {
  const sent: { entries: string[]; onSent(): void; answer: (error?: unknown) => void }[] = [];
  const appender = new Appender(({ bytes, onSent }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const answer = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    sent.push({ entries: splitEntries(bytes).map(textOf), onSent, answer });
    return promise;
  });
  const append = (text: string, onSent?: () => void) =>
    appender.append({ id: text, bytes: Buffer.from(text), ...(onSent && { onSent }) });
  return { sent, append };
}

test('reports each entry of a message as sent', () => {
  const { sent, append } = journal();
  const reported: string[] = [];
  for (const text of ['a', 'b', 'c', 'd']) void append(text, () => reported.push(text));
  sent[1]?.onSent();
  expect(reported).toEqual(['b']);
  sent[0]?.answer();
  return untilPasses(() => {
    sent[2]?.onSent();
    expect(reported).toEqual(['b', 'c', 'd']);
  });
});

test('sends an entry at once, and combines entries that arrive while two messages are in flight', async () => {
  const { sent, append } = journal();
  const appended = ['a', 'b', 'c', 'd', 'e'].map((text) => append(text));
  expect(sent.map(({ entries }) => entries)).toEqual([['a'], ['b']]);
  sent[0]?.answer();
  await appended[0];
  expect(sent.map(({ entries }) => entries)).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
  sent[2]?.answer();
  await Promise.all(appended.slice(2));
});

afterEach(() => void vi.useRealTimers());

/** The entries of each message when one entry is appended per interval and each message is acknowledged at once. */
async function batchesAt(intervalMs: number): Promise<string[][]> {
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

test('combines the entries of 4 ms under load, and delays none of them longer', async () => {
  const messages = await batchesAt(1);
  expect(messages.flat()).toEqual(Array.from({ length: 200 }, (_, at) => String(at)));
  expect(messages.slice(-20, -1).map(({ length }) => length)).toEqual(Array(19).fill(4));
});

test('delays nothing while there is little load', async () => {
  expect(await batchesAt(3)).toHaveLength(200);
});

test('rejects every entry of a failed message, and sends the next one', async () => {
  const { sent, append } = journal();
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((text) => append(text));
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

test('refuses entries when too many are waiting', async () => {
  const { append } = journal();
  const waiting = Array.from({ length: 10_002 }, (_, at) => append(String(at)));
  await expect(append('one more')).rejects.toMatchObject({ code: 'unavailable' });
  expect(waiting).toHaveLength(10_002);
});
