import type { UsageRecord } from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMonths } from './partitions.ts';
import { rowsOfUsage } from './rows-of-usage.ts';
import { usageRecord } from './testing/usage-record.ts';
import { summedColumns, writeUsage } from './write-usage.ts';

const amounts = sql.raw(summedColumns.map((name) => `sum(${name}) as ${name}`).join(', '));
const nonZero = sql`having sum(requests) <> 0`;

type Unit = 'hours' | 'days' | 'weeks';
const startOf = (unit: Unit): RawBuilder<unknown> =>
  unit === 'hours' ? sql`at` : sql.raw(`date_trunc('${unit.slice(0, -1)}', at, 'UTC')`);

const units = ['hours', 'days', 'weeks'] as const;
const dimensions = [
  ['all', `''`, 'usage'],
  ['project', 'project_id', 'project'],
  ['model', 'model', 'usage'],
  ['provider', 'provider', 'usage'],
  ['key', 'key_id', 'usage'],
] as const;
const histogramDimensions = [
  ['all', `'', '', '', ''`, 'usage'],
  ['model', `'', model, '', ''`, 'usage'],
  ['provider', `'', '', provider, ''`, 'usage'],
  ['use', `key_id, model, provider, ''`, 'usage'],
  ['project', `'', '', '', project_id`, 'project'],
  ['project_use', 'key_id, model, provider, project_id', 'project'],
] as const;
const calls = ['attempts', 'failed', 'rescued', 'own_attempts', 'own_failed'];
const sumOfCalls = sql.raw(calls.map((name) => `sum(${name})`).join(', '));

/** The buckets of histograms as rows. */
const bucketsOf = (columns: string, histogram: string): RawBuilder<unknown> =>
  sql.raw(`select ${columns}, bucket, sum(${histogram}[bucket])::bigint as count
    from counted cross join lateral generate_subscripts(${histogram}, 1) as bucket group by ${columns}, bucket
    having sum(${histogram}[bucket]) <> 0`);

/** Each summary, and the same from the rows it is made of. */
const pairs: readonly (readonly [name: string, summary: RawBuilder<unknown>, rows: RawBuilder<unknown>])[] = [
  ...units.flatMap((unit) =>
    dimensions.map(([dimension, column, source]) => {
      const rows = sql.table(`${source}_${unit === 'hours' ? 'hours' : 'days'}`);
      return [
        `usage of ${unit} by ${dimension}`,
        sql`select account_id, at, value, own_key, ${amounts} from ${sql.table(`usage_summary_${unit}`)}
          where dimension = ${dimension} group by 1, 2, 3, 4 ${nonZero}`,
        sql`select account_id, ${startOf(unit)}, ${sql.raw(column)}, own_key, ${amounts} from ${rows}
          group by 1, 2, 3, 4 ${nonZero}`,
      ] as const;
    }),
  ),
  ...(['hours', 'days'] as const).flatMap((unit) =>
    dimensions.slice(0, unit === 'hours' ? 2 : undefined).map(
      ([dimension, column, source]) =>
        [
          `errors of ${unit} by ${dimension}`,
          sql`select account_id, at, name, measure, value, sum(requests) from ${sql.table(`tally_summary_${unit}`)}
        where dimension = ${dimension} group by 1, 2, 3, 4, 5 ${nonZero}`,
          sql`select account_id, ${startOf(unit)}, ${sql.raw(column)}, measure, value, sum(requests)
        from ${sql.table(`${source}_tallies`)} where measure = 'error' group by 1, 2, 3, 4, 5 ${nonZero}`,
        ] as const,
    ),
  ),
  ...units.flatMap((unit) =>
    histogramDimensions.flatMap(([dimension, columns, source]) =>
      ['duration', 'first_byte', 'speed'].map(
        (measure) =>
          [
            `${measure} of ${unit} by ${dimension}`,
            sql`with counted as (select * from ${sql.table(`usage_histogram_${unit}`)} where dimension = ${dimension})
          ${bucketsOf('account_id, at, key_id, model, provider, project_id', measure)}`,
            sql`select account_id, ${startOf(unit)}, ${sql.raw(columns)}, value::integer, sum(requests)::bigint
          from ${sql.table(`${source}_tallies`)} where measure = ${measure} group by 1, 2, 3, 4, 5, 6, 7 ${nonZero}`,
          ] as const,
      ),
    ),
  ),
  [
    'usage of days by offer',
    sql`select account_id, at, model, provider, own_key, ${amounts} from usage_offer_days group by 1, 2, 3, 4, 5 ${nonZero}`,
    sql`select account_id, at, model, provider, own_key, ${amounts} from usage_days group by 1, 2, 3, 4, 5 ${nonZero}`,
  ],
  [
    'hours of providers',
    sql`select at, provider, ${sumOfCalls} from provider_hours group by 1, 2 having sum(attempts) <> 0`,
    sql`select at, provider, ${sumOfCalls} from offer_hours group by 1, 2 having sum(attempts) <> 0`,
  ],
  ...[`''`, 'model'].flatMap((model) => {
    const kind = sql.raw(model === 'model' ? `model <> ''` : `model = ''`);
    return [
      [
        `days of offers, model ${model}`,
        sql`select at, provider, model, ${sumOfCalls} from offer_days where ${kind} group by 1, 2, 3 having sum(attempts) <> 0`,
        sql`select ${startOf('days')}, provider, ${sql.raw(model)}, ${sumOfCalls} from offer_hours group by 1, 2, 3 having sum(attempts) <> 0`,
      ],
      [
        `times of offers, model ${model}`,
        sql`with counted as (select * from offer_histogram_days where ${kind}) ${bucketsOf('at, provider, model', 'latency')}`,
        sql`select ${startOf('days')}, provider, ${sql.raw(model)}, bucket, sum(attempts)::bigint from offer_latencies group by 1, 2, 3, 4 having sum(attempts) <> 0`,
      ],
    ] as const;
  }),
];

/** 240 requests of two days in two weeks, two accounts, four keys, three models and two providers, some failed, some of a project. */
const records = Array.from({ length: 240 }, (_, n) =>
  usageRecord({
    at: new Date(Date.UTC(2026, 10, 3 + (n % 2) * 6, n % 24, n % 60)).toISOString(),
    accountId: `account-${n % 2}`,
    keyId: `key-${n % 4}`,
    model: `model-${n % 3}`,
    provider: `provider-${n % 2}`,
    attempts: [
      { provider: `provider-${n % 2}`, status: 200, error: n % 7 === 0 ? 'provider_error' : 'none', ms: 10 + n },
    ],
    durationMs: 10 + n,
    firstByteMs: 5 + (n % 50),
    stream: n % 2 === 0,
    ownKey: n % 5 === 0,
    ...(n % 4 === 0 && { projectId: `project-${n % 3}` }),
    ...(n % 7 === 0 && { endReason: 'error', error: 'all_providers_failed' }),
  }),
);

describe.each(['postgres', 'embedded'] as const)('the summaries of usage on the %s database', (name) => {
  let database: Database;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    ({ database, remove } = await testDatabases[name]());
    await database.migrate();
    await createMonths(database, ['2026-11']);
  });
  afterAll(async () => {
    await database?.close();
    await remove?.();
  });

  const write = async (some: readonly UsageRecord[]) => writeUsage(database.kysely, await rowsOfUsage(some));

  async function differences(): Promise<object> {
    const found: Record<string, unknown> = {};
    for (const [what, summary, rows] of pairs) {
      const { rows: different } =
        await sql`((${summary}) except all (${rows})) union all ((${rows}) except all (${summary}))`.execute(
          database.kysely,
        );
      if (different.length > 0) found[what] = different[0];
    }
    return found;
  }

  async function sizes(): Promise<number[]> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from usage_summary_days
      union all select count(*)::int from usage_offer_days
      union all select count(*)::int from usage_histogram_weeks`.execute(database.kysely);
    return rows.map(({ count }) => count);
  }

  test('equal the sums they are made of when these are added, added to, and deleted', async () => {
    await write(records.slice(0, 120));
    await write(records);
    await write(records);
    expect(await differences()).toEqual({});
    expect(Math.min(...(await sizes()))).toBeGreaterThan(10);
    for (const table of [
      'usage_hours',
      'usage_days',
      'usage_tallies',
      'project_hours',
      'project_days',
      'project_tallies',
    ])
      await sql`delete from ${sql.table(table)} where key_id = 'key-0'`.execute(database.kysely);
    for (const table of ['offer_hours', 'offer_latencies'])
      await sql`delete from ${sql.table(table)} where model = 'model-0'`.execute(database.kysely);
    expect(await differences()).toEqual({});
  });

  test('have every column that is summed', async () => {
    for (const table of ['usage_summary_hours', 'usage_summary_days', 'usage_summary_weeks', 'usage_offer_days']) {
      const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(database.kysely);
      expect(summedColumns.filter((column) => !rows.some((row) => row.name === column))).toEqual([]);
    }
  });
});
