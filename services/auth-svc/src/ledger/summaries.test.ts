import type { UsageRecord } from '@switchyard/contracts';
import { type Database, type RawBuilder, sql } from '@switchyard/database';
import { testDatabases } from '@switchyard/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMonths } from './partitions.ts';
import { usageRecord } from './testing/usage-record.ts';
import { summedColumns, writeUsage } from './write-usage.ts';

const amounts = sql.raw(summedColumns.map((name) => `sum(${name}) as ${name}`).join(', '));
const nonZero = sql`having sum(requests) <> 0`;
const day = sql.raw(`date_trunc('day', at, 'UTC')`);

/** Each summary, and the same from the rows it is made of. */
const pairs: readonly (readonly [name: string, summary: RawBuilder<unknown>, rows: RawBuilder<unknown>])[] = [
  ...(['hours', 'days'] as const).flatMap((unit) =>
    dimensionsOf(unit).map(([dimension, column, source]) => {
      const summary = sql.table(`usage_summary_${unit}`);
      return [
        `usage of ${unit} by ${dimension}`,
        sql`select account_id, at, value, own_key, ${amounts} from ${summary} where dimension = ${dimension}
          group by 1, 2, 3, 4 ${nonZero}`,
        sql`select account_id, at, ${sql.raw(column)}, own_key, ${amounts} from ${sql.table(`${source}_${unit}`)}
          group by 1, 2, 3, 4 ${nonZero}`,
      ] as const;
    }),
  ),
  ...(['hours', 'days'] as const).flatMap((unit) =>
    dimensionsOf(unit).map(([dimension, column, source]) => {
      const at = unit === 'days' ? day : sql`at`;
      return [
        `tallies of ${unit} by ${dimension}`,
        sql`select account_id, at, name, measure, value, sum(requests) from ${sql.table(`tally_summary_${unit}`)}
          where dimension = ${dimension} group by 1, 2, 3, 4, 5 ${nonZero}`,
        sql`select account_id, ${at}, ${sql.raw(column)}, measure, value, sum(requests) from ${sql.table(`${source}_tallies`)}
          group by 1, 2, 3, 4, 5 ${nonZero}`,
      ] as const;
    }),
  ),
  [
    'hours of providers',
    sql`select at, provider, sum(attempts), sum(failed), sum(rescued) from provider_hours group by 1, 2 having sum(attempts) <> 0`,
    sql`select at, provider, sum(attempts), sum(failed), sum(rescued) from offer_hours group by 1, 2 having sum(attempts) <> 0`,
  ],
  ...[`''`, 'model'].flatMap((model) => {
    const kind = sql.raw(model === 'model' ? `model <> ''` : `model = ''`);
    return [
      [
        `days of offers, model ${model}`,
        sql`select at, provider, model, sum(attempts), sum(failed), sum(rescued) from offer_days where ${kind} group by 1, 2, 3 having sum(attempts) <> 0`,
        sql`select ${day}, provider, ${sql.raw(model)}, sum(attempts), sum(failed), sum(rescued) from offer_hours group by 1, 2, 3 having sum(attempts) <> 0`,
      ],
      [
        `times of offers, model ${model}`,
        sql`select at, provider, model, bucket, sum(attempts) from offer_latency_days where ${kind} group by 1, 2, 3, 4 having sum(attempts) <> 0`,
        sql`select ${day}, provider, ${sql.raw(model)}, bucket, sum(attempts) from offer_latencies group by 1, 2, 3, 4 having sum(attempts) <> 0`,
      ],
    ] as const;
  }),
];

function dimensionsOf(unit: 'hours' | 'days'): (readonly [dimension: string, column: string, source: string])[] {
  const whole = [
    ['all', `''`, 'usage'],
    ['project', 'project_id', 'project'],
  ] as const;
  if (unit === 'hours') return [...whole];
  return [...whole, ['model', 'model', 'usage'], ['provider', 'provider', 'usage'], ['key', 'key_id', 'usage']];
}

/** 240 requests of two days, two accounts, four keys, three models and two providers, some failed, some of a project. */
const records = Array.from({ length: 240 }, (_, n) =>
  usageRecord({
    at: new Date(Date.UTC(2026, 10, 3 + (n % 2), n % 24, n % 60)).toISOString(),
    accountId: `account-${n % 2}`,
    keyId: `key-${n % 4}`,
    model: `model-${n % 3}`,
    provider: `provider-${n % 2}`,
    attempts: [
      { provider: `provider-${n % 2}`, status: 200, error: n % 7 === 0 ? 'provider_error' : 'none', ms: 10 + n },
    ],
    durationMs: 10 + n,
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
  }, 120_000);
  afterAll(async () => {
    await database?.close();
    await remove?.();
  });

  const write = (some: readonly UsageRecord[]) => writeUsage(database.kysely, some);

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
      union all select count(*)::int from tally_summary_days`.execute(database.kysely);
    return rows.map(({ count }) => count);
  }

  test('equal the sums they are made of when these are added, added to, and deleted', async () => {
    await write(records.slice(0, 120));
    await write(records);
    await write(records);
    expect(await differences()).toEqual({});
    expect(Math.min(...(await sizes()))).toBeGreaterThan(20);
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
    for (const table of ['usage_summary_hours', 'usage_summary_days']) {
      const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(database.kysely);
      expect(summedColumns.filter((column) => !rows.some((row) => row.name === column))).toEqual([]);
    }
  });
});
