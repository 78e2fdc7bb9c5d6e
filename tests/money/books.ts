import { sql } from '@tallyport/database';
import type { MoneySystem } from './system.ts';

/** The part of a usage record that concerns money. */
export interface LedgerLine {
  id: string;
  mark: string;
  provider: string;
  source: 'reported' | 'estimated' | 'none';
  cached: boolean;
  prompt: number;
  completion: number;
  cost: string | null;
}

export async function readLedger({ database }: MoneySystem): Promise<LedgerLine[]> {
  const { rows } = await sql<LedgerLine & { prompt: string; completion: string }>`
    select id, request_id as mark, provider, source, cached, trim_scale(cost)::text as cost,
      (input_tokens + cache_read_tokens + cache_write_tokens)::text as prompt,
      (output_tokens + reasoning_tokens)::text as completion
    from usage_records`.execute(database.kysely);
  return rows.map((row) => ({ ...row, prompt: Number(row.prompt), completion: Number(row.completion) }));
}

/** Total cost by records, days and hours, which must be equal. */
export async function readSums({ database }: MoneySystem): Promise<{ records: string; days: string; hours: string }> {
  const { rows } = await sql<{ records: string; days: string; hours: string }>`
    select trim_scale((select coalesce(sum(cost), 0) from usage_records))::text as records,
      trim_scale((select sum(cost) from usage_days))::text as days,
      trim_scale((select sum(cost) from usage_hours))::text as hours`.execute(database.kysely);
  return rows[0] ?? { records: '', days: '', hours: '' };
}

/** The billed usage of one vendor answer. */
export interface Bill {
  mark: string;
  provider: string;
  prompt: number;
  completion: number;
}

/** Bills of answers without a fault, also of those whose client left, since the usage may have been sent before. */
export const readBills = ({ simulator }: MoneySystem): Bill[] =>
  simulator.requests.flatMap(({ body, provider, outcome, fault, tokens }) => {
    const mark = markIn(body);
    return mark !== undefined && tokens !== undefined && outcome !== 'broken' && fault === undefined
      ? [{ mark, provider, ...tokens }]
      : [];
  });

/** Number of vendor calls per mark, whatever their outcome. */
export const countCalls = ({ simulator }: MoneySystem): Map<string | undefined, number> => {
  const marks = simulator.requests.map(({ body }) => markIn(body));
  return new Map([...Map.groupBy(marks, (mark) => mark)].map(([mark, all]) => [mark, all.length]));
};

/** The last one: a continued response repeats the marks of those before it. */
const markIn = (body: string): string | undefined => body.match(/mark-[0-9a-f-]{36}/g)?.at(-1);

/** The reserved amount of the account's budget, in billionths of a dollar. */
export const readHeld = async (system: MoneySystem): Promise<number | undefined> => (await readPurse(system))?.held;

/** The spent amount of the account's budget; `undefined` if the counter has no value. */
export async function readSpent(system: MoneySystem): Promise<number | undefined> {
  const purse = await readPurse(system);
  return purse?.known ? purse.spent : undefined;
}

const readPurse = ({ store }: MoneySystem) =>
  store.purse('budget:account:default:total:ever', { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, 60_000);
