import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inProcessJournals } from './in-process-journals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bytes = new Uint8Array();

test('entries are gathered for fifty times as long as the last batch took, except full batches', async () => {
  const journals = inProcessJournals();
  const batches: [at: number, entries: number][] = [];
  const startedAt = performance.now();
  let handledMs = 0;
  const handler = async (entries: readonly unknown[]) => {
    batches.push([performance.now() - startedAt, entries.length]);
    // Pause: how long a batch takes decides for how long the next one is gathered.
    if (handledMs > 0) await new Promise((resolve) => setTimeout(resolve, handledMs));
  };
  await journals.consume('usage', handler, { maxBatch: 5, gatherMs: 100, maxGatherMs: 1_000 });
  let id = 0;
  const append = async (count: number) => {
    for (let left = count; left > 0; left--) await journals.append('usage', { id: String(id++), bytes });
  };
  await vi.advanceTimersByTimeAsync(0);

  await append(1);
  handledMs = 8;
  await vi.advanceTimersByTimeAsync(104); // in the middle of the first batch
  await append(3);
  await vi.advanceTimersByTimeAsync(300);
  await append(1);
  await vi.advanceTimersByTimeAsync(108); // in the middle of the second batch
  await append(12);
  handledMs = 0;
  await vi.advanceTimersByTimeAsync(600);
  expect(batches).toEqual([
    [100, 1],
    [508, 4],
    [516, 5],
    [516, 5],
    [616, 2],
  ]);
  await journals.close();
});

test('closing delivers all that waits, also in batches that are not full', async () => {
  const journals = inProcessJournals();
  const batches: number[] = [];
  await journals.consume('usage', async (entries) => void batches.push(entries.length), { maxBatch: 2, gatherMs: 100 });
  for (const id of ['a', 'b', 'c']) await journals.append('usage', { id, bytes });
  await journals.close();
  expect(batches).toEqual([2, 1]);
});

test('an entry that is appended again is delivered once', async () => {
  const journals = inProcessJournals();
  const delivered: string[] = [];
  await journals.consume('usage', async (entries) => void delivered.push(...entries.map(String)), { gatherMs: 100 });
  for (const id of ['a', 'b', 'b', 'a', 'c']) await journals.append('usage', { id, bytes: Buffer.from(id) });
  await journals.close();
  expect(delivered).toEqual(['a', 'b', 'c']);
});
