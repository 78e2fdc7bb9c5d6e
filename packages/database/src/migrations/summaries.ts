import { type Kysely, sql } from 'kysely';

/** A table whose rows are added up to fewer rows of `target`. */
interface Summary {
  source: string;
  target: string;
  /** The columns of the primary key of the target, each with its expression on a row of the source. */
  key: Readonly<Record<string, string>>;
  /** The columns that are added up, and the columns that are histograms. */
  amounts: readonly string[];
  histograms?: readonly Histogram[];
  /** Which rows count; all of them, if absent. */
  only?: string;
}

interface Histogram {
  name: string;
  /** The columns of the source with the bucket and the count of a row. */
  bucket: string;
  count: string;
  /** Which rows count in this histogram. */
  only: string;
}

type Unit = 'hours' | 'days' | 'weeks';

const startOf: Readonly<Record<Unit, string>> = {
  hours: 'at',
  days: `date_trunc('day', at, 'UTC')`,
  weeks: `date_trunc('week', at, 'UTC')`,
};

/** The name of a dimension, and its column in the sums. */
type Dimension = readonly [name: string, value: string];
const dimensions: readonly Dimension[] = [
  ['all', `''`],
  ['project', 'project_id'],
  ['model', 'model'],
  ['provider', 'provider'],
  ['key', 'key_id'],
];

const tableOf = (dimension: string): string => (dimension.startsWith('project') ? 'project' : 'usage');

const usage = (unit: Unit, [dimension, value]: Dimension, amounts: readonly string[]): Summary => ({
  source: `${tableOf(dimension)}_${unit === 'hours' ? 'hours' : 'days'}`,
  target: `usage_summary_${unit}`,
  key: { account_id: 'account_id', dimension: `'${dimension}'`, at: startOf[unit], value, own_key: 'own_key' },
  amounts,
});

/** Errors by hour are read as a whole only. */
const errors = (unit: 'hours' | 'days', [dimension, name]: Dimension): Summary => ({
  source: `${tableOf(dimension)}_tallies`,
  target: `tally_summary_${unit}`,
  key: {
    account_id: 'account_id',
    dimension: `'${dimension}'`,
    name,
    at: startOf[unit],
    measure: 'measure',
    value: 'value',
  },
  amounts: ['requests'],
  only: `measure = 'error'`,
});

/** The dimensions of histograms, each with the columns that it has. */
const histogramColumns: Readonly<Record<string, readonly string[]>> = {
  all: [],
  model: ['model'],
  provider: ['provider'],
  use: ['key_id', 'model', 'provider'],
  project: ['project_id'],
  project_use: ['key_id', 'model', 'provider', 'project_id'],
};

const times = (unit: Unit, [dimension, columns]: readonly [string, readonly string[]]): Summary => {
  const column = (name: string) => (columns.includes(name) ? name : `''`);
  return {
    source: `${tableOf(dimension)}_tallies`,
    target: `usage_histogram_${unit}`,
    key: {
      account_id: 'account_id',
      dimension: `'${dimension}'`,
      at: startOf[unit],
      ...Object.fromEntries(['key_id', 'model', 'provider', 'project_id'].map((name) => [name, column(name)])),
    },
    amounts: [],
    histograms: ['duration', 'first_byte', 'speed'].map((name) => ({
      name,
      bucket: 'value::integer',
      count: 'requests',
      only: `measure = '${name}'`,
    })),
    only: `measure <> 'error'`,
  };
};

const calls = ['attempts', 'failed', 'rescued', 'own_attempts', 'own_failed'];

const ofOffers: readonly Summary[] = [
  { source: 'offer_hours', target: 'provider_hours', key: { at: 'at', provider: 'provider' }, amounts: calls },
  ...[`''`, 'model'].flatMap((model): Summary[] => {
    const key = { provider: 'provider', model, at: startOf.days };
    const latency = { name: 'latency', bucket: 'bucket', count: 'attempts', only: 'true' };
    return [
      { source: 'offer_hours', target: 'offer_days', key, amounts: calls },
      { source: 'offer_latencies', target: 'offer_histogram_days', key, amounts: [], histograms: [latency] },
    ];
  }),
];

const summariesOf = (amounts: readonly string[]): readonly Summary[] => [
  ...(['hours', 'days', 'weeks'] as const).flatMap((unit) => [
    ...dimensions.map((dimension) => usage(unit, dimension, amounts)),
    ...Object.entries(histogramColumns).map((dimension) => times(unit, dimension)),
  ]),
  ...dimensions.slice(0, 2).map((dimension) => errors('hours', dimension)),
  ...dimensions.map((dimension) => errors('days', dimension)),
  ...ofOffers,
];

/**
 * Fills all summaries but that of offers and creates the triggers that keep them equal to their sources. `addUsageCount`
 * calls it again for a new column.
 */
export async function summarize(database: Kysely<unknown>): Promise<void> {
  await keep(database, 'summarize', summariesOf(await columnsOf(database, 'usage_summary_days', ofSummary)));
}

/** The same of the sums by model and provider. */
export async function summarizeOffers(database: Kysely<unknown>): Promise<void> {
  const key = ['account_id', 'at', 'model', 'provider', 'own_key'];
  const amounts = await columnsOf(database, 'usage_offer_days', key);
  const summary = { source: 'usage_days', target: 'usage_offer_days', amounts };
  await keep(database, 'summarize_offers', [{ ...summary, key: Object.fromEntries(key.map((name) => [name, name])) }]);
}

/** The triggers are created first: their lock keeps writers away until the summaries are filled. */
async function keep(database: Kysely<unknown>, prefix: string, summaries: readonly Summary[]): Promise<void> {
  await sql`set local work_mem = '256MB'`.execute(database);
  const bySource = Map.groupBy(summaries, ({ source }) => source);
  for (const [source, some] of bySource) await createTriggers(database, { prefix, source }, some);
  for (const target of new Set(summaries.map((each) => each.target)))
    await sql`delete from ${sql.table(target)}`.execute(database);
  for (const each of summaries) await sql.raw(adding(each, each.source)).execute(database);
}

const ofSummary = ['account_id', 'dimension', 'at', 'value', 'own_key'];

async function columnsOf(database: Kysely<unknown>, table: string, except: readonly string[] = []): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(database);
  return rows.map(({ name }) => name).filter((name) => !except.includes(name));
}

/** The statement that adds rows to a summary, in an order that is the same for all replicas. */
function adding({ target, key, amounts, histograms = [], only = 'true' }: Summary, rows: string): string {
  const names = Object.keys(key);
  const numbers = names.map((_, at) => at + 1).join(', ');
  const added = [
    ...amounts.map((name) => ({ name, value: `sum(${name})`, sum: `${target}.${name} + excluded.${name}` })),
    ...histograms.map(({ name, ...rest }) => ({
      name,
      value: histogramIn(rest),
      sum: `case when excluded.${name} = '{}' then ${target}.${name}
        else add_histograms(${target}.${name}, excluded.${name}) end`,
    })),
  ];
  return `insert into ${target} (${[...names, ...added.map(({ name }) => name)].join(', ')})
    select ${[...Object.values(key), ...added.map(({ value }) => value)].join(', ')}
    from ${rows} where ${only} group by ${numbers} order by ${numbers}
    on conflict (${names.join(', ')}) do update set ${added.map(({ name, sum }) => `${name} = ${sum}`).join(', ')}`;
}

const histogramIn = ({ bucket, count, only }: Omit<Histogram, 'name'>): string =>
  `coalesce(histogram_of(array_agg(${bucket}) filter (where ${only}), array_agg(${count}) filter (where ${only})), '{}')`;

/**
 * Rows of sums are inserted, updated by adding to them, and deleted. An upsert calls the triggers of both inserts and
 * updates, mostly one of them without a row.
 */
async function createTriggers(
  database: Kysely<unknown>,
  { prefix, source }: { prefix: string; source: string },
  some: readonly Summary[],
): Promise<void> {
  const counted = some.flatMap(({ amounts, histograms = [] }) => [...amounts, ...histograms.map(({ count }) => count)]);
  const columns = await columnsOf(database, source);
  const taken = columns.map((name) => (counted.includes(name) ? `-${name} as ${name}` : name)).join(', ');
  const rows = {
    insert: { first: 'added', of: 'added', tables: 'new table as added' },
    update: {
      first: 'added',
      of: `(select ${columns.join(', ')} from added union all select ${taken} from removed) as changed`,
      tables: 'old table as removed new table as added',
    },
    delete: { first: 'removed', of: `(select ${taken} from removed) as changed`, tables: 'old table as removed' },
  };
  for (const [event, { first, of, tables }] of Object.entries(rows)) {
    const name = `${prefix}_${source}_${event}`;
    const body = some.map((each) => `${adding(each, of)};`).join('\n');
    await sql
      .raw(`create or replace function ${name}() returns trigger language plpgsql as
        $$ begin if exists (select from ${first}) then ${body} end if; return null; end $$`)
      .execute(database);
    await sql
      .raw(`create or replace trigger ${name} after ${event} on ${source} referencing ${tables}
        for each statement execute function ${name}()`)
      .execute(database);
  }
}
