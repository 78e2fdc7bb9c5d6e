import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiCaller } from '@tallyport/management-server';
import { changeAccount } from '../accounts/accounts.ts';
import { changeKey } from '../keys/change-key.ts';
import { createKey } from '../keys/create-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../testing/databases-with-secrets.ts';
import { maxGuardWebhooks } from './create-guard-webhook.ts';
import { guardWebhookEndpoints } from './guard-webhook-endpoints.ts';
import { loadGuardWebhooks } from './load-guard-webhooks.ts';
import { recordWebhookState } from './record-webhook-state.ts';

const url = 'https://dlp.example/decide';
const secret = 'plainTextOfTheWebhookSecretFor4711';
const naming = (name: string) => ({ request: { webhook: { name, onFailure: 'block' as const } } });

describe.each(databasesWithSecrets)('webhooks of guardrails in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let accounts = 0;
  let caller: ApiCaller;
  let notices: unknown[] = [];
  let tested: unknown[] = [];
  let endpoints: ReturnType<typeof guardWebhookEndpoints>;

  beforeAll(async () => {
    opened = await open();
    endpoints = guardWebhookEndpoints({
      ...opened.tools,
      targetUrls: { allowLocal: false },
      testGuardWebhook: async (of) => {
        tested.push(of);
        return { durationMs: 1, verdict: 'allow' };
      },
      announce: { guardWebhookChanged: (...change) => void notices.push(change) },
    });
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    accounts += 1;
    const id = `account-${accounts}`;
    await opened.tools.database.kysely.insertInto('accounts').values({ id, name: id }).execute();
    caller = { accountId: id, actor: 'key:k', role: 'owner', operator: false };
    [notices, tested] = [[], []];
  });

  async function ask(name: string, input: unknown): Promise<unknown> {
    const found = endpoints.find(({ operation: { method, path } }) => `${method} ${path}` === name);
    return found?.run(input, caller, { address: '', sessionToken: undefined, setSession() {} });
  }
  const create = (input: object = {}) =>
    ask('POST /guard-webhooks', { name: 'dlp', url, secret, ...input }) as Promise<{ id: string }>;
  const change = (id: string, changes: object) => ask('PATCH /guard-webhooks/{id}', { id, ...changes });
  const remove = (id: string) => ask('DELETE /guard-webhooks/{id}', { id });
  const list = () => ask('GET /guard-webhooks', {});
  const load = () => loadGuardWebhooks(opened.tools, caller.accountId);

  it('are added, listed without their secret, loaded with it, changed and deleted', async () => {
    const record = {
      id: expect.stringMatching(/^guard_webhook_[0-9a-f]{32}$/),
      name: 'dlp',
      url,
      lastFour: '4711',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    const created = await create();
    expect(created).toEqual(record);
    const { id } = created;
    expect(await list()).toEqual({ guardWebhooks: [record] });
    expect(await load()).toEqual([{ id, name: 'dlp', url, secret }]);
    const other = 'https://other.example/';
    expect(await change(id, { url: other })).toMatchObject({ url: other, lastFour: '4711' });
    expect(await load()).toEqual([{ id, name: 'dlp', url: other, secret }]);
    const newSecret = `${secret.slice(0, -4)}0815`;
    expect(await change(id, { secret: newSecret })).toMatchObject({ lastFour: '0815' });
    expect(await load()).toEqual([{ id, name: 'dlp', url: other, secret: newSecret }]);
    await remove(id);
    expect(await list()).toEqual({ guardWebhooks: [] });
    const secrets = opened.tools.database.kysely.selectFrom('secrets').select('id');
    expect(await secrets.where('account_id', '=', caller.accountId).execute()).toEqual([]);
    const changes = ['created', 'changed', 'changed', 'deleted'];
    expect(notices).toEqual(changes.map((kind) => [kind, { id, accountId: caller.accountId }]));
    const audit = await opened.tools.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('account_id', '=', caller.accountId)
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { action: 'guard_webhook.created', detail: { name: 'dlp', url } },
      { action: 'guard_webhook.changed', detail: { url: other } },
      { action: 'guard_webhook.changed', detail: { secret: 'replaced' } },
      { action: 'guard_webhook.deleted', detail: { name: 'dlp', url: other } },
    ]);
  });

  it('must exist to be named by guardrails of the account or of a key', async () => {
    const { database } = opened.tools;
    const maker = { accountId: caller.accountId, actor: caller.actor, byAdmin: true };
    const missing = { code: 'invalid_parameters', param: 'guardrails.request.webhook.name' };
    const setAccount = (guardrails: object | null) =>
      changeAccount(database, { id: caller.accountId, actor: caller.actor, changes: { guardrails } });
    await expect(setAccount(naming('dlp'))).rejects.toMatchObject(missing);
    await expect(createKey(database, maker, { name: 'k', guardrails: naming('dlp') })).rejects.toMatchObject(missing);
    const { record } = await createKey(database, maker, { name: 'k' });
    const setKey = (guardrails: ReturnType<typeof naming>) =>
      changeKey(database, { accountId: caller.accountId }, { id: record.id, ...maker, changes: { guardrails } });
    await expect(setKey(naming('dlp'))).rejects.toMatchObject(missing);
    await create();
    expect((await setAccount(naming('dlp'))).guardrails).toEqual(naming('dlp'));
    expect((await setKey(naming('dlp'))).record.guardrails).toEqual(naming('dlp'));
  });

  it('are tested, which is audited', async () => {
    const { id } = await create();
    expect(await ask('POST /guard-webhooks/{id}/test', { id })).toEqual({ durationMs: 1, verdict: 'allow' });
    expect(tested).toEqual([{ accountId: caller.accountId, id }]);
    const actions = opened.tools.database.kysely.selectFrom('audit_log').select('action').where('subject', '=', id);
    expect(await actions.orderBy('id').execute()).toContainEqual({ action: 'guard_webhook.tested' });
  });

  it('show until when they are not asked, and why', async () => {
    const { id } = await create();
    const { accountId } = caller;
    const { database } = opened.tools;
    const state = async () => {
      const { guardWebhooks } = (await list()) as { guardWebhooks: { pausedUntil?: string; problem?: string }[] };
      return guardWebhooks.map(({ pausedUntil, problem }) => ({ pausedUntil, problem }));
    };
    const asked = [{ pausedUntil: undefined, problem: undefined }];
    const pausedUntil = new Date(Date.now() + 60_000).toISOString();
    const problem = 'The webhook did not answer in time.';
    expect(await state()).toEqual(asked);
    await recordWebhookState(database, { id, accountId: 'default', pausedUntil, problem });
    expect(await state()).toEqual(asked);
    await recordWebhookState(database, { id, accountId, pausedUntil, problem });
    expect(await state()).toEqual([{ pausedUntil, problem }]);
    await recordWebhookState(database, { id, accountId, pausedUntil: null });
    expect(await state()).toEqual(asked);
    await recordWebhookState(database, { id, accountId, pausedUntil: new Date(0).toISOString(), problem });
    expect(await state()).toEqual(asked);
    await recordWebhookState(database, { id, accountId, pausedUntil, problem });
    await change(id, { url: 'https://other.example/' });
    expect(await state()).toEqual(asked);
  });

  it('are not deleted while guardrails name them', async () => {
    const { database } = opened.tools;
    const maker = { accountId: caller.accountId, actor: caller.actor, byAdmin: true };
    const { id } = await create();
    const setAccount = (guardrails: object | null) =>
      changeAccount(database, { id: caller.accountId, actor: caller.actor, changes: { guardrails } });
    await setAccount({ answer: naming('dlp').request });
    await expect(remove(id)).rejects.toMatchObject({ code: 'conflict' });
    await setAccount(null);
    const { record } = await createKey(database, maker, { name: 'k', guardrails: naming('dlp') });
    await expect(remove(id)).rejects.toMatchObject({ code: 'conflict' });
    await revokeKey(database, { id: record.id, actor: caller.actor });
    expect(await remove(id)).toMatchObject({ id });
  });

  it('of another account are not visible', async () => {
    const { id } = await create();
    caller = { ...caller, accountId: 'default' };
    const missing = { code: 'not_found', status: 404 };
    await expect(change(id, { url })).rejects.toMatchObject(missing);
    await expect(remove(id)).rejects.toMatchObject(missing);
    expect(await load()).toEqual([]);
  });

  it('are limited to ten per account, with different names', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'conflict', param: 'name' });
    for (let at = 2; at < maxGuardWebhooks; at += 1) await create({ name: `webhook-${at}` });
    const made = await Promise.allSettled(['a', 'b', 'c'].map((name) => create({ name })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    [
      'plain http',
      { url: 'http://dlp.example/' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    [
      'a private address',
      { url: 'https://10.0.0.1/' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    ['a secret of 31 characters', { secret: 'x'.repeat(31) }, '32 to 256 characters of base64'],
    ['an underscore in the name', { name: 'a_b' }, 'name must be 1 to 32 lower-case letters'],
  ])('with %s are refused', async (_what, input, message) => {
    await expect(create(input)).rejects.toThrow(message);
    expect(await list()).toEqual({ guardWebhooks: [] });
  });

  it('can be listed by members and changed by owners', () => {
    expect(endpoints.map(({ operation: { method, access } }) => [method, access])).toEqual([
      ['GET', 'member'],
      ['POST', 'owner'],
      ['PATCH', 'owner'],
      ['POST', 'owner'],
      ['DELETE', 'owner'],
    ]);
  });
});
