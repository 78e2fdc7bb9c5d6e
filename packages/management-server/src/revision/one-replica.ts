import { type Database, sql } from '@tallyport/database';

/** Any number that no other lock uses. */
const lockNumber = 727_104_021;

/** Does the work while no other replica does. Resolves with `undefined` if another one is at it. */
export function oneReplica<Result>({ kysely }: Database, work: () => Promise<Result>): Promise<Result | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ isHeld: boolean }>`
      select pg_try_advisory_xact_lock(${lockNumber}) as "isHeld"`.execute(transaction);
    return rows[0]?.isHeld === true ? work() : undefined;
  });
}
