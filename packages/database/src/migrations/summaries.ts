import { type Kysely, sql } from 'kysely';

/** A table whose rows are added up to fewer rows of `target`. */
interface Summary {
  source: string;
  target: string;
  /** The columns of the primary key of the target, each with its expression on a row of the source. */
  key: Readonly<Record<string, string>>;
  /** The columns that are added up; those of the source that the key does not use, if absent. */
  amounts?: readonly string[];
}

const day = `date_trunc('day', at, 'UTC')`;

type Unit = 'hours' | 'days';

/** The name of a dimension, and its column in the sums. */
type Dimension = readonly [name: string, value: string];
const whole: Dimension = ['all', `''`];
const project: Dimension = ['project', 'project_id'];
const others: readonly Dimension[] = [
  ['model', 'model'],
  ['provider', 'provider'],
  ['key', 'key_id'],
];

const usage = (unit: Unit, [dimension, value]: Dimension): Summary => ({
  source: `${dimension === 'project' ? 'project' : 'usage'}_${unit}`,
  target: `usage_summary_${unit}`,
  key: { account_id: 'account_id', dimension: `'${dimension}'`, at: 'at', value, own_key: 'own_key' },
});

const tallies = (unit: Unit, [dimension, name]: Dimension): Summary => ({
  source: `${dimension === 'project' ? 'project' : 'usage'}_tallies`,
  target: `tally_summary_${unit}`,
  key: {
    account_id: 'account_id',
    dimension: `'${dimension}'`,
    name,
    at: unit === 'days' ? day : 'at',
    measure: 'measure',
    value: 'value',
  },
  amounts: ['requests'],
});

const calls = ['attempts', 'failed', 'rescued'];

/** Hours are summarised as a whole only: they are of few days, and a row of each dimension costs the writer most. */
const summaries: readonly Summary[] = [
  ...[whole, project].flatMap((each) => [usage('hours', each), tallies('hours', each)]),
  ...[whole, project, ...others].flatMap((each) => [usage('days', each), tallies('days', each)]),
  { source: 'offer_hours', target: 'provider_hours', key: { at: 'at', provider: 'provider' }, amounts: calls },
  ...[`''`, 'model'].flatMap((model): Summary[] => [
    { source: 'offer_hours', target: 'offer_days', key: { provider: 'provider', model, at: day }, amounts: calls },
    {
      source: 'offer_latencies',
      target: 'offer_latency_days',
      key: { provider: 'provider', model, at: day, bucket: 'bucket' },
      amounts: ['attempts'],
    },
  ]),
];

/**
 * Fills all summaries and creates the triggers that keep them equal to their sources. Call it again in a migration that
 * adds a column to `usage_hours` and `usage_days`, after adding it to both summaries as well.
 *
 * The triggers are created first: their lock keeps writers away until the summaries are filled.
 */
export async function summarize(database: Kysely<unknown>): Promise<void> {
  await sql`set local work_mem = '256MB'`.execute(database);
  const amounts = await columnsOf(database, 'usage_summary_days', ofSummary);
  const bySource = Map.groupBy(summaries, ({ source }) => source);
  for (const [source, some] of bySource) await createTriggers(database, { source, some, amounts });
  for (const target of new Set(summaries.map((each) => each.target)))
    await sql`delete from ${sql.table(target)}`.execute(database);
  for (const each of summaries) await sql.raw(adding(each, { rows: each.source, amounts })).execute(database);
}

const ofSummary = ['account_id', 'dimension', 'at', 'value', 'own_key'];

async function columnsOf(database: Kysely<unknown>, table: string, except: readonly string[] = []): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(database);
  return rows.map(({ name }) => name).filter((name) => !except.includes(name));
}

/** The statement that adds rows to a summary, in an order that is the same for all replicas. */
function adding({ target, key, amounts: own }: Summary, from: { rows: string; amounts: readonly string[] }): string {
  const amounts = own ?? from.amounts;
  const names = Object.keys(key);
  const numbers = names.map((_, at) => at + 1).join(', ');
  return `insert into ${target} (${[...names, ...amounts].join(', ')})
    select ${[...Object.values(key), ...amounts.map((name) => `sum(${name})`)].join(', ')}
    from ${from.rows} group by ${numbers} order by ${numbers}
    on conflict (${names.join(', ')}) do update set
      ${amounts.map((name) => `${name} = ${target}.${name} + excluded.${name}`).join(', ')}`;
}

interface Source {
  source: string;
  some: readonly Summary[];
  amounts: readonly string[];
}

/**
 * Rows of sums are inserted, updated by adding to them, and deleted. An upsert calls the triggers of both inserts and
 * updates, mostly one of them without a row.
 */
async function createTriggers(database: Kysely<unknown>, { source, some, amounts }: Source): Promise<void> {
  const added = new Set(some.flatMap((each) => each.amounts ?? amounts));
  const columns = await columnsOf(database, source);
  const taken = columns.map((name) => (added.has(name) ? `-${name} as ${name}` : name)).join(', ');
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
    const name = `summarize_${source}_${event}`;
    const body = some.map((each) => `${adding(each, { rows: of, amounts })};`).join('\n');
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
