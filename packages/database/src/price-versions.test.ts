import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { dropPriceVersionsBefore, readPriceVersion, storePriceVersion } from './price-versions.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url });
  await database.migrate();
});
beforeEach(async () => {
  await database.kysely.deleteFrom('price_versions').execute();
  await database.kysely.deleteFrom('price_lists').execute();
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const catalogueOf = (version: string, prompt: string) => ({
  version,
  models: [modelOf('swift', [offerOf('alpha', { pricing: { prompt }, priceSource: 'a list' }), offerOf('beta')])],
});
const pricesOf = (prompt: string) => [
  { model: 'swift', provider: 'alpha', pricing: { prompt }, priceSource: 'a list' },
];
const lists = async () => (await database.kysely.selectFrom('price_lists').select('id').execute()).length;
const seenAt = (version: string, at: Date) =>
  database.kysely.updateTable('price_versions').set({ seen_at: at }).where('version', '=', version).execute();

test('the prices of a version are found again, and versions with equal prices share a list', async () => {
  await storePriceVersion(database, catalogueOf('1', '0.1'));
  await storePriceVersion(database, catalogueOf('2', '0.2'));
  await storePriceVersion(database, catalogueOf('3', '0.1'));
  await Promise.all([1, 2, 3].map(() => storePriceVersion(database, catalogueOf('4', '0.4'))));
  const found = async (version: string) => (await readPriceVersion(database, version))?.prices;
  expect(await Promise.all(['1', '2', '3', '4', '5'].map(found))).toEqual([
    pricesOf('0.1'),
    pricesOf('0.2'),
    pricesOf('0.1'),
    pricesOf('0.4'),
    undefined,
  ]);
  expect(await lists()).toBe(3);
});

test('the version seen last is the one in force', async () => {
  await storePriceVersion(database, catalogueOf('1', '0.1'));
  await storePriceVersion(database, catalogueOf('2', '0.2'));
  await storePriceVersion(database, catalogueOf('1', '0.1'));
  expect((await readPriceVersion(database))?.version).toBe('1');
});

test('versions last in force before a date are deleted, with the lists that no other has', async () => {
  const date = new Date('2026-09-01T00:00:00Z');
  for (const [version, prompt] of [
    ['1', '0.1'],
    ['2', '0.2'],
    ['3', '0.1'],
  ] as const) {
    await storePriceVersion(database, catalogueOf(version, prompt));
  }
  await seenAt('1', new Date(date.getTime() - 1));
  await seenAt('2', new Date(date.getTime() - 1));
  await seenAt('3', date);
  await dropPriceVersionsBefore(database.kysely, date);
  expect([await readPriceVersion(database, '1'), await readPriceVersion(database, '2'), await lists()]).toEqual([
    undefined,
    undefined,
    1,
  ]);
  expect((await readPriceVersion(database, '3'))?.prices).toEqual(pricesOf('0.1'));
});
