import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient } from '../../../../tests/support/patience.ts';
import { createKnownMonths } from './partitions.ts';

let place: TestDatabase;
let replicas: Database[];
beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  // They create and drop months one after the other: the last one waits for five others.
  const postgres = { lockTimeoutMs: patient(30_000), statementTimeoutMs: patient(30_000) };
  replicas = await Promise.all(Array.from({ length: 6 }, () => openDatabase({ url: place.url, postgres })));
  await replicas[0]?.migrate();
  // Connect first, so that they really race.
  await Promise.all(replicas.map(({ kysely }) => sql`select 1`.execute(kysely)));
});
afterAll(async () => {
  await Promise.all(replicas.map((database) => database.close()));
  await place.drop();
});

test('concurrent replicas all get the same partitions, and drop them once', async () => {
  const months = Array.from(
    { length: 24 },
    (_, index) => `${2031 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
  );
  await Promise.all(replicas.map((database) => createKnownMonths(database).ensure(months)));
  const dropped = await Promise.all(
    replicas.map((database) => createKnownMonths(database).dropBefore(new Date('2033-01-01T00:00:00Z'))),
  );
  // One dropped them; the others found none.
  expect(dropped.map((names) => names.length).toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 0, 24]);
});
