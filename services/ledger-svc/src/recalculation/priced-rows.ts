import { byName, countClasses, countFields, type Tokens, tokenClasses, type UsageRecord } from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { tokenColumn } from '../usage/usage-columns.ts';

/** What is counted, in records and in sums. */
interface CountedRow {
  model: string;
  provider: string;
  tokens: Tokens;
  counts: Record<(typeof countClasses)[number], number>;
  cost: string | undefined;
}

export interface RecordRow extends CountedRow {
  id: string;
  at: Date;
  costs: UsageRecord['costs'];
  priceVersion: string;
  tier: string | undefined;
  geo: string | undefined;
}

export interface SumRow extends CountedRow {
  requests: number;
}

type Row = Readonly<Record<string, string | null>>;

const countColumns = [
  ...tokenClasses.map((name) => tokenColumn(name)),
  ...countClasses.map((name) => countFields[name].name),
];

/** All values are text, because drivers return a bigint in different types. */
const ofRecord: RawBuilder<unknown> = sql.raw(
  [...countColumns.map((name) => `${name}::text`), 'trim_scale(cost)::text as cost'].join(', '),
);
const ofSum: RawBuilder<unknown> = sql.raw(
  [...countColumns.map((name) => `sum(${name})::text as ${name}`), 'trim_scale(sum(cost))::text as cost'].join(', '),
);

interface DayOfAccount {
  from: Date;
  until: Date;
  accountId: string | undefined;
}

const inDay = ({ from, until, accountId }: DayOfAccount) =>
  sql`at >= ${from} and at < ${until} ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}`;

/** The next records of a day that a provider answered, in their order. The others cost nothing. */
export async function readRecordRows(
  { kysely }: Database,
  day: DayOfAccount & { after: { at: string; id: string } | undefined },
  most: number,
): Promise<RecordRow[]> {
  const { after } = day;
  const { rows } = await sql<Row & { at: Date; costs: UsageRecord['costs'] }>`
    select id, at, model, provider, costs, price_version, tier, details ->> 'geo' as geo, ${ofRecord} from usage_records
    where ${inDay(day)} and provider <> ''
      ${after === undefined ? sql`` : sql`and (at, id) > (${new Date(after.at)}, ${after.id})`}
    order by at, id limit ${most}`.execute(kysely);
  return rows.map((row) => ({
    ...countedOf(row),
    id: row['id'] ?? '',
    at: row.at,
    costs: row.costs,
    priceVersion: row['price_version'] ?? '',
    tier: row['tier'] ?? undefined,
    geo: row['geo'] ?? undefined,
  }));
}

/** The sums of a day, for which records may be deleted. */
export async function readSumRows({ kysely }: Database, day: DayOfAccount): Promise<SumRow[]> {
  const { rows } = await sql<Row>`
    select model, provider, sum(requests)::text as requests, ${ofSum} from usage_days
    where ${inDay(day)} and provider <> '' group by model, provider order by model, provider`.execute(kysely);
  return rows.map((row) => ({ ...countedOf(row), requests: Number(row['requests']) }));
}

const countedOf = (row: Row): CountedRow => ({
  model: row['model'] ?? '',
  provider: row['provider'] ?? '',
  tokens: byName(tokenClasses, (name) => Number(row[tokenColumn(name)])),
  counts: byName(countClasses, (name) => Number(row[countFields[name].name])),
  cost: row['cost'] ?? undefined,
});
