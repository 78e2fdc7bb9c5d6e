import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rowsOfUsage } from './rows-of-usage.ts';
import { usageRecord } from './testing/usage-record.ts';
import { usageColumns } from './usage-columns.ts';

test('other work goes on while the rows of a large batch are made', async () => {
  const records = Array.from({ length: 1_000 }, () => usageRecord());
  let isFinished = false;
  const rows = rowsOfUsage(records).then(() => (isFinished = true));
  const turns = Math.ceil(usageColumns.length / 2); // with two columns of a thousand values each
  for (let turn = 2; turn < turns; turn += 1) {
    await nextTurn();
    expect(isFinished).toBe(false);
  }
  await rows;
});
