import { routeSchema, type UsageDetails, type UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import type { UsedRoute } from '@tallyport/management';
import { type ApiCaller, endpointsByName } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { createLedger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { tokensOf, usageRecord } from '../usage/testing/usage-record.ts';
import { mostOfEach, usageQuery } from './read-route-usage.ts';
import { routeUsageEndpoints } from './route-usage-endpoints.ts';

const context = { address: '', sessionToken: undefined, setSession() {} };
const changedAt = '2026-11-20T00:00:00.000Z';
const at = '2026-11-21T10:00:00.000Z';

interface Scan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Scan[];
}

describe.each(databasesWithSecrets)('the usage of routes in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let ledger: ReturnType<typeof createLedger>;

  beforeAll(async () => {
    opened = await open();
    const { kysely } = opened.tools.database;
    for (const id of ['acme', 'other', 'busy', 'many', 'empty', 'team'])
      await kysely.insertInto('accounts').values({ id, name: id }).execute();
    ledger = createLedger(opened.tools.database, { retentionDays: 36_500, events: silentLedger });
  });
  afterAll(() => opened.close());

  const addRoutes = async (accountId: string, names: readonly string[]): Promise<void> => {
    const definition = JSON.stringify(routeSchema.parse({ targets: [{ model: 'a' }] }));
    const { kysely } = opened.tools.database;
    await kysely
      .insertInto('routes')
      .values(names.map((name) => ({ account_id: accountId, name, definition, shares_since: new Date(changedAt) })))
      .execute();
  };
  const used = (route: NonNullable<UsageDetails['route']>, changes: Partial<UsageRecord> = {}) =>
    usageRecord({ accountId: 'acme', at, requestedModel: route.name, details: { route }, ...changes });
  const of = (target: string | undefined, reason: string, owner = 'account') => ({
    name: 'fast',
    owner,
    ...(target !== undefined && { target }),
    reason,
  });

  async function read(accountId: string, by: Partial<ApiCaller> = {}): Promise<UsedRoute[]> {
    const caller: ApiCaller = { accountId, actor: 'user:ann', role: 'admin', operator: false, ...by };
    const endpoint = endpointsByName(routeUsageEndpoints(opened.tools)).get('readRouteUsage');
    const { routes } = (await endpoint!.run({}, caller, context)) as { routes: UsedRoute[] };
    return routes;
  }

  test('is by model and reason, with cost, length and time of what providers answered', async () => {
    await addRoutes('acme', ['fast', 'unused']);
    await addRoutes('other', ['fast']);
    const stable = (changes: Partial<UsageRecord>) => used(of('openai/stable', 'weight'), changes);
    await ledger.write([
      stable({ cost: '0.001', durationMs: 100, tokens: tokensOf({ input: 9, output: 10 }) }),
      stable({ cost: '0.002', durationMs: 300, tokens: tokensOf({ output: 20, reasoning: 30 }) }),
      stable({ cost: null, durationMs: 900, tokens: tokensOf({ output: 31 }) }),
      // From the cache, which costs nothing and takes no time.
      stable({ cost: '0', durationMs: 1, tokens: tokensOf(), cached: true, provider: undefined }),
      stable({ provider: undefined, endReason: 'error', error: 'upstream_error', cost: '0' }),
      stable({ provider: undefined, endReason: 'client_gone', error: 'client_closed_request', cost: '0' }),
      // A part of an answer is none, as in analytics.
      stable({ endReason: 'client_gone', error: 'client_closed_request', cost: '7', durationMs: 7_000 }),
      stable({ endReason: 'upstream_cut', error: 'stream_truncated', cost: '7', durationMs: 7_000 }),
      used(of('canary', 'weight'), { cost: '0.5', durationMs: 7 }),
      used(of('canary', 'other_target')),
      used(of('canary', 'condition')),
      used(of('spare', 'then')),
      used(of('trial', 'shadow'), { keyId: 'shadow_fast', projectId: 'project_trial', cost: '0.25', durationMs: 50 }),
      // Of a version that did not record the target.
      used(of(undefined, 'weight'), { model: 'old' }),
      // None of these counts: another account, before the change, of the operator, of a deleted route, of no route.
      used(of('canary', 'weight'), { accountId: 'other' }),
      used(of('canary', 'weight'), { at: '2026-11-19T23:59:59.999Z' }),
      used(of('canary', 'weight', 'operator')),
      used({ ...of('canary', 'weight'), name: 'deleted' }),
      usageRecord({ accountId: 'acme', at, requestedModel: 'fast' }),
    ]);
    const one = { requests: 1, failed: 0, costPerRequest: '0.001', tokensPerAnswer: 3, durationMs: 13 };
    expect(await read('acme')).toEqual([
      {
        name: 'fast',
        since: changedAt,
        models: [
          {
            model: 'openai/stable',
            reason: 'weight',
            requests: 4,
            failed: 2,
            costPerRequest: '0.0015',
            tokensPerAnswer: 30,
            durationMs: 300,
          },
          { ...one, model: 'canary', reason: 'condition' },
          { ...one, model: 'canary', reason: 'other_target' },
          { ...one, model: 'canary', reason: 'weight', costPerRequest: '0.5', durationMs: 7 },
          { ...one, model: 'old', reason: 'weight' },
          { ...one, model: 'spare', reason: 'then' },
          { ...one, model: 'trial', reason: 'shadow', costPerRequest: '0.25', durationMs: 50 },
        ],
      },
      { name: 'unused', since: changedAt, models: [] },
    ]);
    expect(await read('other')).toMatchObject([{ name: 'fast', models: [{ model: 'canary', requests: 1 }] }]);
    expect(await read('empty')).toEqual([]);
  });

  test('is for a member that of their own keys and of the projects whose admin they are', async () => {
    await addRoutes('team', ['fast']);
    const { kysely } = opened.tools.database;
    for (const id of ['ann', 'bob']) {
      await kysely
        .insertInto('users')
        .values({ id, email: `${id}@team.test`, password_hash: 'x' })
        .execute();
      await kysely.insertInto('memberships').values({ account_id: 'team', user_id: id, role: 'member' }).execute();
      const key = {
        id: `key-${id}`,
        account_id: 'team',
        user_id: id,
        key_hash: id.slice(0, 1).repeat(64),
        name: id,
        prefix: 'sk',
      };
      await kysely.insertInto('api_keys').values(key).execute();
    }
    await kysely.insertInto('projects').values({ id: 'lab', account_id: 'team', name: 'lab' }).execute();
    await kysely
      .insertInto('project_members')
      .values({ project_id: 'lab', account_id: 'team', user_id: 'bob', role: 'admin' })
      .execute();
    const team = (changes: Partial<UsageRecord>) => used(of('stable', 'weight'), { accountId: 'team', ...changes });
    await ledger.write([
      team({ keyId: 'key-ann' }),
      team({ keyId: 'key-bob' }),
      team({ keyId: 'other', projectId: 'lab' }),
      team({ keyId: 'other' }),
    ]);
    const counted = async (by: Partial<ApiCaller>) => {
      const [route, ...others] = await read('team', by);
      expect([route?.name, route?.since, others]).toEqual(['fast', changedAt, []]);
      return route?.models.map(({ requests }) => requests);
    };
    expect(await counted({})).toEqual([4]);
    expect(await counted({ role: 'member', userId: 'ann' })).toEqual([1]);
    expect(await counted({ role: 'member', userId: 'bob' })).toEqual([2]);
    expect(await counted({ role: 'member', userId: 'eve' })).toEqual([]);
  });

  const fill = (accountId: string, records: number, route: string) =>
    sql`insert into usage_records (id, at, request_id, account_id, key_id, operation, requested_model, model, provider,
        attempts, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, image_in_tokens,
        image_out_tokens, images, cost, costs, price_version, source, flags, own_key, cached, stream, duration_ms, end_reason,
        status, details)
      select ${accountId} || n, '2026-11-21T00:00:00Z'::timestamptz + n * interval '1 second', 'req', ${accountId}, 'key', 'chat',
        'r', 'm', 'p', '[]', 1, 0, 0, 1, 0, 0, 0, 0, 0.001, '{}', 'v1', 'reported', '[]', false, false, false, 5, 'done', 200,
        jsonb_build_object('route', jsonb_build_object('name', ${route}::text, 'owner', 'account', 'target', 'm', 'reason', 'weight'))
      from generate_series(1, ${records}::int) as n`.execute(opened.tools.database.kysely);

  const scans = ({ Plans = [], ...scan }: Scan): Scan[] => [scan, ...Plans.flatMap(scans)];

  test('is of the newest 10,000 requests, found by the index', async () => {
    await addRoutes('busy', ['fast']);
    await fill('busy', 10_000, 'fast');
    const whole = { name: 'fast', since: changedAt, models: [{ requests: 10_000 }] };
    expect(await read('busy')).toMatchObject([{ ...whole, since: '2026-11-21T00:00:01.000Z' }]);
    await ledger.write([used(of('m', 'weight'), { accountId: 'busy', at: '2026-11-22T00:00:00.000Z' })]);
    expect(await read('busy')).toMatchObject([
      { since: '2026-11-21T00:00:02.000Z', models: [{ model: 'm', requests: 10_000 }] },
    ]);
    const { kysely } = opened.tools.database;
    await sql`analyze usage_records`.execute(kysely);
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: Scan }[] }>`
      explain (analyze, format json) ${usageQuery({ accountId: 'busy', keys: undefined })}`.execute(kysely);
    const found = rows
      .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scans(Plan)))
      .filter((scan) => scan['Relation Name']?.startsWith('usage_records'));
    expect(found.map((scan) => scan['Node Type']).filter((type) => !type.startsWith('Index'))).toEqual([]);
    const records = found.map(
      (scan) => (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
    );
    expect(Math.max(...records)).toBeLessThanOrEqual(10_001);
  });

  test('is of 1,000 requests of each of many routes, and a frequent route takes none from a rare one', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `route-${10 + at}`);
    await addRoutes('many', names);
    await fill('many', mostOfEach + 1, 'route-10');
    await ledger.write([used({ ...of('m', 'weight'), name: 'route-20' }, { accountId: 'many' })]);
    const counted = (await read('many')).map(({ name, models }) => [name, models[0]?.requests ?? 0]);
    expect(counted).toEqual(names.map((name) => [name, name === 'route-10' ? 1_000 : name === 'route-20' ? 1 : 0]));
  });
});
