import { afterSending } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { createContentMemory } from './content-memory.ts';
import { startGathering } from './gathering.ts';

/** A part with this text takes 164 bytes of memory. */
const part = { kind: 'text', text: 'x'.repeat(100) } as const;
const takenBytes = 164;

function gathering(memoryBytes: number, readAnswer: () => (typeof part)[]) {
  const memory = createContentMemory(memoryBytes);
  const ended: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (what: unknown): void => {
    ended.push(what);
    resolve();
  };
  const gathered = startGathering(() => [part], {
    maxBytes: 1_000,
    memory,
    onDone: (content, bytes) => end([content, bytes]),
    onDropped: (reason) => end(reason),
  });
  gathered.answer(readAnswer);
  gathered.end();
  gathered.end();
  return { memory, ended, done: promise };
}

test('a content that just fits into memory is kept, and holds its memory', async () => {
  const { memory, ended, done } = gathering(2 * takenBytes, () => [part]);
  await done;
  const text = { parts: [part], cut: false };
  expect(ended).toEqual([[{ prompt: text, answer: text }, 2 * takenBytes]]);
  expect([memory.take(1), memory.take(0)]).toEqual([false, true]);
});

test('a content that needs one byte more is dropped, once, and releases its memory', async () => {
  const { memory, ended, done } = gathering(2 * takenBytes - 1, () => [part]);
  await done;
  await new Promise<void>(afterSending);
  expect(ended).toEqual(['memory']);
  expect(memory.take(2 * takenBytes - 1)).toBe(true);
});

test('an answer that cannot be read is dropped, and harms nothing else', async () => {
  const { memory, ended, done } = gathering(2 * takenBytes, () => {
    throw new TypeError('not what its API says');
  });
  await done;
  expect(ended).toEqual(['unreadable']);
  expect(memory.take(2 * takenBytes)).toBe(true);
});
