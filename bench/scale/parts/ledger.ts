import { createMonths } from '../../../services/ledger-svc/src/usage/partitions.ts';
import { rowsOfUsage } from '../../../services/ledger-svc/src/usage/rows-of-usage.ts';
import { writeUsage } from '../../../services/ledger-svc/src/usage/write-usage.ts';
import { ledgerRecord } from '../../support/ledger-record.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredPostgres } from '../postgres-meter.ts';

const size = 500;
const warmUp = 20;
const batches = 40;

export const ledger: Mechanism = {
  name: 'ledger',
  title: 'Postgres: rows and sums of the ledger',
  unit: 'record',
  payer: 'Postgres and writer',
  replicasOf: () => 1,
  unitsPerSecond: ({ requestsPerSecond }) => requestsPerSecond,
  /** CPU of one ledger-svc that writes batch after batch, and of Postgres. Sums have hot rows: writers wait for each other. */
  async measure({ undo }) {
    const { database, usedMicros } = await startMeteredPostgres(undo);
    await createMonths(database, ['2026-11']);
    let before = 0;
    for (let batch = 0; batch < warmUp + batches; batch += 1) {
      if (batch === warmUp) before = usedMicros();
      const rows = await rowsOfUsage(Array.from({ length: size }, (_, at) => ledgerRecord(batch * size + at)));
      await database.kysely.transaction().execute((transaction) => writeUsage(transaction, rows));
    }
    return [{ replicas: 1, micros: (usedMicros() - before) / (batches * size) }];
  },
};
