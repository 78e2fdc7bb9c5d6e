import { type Queries, type RawBuilder, sql } from '@tallyport/database';

/** What one statement deletes or moves within the time limit of a statement, also on a busy machine. */
const portion = 2_000;

/** Repeats a change of at most this many rows, which returns how many it has changed, until none is left. Returns all. */
export async function inPortions(change: (most: number) => Promise<number | bigint>): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = Number(await change(portion));
    total += changed;
    if (changed < portion) return total;
  }
}

export function deleteInPortions(queries: Queries, table: string, where: RawBuilder<unknown>): Promise<number> {
  const name = sql.table(table);
  return inPortions(async (most) => {
    const { numAffectedRows = 0n } = await sql`delete from ${name}
      where ctid = any(array(select ctid from ${name} where ${where} limit ${most}))`.execute(queries);
    return numAffectedRows;
  });
}
