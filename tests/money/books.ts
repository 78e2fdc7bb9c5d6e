import { sql } from '@switchyard/database';
import type { MoneySystem } from './system.ts';

/** A line of the ledger, as far as money goes. */
export interface Line {
  id: string;
  mark: string;
  provider: string;
  source: 'reported' | 'estimated' | 'none';
  cached: boolean;
  prompt: number;
  completion: number;
  cost: string | null;
}

export async function readLedger({ database }: MoneySystem): Promise<Line[]> {
  const { rows } = await sql<Line & { prompt: string; completion: string }>`
    select id, request_id as mark, provider, source, cached, trim_scale(cost)::text as cost,
      (input_tokens + cache_read_tokens + cache_write_tokens)::text as prompt,
      (output_tokens + reasoning_tokens)::text as completion
    from usage_records`.execute(database.kysely);
  return rows.map((row) => ({ ...row, prompt: Number(row.prompt), completion: Number(row.completion) }));
}

/** Sums of the rollups, which must be those of the records. */
export async function readSums({ database }: MoneySystem): Promise<{ records: string; days: string; hours: string }> {
  const { rows } = await sql<{ records: string; days: string; hours: string }>`
    select trim_scale((select coalesce(sum(cost), 0) from usage_records))::text as records,
      trim_scale((select sum(cost) from usage_days))::text as days,
      trim_scale((select sum(cost) from usage_hours))::text as hours`.execute(database.kysely);
  return rows[0] ?? { records: '', days: '', hours: '' };
}

/** What one answer of a vendor would be billed for. */
export interface Billed {
  mark: string;
  provider: string;
  prompt: number;
  completion: number;
}

/** Answers that left the vendors whole, or would have: of one that its client leaves the usage may just have been told. */
export const readBills = ({ simulator }: MoneySystem): Billed[] =>
  simulator.requests.flatMap(({ body, provider, outcome, fault, tokens }) => {
    const mark = /mark-[0-9a-f-]{36}/.exec(body)?.[0];
    return mark !== undefined && tokens !== undefined && outcome !== 'broken' && fault === undefined
      ? [{ mark, provider, ...tokens }]
      : [];
  });

/** What is set aside of the account's budget right now, in billionths of a dollar. */
export const readHeld = async (system: MoneySystem): Promise<number | undefined> => (await readPurse(system))?.held;

/** What its counter says was spent of it; `undefined` where the counter knows nothing. */
export async function readSpent(system: MoneySystem): Promise<number | undefined> {
  const purse = await readPurse(system);
  return purse?.known ? purse.spent : undefined;
}

const readPurse = ({ store }: MoneySystem) =>
  store.purse('budget:account:default:total:ever', { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, 60_000);
