import type { Database } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { createMetrics, silentLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usageEvents } from './events.ts';
import { createLedger } from './keep-ledger.ts';
import { usageRecord } from './testing/usage-record.ts';

const hourMs = 3_600_000;

describe.each(['postgres', 'embedded'] as const)('on the %s database', (name) => {
  let database: Database;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ database, remove } = await testDatabases[name]());
    await database.migrate();
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  test('a metric says at the start how many records of the last day are in the ledger twice', async () => {
    const metrics = createMetrics({ defaults: false });
    const events = usageEvents({ log: silentLog(), metrics });
    const ledger = createLedger(database, { retentionDays: 90, events });
    const before = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();
    const records = [
      usageRecord({ id: 'use_once', at: before(1) }),
      ...[1, 2, 3].map((hours) => usageRecord({ id: 'use_three', at: before(hours) })),
      ...[4, 5].map((hours) => usageRecord({ id: 'use_two', at: before(hours) })),
      ...[30, 31].map((hours) => usageRecord({ id: 'use_old', at: before(hours) })),
    ];
    await ledger.write([...records, ...records]);
    await ledger.start();
    await expect.poll(() => metrics.text()).toMatch(/^gateway_usage_doubled_records 3$/m);
    ledger.stop();
  });
});
