import { openStore } from '@tallyport/store';
import { expect, onTestFinished, test } from 'vitest';
import { readLog } from './read-log.ts';
import { writeLog } from './run-log.ts';

test('a log that is full keeps the events before, also those that were not written yet', async () => {
  const store = await openStore({});
  onTestFinished(() => store.close());
  const log = writeLog(store, {
    name: 'log',
    ttlMs: 60_000,
    maxBytes: 100,
    room: { held: 0, limit: 1_000 },
    isHeld: async () => true,
  });
  const [first, large] = [
    { type: 'created', json: '{}' },
    { type: 'delta', json: JSON.stringify('x'.repeat(100)) },
  ];
  for (const event of [first, large, first]) log.append(event);
  await log.flush();
  expect(log.isLost()).toBe(true);
  expect(await readLog(store, 'log').more()).toEqual([first]);
  log.close();
});
