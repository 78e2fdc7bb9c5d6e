import { expect, it, onTestFinished } from 'vitest';
import { type Database, isUnavailable, openDatabase, sql } from './index.ts';
import { createTroubledDatabase, troubles } from './testing/index.ts';

const open = async () => {
  const troubled = await createTroubledDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url: troubled.url });
  onTestFinished(async () => {
    await database.close();
    await troubled.drop();
  });
  await database.migrate();
  return { troubled, database };
};
const fault = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no fault',
    (error: unknown) => error,
  );
const ask = ({ kysely }: Database) => kysely.selectFrom('accounts').select('id').execute();
/** The default time limit of a call on the bus. */
const callMs = 5_000;

it.each(troubles)('a database that %s counts as unavailable before a call ends, and recovers', async (trouble) => {
  const { database, troubled } = await open();
  const end = await troubled.begin(trouble);
  const startedAt = performance.now();
  // More than there are connections, so that some wait for one first.
  const faults = await Promise.all(Array.from({ length: 25 }, () => fault(ask(database))));
  expect(faults.filter((each) => !isUnavailable(each))).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(callMs);
  await end();
  expect(await ask(database)).toEqual([]);
});

it('a migration waits for locked tables up to the limit of migrations', async () => {
  const { database, troubled } = await open();
  const end = await troubled.begin('has locked tables');
  const migrated = fault(database.migrate());
  expect(isUnavailable(await fault(ask(database)))).toBe(true);
  await end();
  expect(await migrated).toBe('no fault');
});

it.each([
  ['a value that is no number', sql`select ('x' || now())::int`, '22P02'],
  ['a statement that is wrong', sql`selct 1`, '42601'],
  ['a rule of ours', sql`do $$ begin raise exception 'not allowed'; end $$`, 'P0001'],
  ['a member that must be there', sql`insert into accounts (id) values (null)`, '23502'],
])('%s is refused, which does not count as unavailable', async (_what, statement, code) => {
  const { database } = await open();
  const error = await fault(statement.execute(database.kysely));
  expect(error).toMatchObject({ code });
  expect(isUnavailable(error)).toBe(false);
});
