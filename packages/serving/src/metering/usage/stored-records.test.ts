import type { UsageRecord } from '@tallyport/contracts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usageRecord } from '../testing/usage-record.ts';
import { createStoredRecords, type FindMissing, maxStored } from './stored-records.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const all: FindMissing = async (records) => new Set(records.map(({ id }) => id));
const none: FindMissing = async () => new Set();

/** Records whose comparisons are noted. */
function open(answer: FindMissing) {
  const asked: string[][] = [];
  const sent: string[] = [];
  const failures: unknown[] = [];
  const ledger = { answer };
  const stored = createStoredRecords({
    async findMissing(records) {
      asked.push(records.map(({ id }) => id));
      return ledger.answer(records);
    },
    sendAgain: ({ id }: UsageRecord) => void sent.push(id),
    onFailed: (error) => void failures.push(error),
  });
  async function compareAfter(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await stored.compare();
  }
  return { stored, ledger, asked, sent, failures, compareAfter };
}

test('the ledger is asked once about a record that it has, ten seconds after the record was stored', async () => {
  const { stored, asked, sent, compareAfter } = open(none);
  stored.add(usageRecord('use_1'));
  await compareAfter(9_999);
  expect(asked).toEqual([]);
  await compareAfter(1);
  await compareAfter(3_600_000);
  expect([asked, sent]).toEqual([[['use_1']], []]);
});

test('a missing record is sent again after ten seconds and after a minute, and trusted after another ten minutes', async () => {
  const { stored, asked, sent, compareAfter } = open(all);
  const record = usageRecord('use_1');
  stored.add(record);
  await compareAfter(10_000);
  await compareAfter(60_000);
  // Not before it is stored again.
  expect([asked.length, sent]).toEqual([1, ['use_1']]);
  stored.add(record);
  await compareAfter(60_000);
  stored.add(record);
  await compareAfter(600_000);
  await compareAfter(3_600_000);
  expect([asked.length, sent]).toEqual([3, ['use_1', 'use_1']]);
});

test('while the ledger does not answer, records are kept, and it is asked every half minute', async () => {
  const away = new Error('away');
  const { stored, ledger, asked, sent, failures, compareAfter } = open(() => Promise.reject(away));
  stored.add(usageRecord('use_1'));
  for (let count = 0; count < 5; count++) await compareAfter(600_000);
  expect([sent, failures]).toEqual([[], Array.from({ length: 5 }, () => away)]);
  ledger.answer = all;
  await compareAfter(29_999);
  expect([asked.length, sent]).toEqual([5, []]);
  await compareAfter(1);
  expect([asked.length, sent]).toEqual([6, ['use_1']]);
});

test('one comparison runs at a time', async () => {
  const answer = Promise.withResolvers<Set<string>>();
  const { stored, asked, compareAfter } = open(() => answer.promise);
  stored.add(usageRecord('use_1'));
  const first = compareAfter(10_000);
  await compareAfter(1_000);
  answer.resolve(new Set());
  await first;
  expect(asked).toEqual([['use_1']]);
});

test('the ledger is asked about a thousand records at a time; of more than ten thousand the oldest are forgotten', async () => {
  const { stored, asked, sent, compareAfter } = open(all);
  for (let at = 0; at < maxStored; at++) stored.add(usageRecord(`use_${at}`));
  await compareAfter(10_000);
  expect([asked.map(({ length }) => length), sent.length]).toEqual([Array(10).fill(1_000), 10_000]);
  const more = open(all);
  for (let at = 0; at <= maxStored; at++) more.stored.add(usageRecord(`use_${at}`));
  await more.compareAfter(10_000);
  expect([more.sent.length, more.sent[0], more.sent.at(-1)]).toEqual([10_000, 'use_1', 'use_10000']);
});
