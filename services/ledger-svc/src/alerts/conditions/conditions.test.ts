import { hashKey } from '@tallyport/contracts';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  databasesWithSecrets,
  type OpenedWithSecrets,
} from '../../../../auth-svc/src/testing/databases-with-secrets.ts';
import { keepReconciliation } from '../../reconcile/keep-reconciliation.ts';
import { type OpenedAlerts, openAlertTests } from '../testing/open-alert-tests.ts';
import { openReceiver, type Receiver } from '../testing/open-receiver.ts';

const monthly = { amount: '10', period: 'month' };

describe.each(databasesWithSecrets)('the conditions of alerts in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let alerts: OpenedAlerts;
  let receiver: Receiver;
  let caller: ApiCaller;
  let accounts = 0;

  beforeAll(async () => {
    opened = await open();
    alerts = openAlertTests(opened);
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await alerts.stop();
    await receiver.close();
    await opened.close();
  });
  beforeEach(async () => {
    accounts += 1;
    caller = await alerts.addAccount(`account-${accounts}`, monthly);
  });

  const ask = (name: string, input: object = {}) => alerts.ask(name, caller, input);
  const create = (input: object = {}) =>
    ask('POST /alerts', { name: 'an alert', webhook: { url: receiver.url }, ...input });
  const spend = (cost: string, changes: object = {}) =>
    alerts.use(1, { accountId: caller.accountId, cost, ...changes });
  const summaries = async () =>
    (await ask('GET /alerts/history')).events.map(({ kind, summary }: Record<string, string>) => [kind, summary]);

  it('find each key that has spent its budget', async () => {
    const budget = JSON.stringify(monthly);
    const keys = ['full', 'half', 'other'].map((name) => ({
      id: `${caller.accountId}-${name}`,
      account_id: caller.accountId,
      name,
      prefix: 'sk-tp-',
      key_hash: hashKey(`${caller.accountId}-${name}`),
      ...(name !== 'other' && { budget }),
    }));
    await alerts.database.kysely.insertInto('api_keys').values(keys).execute();
    await create({ condition: { type: 'budget', scope: 'key', percent: 50 } });
    await create({ name: 'one', condition: { type: 'budget', scope: 'key', id: keys[1]?.id, percent: 50 } });
    await spend('10', { keyId: keys[0]?.id });
    await spend('5', { keyId: keys[1]?.id });
    await spend('99', { keyId: keys[2]?.id });
    // What an account pays for itself is not counted.
    await spend('5', { keyId: keys[1]?.id, ownKey: true });
    await alerts.check();
    expect((await summaries()).toSorted()).toEqual([
      ['fired', 'The key full has spent 100 % of its budget (alert at 50 %).'],
      ['fired', 'The key half has spent 50 % of its budget (alert at 50 %).'],
      ['fired', 'The key half has spent 50 % of its budget (alert at 50 %).'],
    ]);
  });

  it('find each project that has spent its budget, once, until a new period begins', async () => {
    const budget = JSON.stringify({ amount: '10', period: 'day' });
    const projects = ['search', 'shop', 'other'].map((name) => ({
      id: `${caller.accountId}-${name}`,
      account_id: caller.accountId,
      name,
      ...(name !== 'other' && { budget }),
    }));
    await alerts.database.kysely.insertInto('projects').values(projects).execute();
    await create({ condition: { type: 'budget', scope: 'project', percent: 50 } });
    await create({ name: 'one', condition: { type: 'budget', scope: 'project', id: projects[1]?.id, percent: 51 } });
    for (const { id } of projects) await spend('5', { projectId: id });
    await alerts.check();
    const fired = (name: string) => ['fired', `The project ${name} has spent 50 % of its budget (alert at 50 %).`];
    expect((await summaries()).toSorted()).toEqual([fired('search'), fired('shop')]);

    await spend('0.1', { projectId: projects[1]?.id });
    await alerts.check();
    await alerts.check();
    const atOne = ['fired', 'The project shop has spent 51 % of its budget (alert at 51 %).'];
    expect((await summaries()).toSorted()).toEqual([fired('search'), fired('shop'), atOne]);

    await alerts.check(new Date(Date.now() + 86_400_000));
    const resolved = (name: string, percent: number) => [
      'resolved',
      `The project ${name} has spent less than ${percent} % of its budget again, or has none.`,
    ];
    expect((await summaries()).slice(0, 3).toSorted()).toEqual([
      resolved('search', 50),
      resolved('shop', 50),
      resolved('shop', 51),
    ]);
  });

  it('find a provider whose calls fail, once there are enough of them', async () => {
    const provider = `provider-${accounts}`;
    const call = (error: string) => ({
      attempts: [{ provider, status: 500, error, ms: 10 }],
      provider: undefined,
      endReason: 'error',
    });
    const { id } = await create({ condition: { type: 'provider_uptime', provider, below: 90 } });
    await alerts.use(8, call('none'));
    await alerts.use(1, call('provider_timeout'));
    await alerts.check();
    expect(await summaries()).toEqual([]);
    await alerts.use(1, call('none'));
    await alerts.check();
    expect(await summaries()).toEqual([]);
    await alerts.use(1, call('provider_timeout'));
    await alerts.check();
    expect(await summaries()).toEqual([
      ['fired', `81.82 % of the calls of ${provider} succeeded in this hour (alert below 90 %).`],
    ]);
    await alerts.use(20, call('none'));
    await alerts.check();
    expect((await summaries())[0]).toEqual([
      'resolved',
      `At least 90 % of the calls of ${provider} succeeded in this hour.`,
    ]);
    expect((await ask('GET /alerts/{id}', { id })).firing).toEqual([]);
  });

  it('find requests that fail, of one model only if they have one', async () => {
    const { accountId } = caller;
    await create({ condition: { type: 'error_rate', above: 20, hours: 3 } });
    await create({ name: 'model', condition: { type: 'error_rate', above: 20, model: 'large', atLeast: 2 } });
    await alerts.use(8, { accountId, model: 'small' });
    await alerts.use(2, { accountId, model: 'small', endReason: 'error' });
    await alerts.use(1, { accountId, model: 'large', endReason: 'error' });
    // Neither fails: nothing was called, or the caller left.
    await alerts.use(5, { accountId, model: 'large', endReason: 'refused' });
    await alerts.check();
    expect(await summaries()).toEqual([
      ['fired', '27.27 % of requests failed in the last 3 hours (alert above 20 %).'],
    ]);
    await alerts.use(1, { accountId, model: 'large' });
    await alerts.check();
    expect((await summaries())[0]).toEqual([
      'fired',
      '50 % of requests for large failed in this hour (alert above 20 %).',
    ]);
  });

  it('find each key and each model whose requests fail', async () => {
    const key = { id: `${caller.accountId}-shop`, account_id: caller.accountId, name: 'shop', prefix: 'sk-tp-' };
    await alerts.database.kysely
      .insertInto('api_keys')
      .values({ ...key, key_hash: hashKey(key.id) })
      .execute();
    const { accountId } = caller;
    const use = (count: number, keyId: string, model: string, endReason: 'done' | 'error') =>
      alerts.use(count, { accountId, keyId, model, endReason });
    const rate = { type: 'error_rate', above: 50, atLeast: 2 };
    await create({ condition: { ...rate, per: 'key' } });
    await create({ name: 'models', condition: { ...rate, per: 'model' } });
    await create({ name: 'one', condition: { ...rate, key: key.id, model: 'small', above: 20 } });
    await use(2, key.id, 'large', 'error');
    await use(1, key.id, 'small', 'done');
    await use(3, 'workload_ci', 'small', 'done');
    await use(1, 'workload_ci', 'small', 'error');
    await alerts.check();
    expect((await summaries()).toSorted()).toEqual([
      ['fired', '100 % of requests for large failed in this hour (alert above 50 %).'],
      ['fired', '66.67 % of requests with the key shop failed in this hour (alert above 50 %).'],
    ]);
    await use(1, key.id, 'small', 'error');
    await use(9, key.id, 'large', 'done');
    await alerts.check();
    expect((await summaries()).slice(0, 3).toSorted()).toEqual([
      ['fired', '50 % of requests for small with the key shop failed in this hour (alert above 20 %).'],
      ['resolved', 'No more than 50 % of requests for large failed in this hour.'],
      ['resolved', 'No more than 50 % of requests with the key shop failed in this hour.'],
    ]);
    const unknown = { ...rate, key: 'key_of_another_account' };
    await expect(create({ name: 'two', condition: unknown })).rejects.toMatchObject({ param: 'condition.key' });
  });

  it('find slow answers, of a model or of all, once there are enough of them', async () => {
    const { accountId } = caller;
    await create({ condition: { type: 'latency', above: 5_000, atLeast: 3 } });
    await create({ name: 'large', condition: { type: 'latency', model: 'large', above: 8_000, atLeast: 3 } });
    await alerts.use(2, { accountId, model: 'large', durationMs: 9_000 });
    await alerts.check();
    expect(await summaries()).toEqual([]);
    await alerts.use(1, { accountId, model: 'large', durationMs: 9_000 });
    await alerts.check();
    // A percentile is read from a histogram.
    expect((await summaries()).toSorted()).toEqual([
      [
        'fired',
        expect.stringMatching(/^The p95 of requests for large was 9\.\d+ s in this hour \(alert above 8 s\)\.$/),
      ],
      ['fired', expect.stringMatching(/^The p95 of requests was 9\.\d+ s in this hour \(alert above 5 s\)\.$/)],
    ]);
    await alerts.use(200, { accountId, model: 'small', durationMs: 500 });
    await alerts.check();
    expect((await summaries())[0]).toEqual(['resolved', 'The p95 of requests was at most 5 s in this hour.']);
  });

  it('find what a day costs, of the account or of each project, until the next day', async () => {
    const project = { id: `${caller.accountId}-search`, account_id: caller.accountId, name: 'search' };
    await alerts.database.kysely.insertInto('projects').values(project).execute();
    await create({ condition: { type: 'daily_cost', above: 5 } });
    await create({ name: 'projects', condition: { type: 'daily_cost', scope: 'project', above: 2.5 } });
    await spend('4');
    await spend('100', { ownKey: true });
    await alerts.check();
    expect(await summaries()).toEqual([]);
    await spend('3', { projectId: project.id });
    await alerts.check();
    expect((await summaries()).toSorted()).toEqual([
      ['fired', `The account Account ${caller.accountId} has cost $7.00 today (alert above $5.00).`],
      ['fired', 'The project search has cost $3.00 today (alert above $2.50).'],
    ]);
    await alerts.check(new Date(Date.now() + 86_400_000));
    expect((await summaries()).slice(0, 2).toSorted()).toEqual([
      ['resolved', `The account Account ${caller.accountId} has cost no more than $5.00 today.`],
      ['resolved', 'The project search has cost no more than $2.50 today.'],
    ]);
  });

  it('find a bill from which the ledger differs, until a newer result agrees', async () => {
    const { accountId } = caller;
    const result = (vendor: string, ratio: number) => ({
      vendor,
      from: '2026-11-01',
      to: '2026-11-02',
      ours: '1',
      theirs: '1.02',
      difference: '0.02',
      reasons: { unexplained: '0.02' },
      ratio,
      rows: [],
    });
    await create({ condition: { type: 'vendor_difference', above: 1 } });
    await create({ name: 'one', condition: { type: 'vendor_difference', vendor: 'beta', above: 1 } });
    await alerts.check();
    await keepReconciliation(alerts.database, { accountId, result: result('alpha', 0.0196) });
    await keepReconciliation(alerts.database, { accountId, result: result('beta', 0.01) });
    await alerts.check();
    expect(await summaries()).toEqual([
      ['fired', 'The ledger differs from the bill of alpha by 1.96 % (alert above 1 %).'],
    ]);
    await keepReconciliation(alerts.database, { accountId, result: result('alpha', 0) });
    await alerts.check();
    expect((await summaries())[0]).toEqual(['resolved', 'The ledger differs from the bill of alpha by at most 1 %.']);
  });

  it('find keys that expire soon, until they are renewed', async () => {
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const keys = [5.5, 7.5, -3].map((left, at) => ({
      id: `${caller.accountId}-${at}`,
      account_id: caller.accountId,
      name: `key ${left}`,
      prefix: 'sk-tp-',
      key_hash: hashKey(`${caller.accountId}-${at}`),
      expires_at: days(left),
    }));
    const { kysely } = alerts.database;
    await kysely.insertInto('api_keys').values(keys).execute();
    await create({ condition: { type: 'key_expiry', days: 7 } });
    await alerts.check();
    expect(await summaries()).toEqual([['fired', 'The key key 5.5 expires in 6 days.']]);
    await kysely
      .updateTable('api_keys')
      .set({ expires_at: days(30) })
      .where('id', '=', keys[0]?.id ?? '')
      .execute();
    await alerts.check();
    expect((await summaries())[0]).toEqual([
      'resolved',
      'The key key 5.5 no longer expires within 7 days, or was revoked.',
    ]);
  });
});
