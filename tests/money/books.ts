import { countFields, tokenFields } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { type Metered, type MeteredClass, totalDollars } from '@tallyport/simulator';
import { countsOfRealtime, dollarsOfRealtime } from './realtime-bill.ts';
import type { MoneySystem } from './system.ts';

/** Tokens and uses of tools by the ledger's class, without zeros. */
type Counts = Readonly<Record<string, number>>;

/** The part of a usage record that concerns money. */
export interface LedgerLine {
  id: string;
  /** The end user that the request named, which is the mark of messages on sockets, or the id of the request. */
  mark: string;
  provider: string;
  /** The provider's name of it. */
  model: string;
  source: 'reported' | 'estimated' | 'none';
  cached: boolean;
  counts: Counts;
  /** Empty for the ordinary one. */
  tier: string;
  cost: string | null;
  /** Whether the provider counted something that has no price. */
  lacksPrice: boolean;
}

interface StoredRecord extends Readonly<Record<string, unknown>> {
  id: string;
  request_id: string;
  end_user: string | null;
  provider: string;
  model: string;
  source: LedgerLine['source'];
  cached: boolean;
  tier: string | null;
  flags: readonly string[];
  cost: string | null;
}

const columns: readonly (readonly [column: string, name: string])[] = [
  ...Object.values(tokenFields).map(({ name }) => [`${name}_tokens`, name] as const),
  ...Object.values(countFields).map(({ name }) => [name, name] as const),
];
const counted = sql.join(columns.map(([column]) => sql.ref(column)));

/** How many records one query reads. All of an hour of soak would take longer than a connection may be held. */
const recordsOfQuery = 20_000;

export async function readLedger({ database }: MoneySystem): Promise<LedgerLine[]> {
  const { rows: counts } = await sql<{ count: number }>`select count(*)::int as count from usage_records`.execute(
    database.kysely,
  );
  const parts = Math.ceil((counts[0]?.count ?? 0) / recordsOfQuery);
  const lines: LedgerLine[] = [];
  for (let part = 0; part < parts; part += 1) {
    const { rows } = await sql<StoredRecord>`
      select id, request_id, end_user, provider, model, source, cached, tier, flags, trim_scale(cost)::text as cost, ${counted}
      from usage_records where mod(hashtext(id::text)::bigint + 2147483648, ${parts}) = ${part}`.execute(
      database.kysely,
    );
    lines.push(...rows.map(lineOf));
  }
  return lines;
}

const lineOf = (record: StoredRecord): LedgerLine => ({
  id: record.id,
  mark: record.end_user ?? record.request_id,
  provider: record.provider,
  model: record.model,
  source: record.source,
  cached: record.cached,
  counts: Object.fromEntries(
    columns.flatMap(([column, name]) => (Number(record[column]) > 0 ? [[name, Number(record[column])]] : [])),
  ),
  tier: record.tier ?? '',
  cost: record.cost,
  lacksPrice: record.flags.includes('unpriced_class'),
});

/** Total cost by records, days and hours, which must be equal. */
export async function readSums({ database }: MoneySystem): Promise<{ records: string; days: string; hours: string }> {
  const { rows } = await sql<{ records: string; days: string; hours: string }>`
    select trim_scale((select coalesce(sum(cost), 0) from usage_records))::text as records,
      trim_scale((select sum(cost) from usage_days))::text as days,
      trim_scale((select sum(cost) from usage_hours))::text as hours`.execute(database.kysely);
  return rows[0] ?? { records: '', days: '', hours: '' };
}

/** What a vendor bills for one answer, in the ledger's words. */
export interface Bill {
  mark: string;
  provider: string;
  counts: Counts;
  tier: string;
  dollars: string | undefined;
  /** Whether it has a class that the ledger does not know, which is in none of the others. */
  hasUnknown: boolean;
}

/** The ledger's name of what vendors meter. */
const classes: Readonly<Record<Exclude<MeteredClass, 'unknown'>, string>> = {
  input: 'input',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  cache_write_5m: 'cache_write',
  cache_write_30m: 'cache_write_30m',
  cache_write_1h: 'cache_write_1h',
  cache_write_12h: 'cache_write_12h',
  tool_prompt: 'tool_prompt',
  compaction_input: 'compaction_in',
  compaction_output: 'compaction_out',
  advisor_input: 'advisor_in',
  advisor_output: 'advisor_out',
  output: 'output',
  reasoning: 'reasoning',
  audio_input: 'audio_in',
  audio_cache_read: 'audio_cache_read',
  image_output: 'image_out',
  image_gen_input: 'image_tool_in',
  image_gen_output: 'image_tool_out',
  web_search: 'web_searches',
  web_fetch: 'web_fetches',
  grounding: 'grounding_searches',
  search_unit: 'search_units',
};

const isMeteredClass = (name: string): name is keyof typeof classes => Object.hasOwn(classes, name);

type Priced = Pick<LedgerLine, 'provider' | 'model' | 'tier' | 'counts'>;

/** What the vendor would bill for the counts of a line; `undefined` if it does not sell one of them. */
export function dollarsOf({ simulator }: MoneySystem, { provider, model, tier, counts }: Priced): string | undefined {
  const priced = (all: Metered['counts']) => simulator.bill.price(provider, { model, metered: { tier, counts: all } });
  const isSold = (of: MeteredClass): boolean => totalDollars(priced([{ of, count: 1 }])) !== undefined;
  const ofLine = Object.entries(counts).map(([name, count]) => {
    const namesakes = Object.keys(classes)
      .filter(isMeteredClass)
      .filter((of) => classes[of] === name);
    return { of: namesakes.find(isSold), count };
  });
  const sold = ofLine.flatMap(({ of, count }) => (of === undefined ? [] : [{ of, count }]));
  return sold.length < ofLine.length ? undefined : totalDollars(priced(sold));
}

const ordinaryTiers: ReadonlySet<string> = new Set(['default', 'on_demand', 'standard']);

/** Bills of answers without a fault, also of those whose client left, since the usage may have been sent before. */
export const readBills = (system: MoneySystem): Bill[] => [...billsOfRequests(system), ...billsOfRealtime(system)];

const billsOfRequests = ({ simulator }: MoneySystem): Bill[] =>
  simulator.requests.flatMap((received) => {
    const { label: mark, provider, fault, metered } = received;
    const items = simulator.bill.itemsOf(received);
    if (mark === undefined || metered === undefined || items.length === 0 || fault !== undefined) return [];
    const known = items.flatMap((item) => (item.of === 'unknown' ? [] : [{ ...item, name: classes[item.of] }]));
    return [
      {
        mark,
        provider,
        counts: addedUp(known),
        tier: ordinaryTiers.has(metered.tier) ? '' : metered.tier,
        dollars: totalDollars(known),
        hasUnknown: known.length < items.length,
      },
    ];
  });

/** Each response of a session has a bill, and the mark of the session. */
const billsOfRealtime = ({ simulator }: MoneySystem): Bill[] =>
  simulator.realtime.sessions.flatMap(({ label: mark, billed }) =>
    billed.flatMap((usage) => {
      if (mark === undefined) return [];
      const dollars = dollarsOfRealtime(usage);
      return [{ mark, provider: 'openai', counts: countsOfRealtime(usage), tier: '', dollars, hasUnknown: false }];
    }),
  );

/** A vendor can have two classes of one name, such as its caches of different lifetimes. */
function addedUp(items: readonly { name: string; count: number }[]): Counts {
  const counts: Record<string, number> = {};
  for (const { name, count } of items) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}

/** Number of vendor calls per mark, whatever their outcome. */
export const countCalls = ({ simulator }: MoneySystem): Map<string | undefined, number> => {
  const marks = simulator.requests.map(({ label }) => label);
  return new Map([...Map.groupBy(marks, (mark) => mark)].map(([mark, all]) => [mark, all.length]));
};

/** The reserved amount of the account's budget, in billionths of a dollar. */
export const readHeld = async (system: MoneySystem): Promise<number | undefined> => (await readPurse(system))?.held;

/** The spent amount of the account's budget; `undefined` if the counter has no value. */
export async function readSpent(system: MoneySystem): Promise<number | undefined> {
  const purse = await readPurse(system);
  return purse?.known ? purse.spent : undefined;
}

const readPurse = ({ store }: MoneySystem) =>
  store.purse('budget:account:default:total:ever', { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, 60_000);
