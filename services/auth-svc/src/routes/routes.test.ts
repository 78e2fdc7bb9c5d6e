import { type Catalogue, hashKey, mostRoutes, type Principal, type Route } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { NewProject } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../accounts/accounts.ts';
import { authenticate } from '../keys/authenticate.ts';
import { createKey } from '../keys/create-key.ts';
import { changeProject } from '../projects/change-project.ts';
import { createProject } from '../projects/create-project.ts';
import { deleteProject } from '../projects/delete-project.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../testing/databases-with-secrets.ts';
import { loadRoutes } from './list-routes.ts';
import { routeEndpoints } from './route-endpoints.ts';

const route = { targets: [{ model: 'gpt-5.4-mini' }] };
/** Empty while it is not known, as the one of most tests here. */
let catalogue: Catalogue = catalogueOf();
/** With the defaults of what is omitted. */
const whole: Route = { targets: [{ model: 'gpt-5.4-mini', weight: 1 }], then: [], when: [], onContentFilter: 'stop' };
const time = expect.stringMatching(/Z$/);

describe.each(databasesWithSecrets)('routes in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let accounts = 0;
  let caller: ApiCaller;
  let notices: unknown[] = [];
  let endpoints: ReturnType<typeof routeEndpoints>;

  beforeAll(async () => {
    opened = await open();
    endpoints = routeEndpoints({
      ...opened.tools,
      announce: { routeChanged: (...change) => void notices.push(change) },
      catalogue: async () => catalogue,
    });
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    accounts += 1;
    const id = `account-${accounts}`;
    await opened.tools.database.kysely.insertInto('accounts').values({ id, name: id }).execute();
    caller = { accountId: id, actor: 'key:k', role: 'owner', operator: false };
    notices = [];
  });

  async function ask(name: string, input: unknown): Promise<unknown> {
    const found = endpoints.find(({ operation: { method, path } }) => `${method} ${path}` === name);
    return found?.run(input, caller, { address: '', sessionToken: undefined, setSession() {} });
  }
  const put = (name: string, definition: object = route) => ask('PUT /routes/{name}', { name, ...definition });
  const read = (name: string) => ask('GET /routes/{name}', { name });
  const remove = (name: string) => ask('DELETE /routes/{name}', { name });
  const list = () => ask('GET /routes', {});
  const load = () => loadRoutes(opened.tools.database, caller.accountId);
  const recorded = (name: string, definition: object = whole) => ({
    name,
    ...definition,
    createdAt: time,
    updatedAt: time,
  });
  const made = (name: string) => ['created', { name, accountId: caller.accountId }];

  async function principalOf(accountId: string): Promise<Principal | undefined> {
    const { database } = opened.tools;
    const { key } = await createKey(database, { accountId, actor: 'key:k', byAdmin: true }, { name: 'k' });
    return (await authenticate(database, hashKey(key)))?.principal;
  }
  const versionOf = async () => (await principalOf(caller.accountId))?.routesVersion;

  const owner = () => ({ accountId: caller.accountId, actor: 'key:k' as const });
  const project = async (settings: Partial<NewProject> = {}) =>
    (await createProject(opened.tools.database, owner(), { name: 'trial', ...settings })).id;

  it('name models that exist, with or without a provider, and no routes', async () => {
    catalogue = catalogueOf(modelOf('swift', [offerOf('alpha')]), modelOf('deep', [offerOf('beta')]));
    try {
      const definition = { targets: [{ model: 'swift:floor' }], then: ['alpha/swift', 'beta/passed-on'] };
      await put('fast', definition);
      const refusals: [object, string, string][] = [
        [{ targets: [{ model: 'swifd' }] }, 'targets[0].model', "There is no model 'swifd'. Did you mean swift?"],
        [{ ...definition, then: ['swift', 'depe'] }, 'then[1]', "There is no model 'depe'. Did you mean deep?"],
        [
          { ...definition, when: [{ if: 'request.stream', use: ['fast'] }] },
          'when[0].use[0]',
          "'fast' is a route, and a route names models.",
        ],
      ];
      for (const [wrong, param, message] of refusals) {
        await expect(put('other', wrong)).rejects.toMatchObject({ param, message: `\`${param}\`: ${message}` });
      }
      expect(((await list()) as { routes: { name: string }[] }).routes.map(({ name }) => name)).toEqual(['fast']);
    } finally {
      catalogue = catalogueOf();
    }
  });

  it('are created, replaced as a whole, listed by name, read and deleted', async () => {
    const full: Route = {
      description: 'what the support bot uses',
      targets: [
        { model: 'gpt-5.4-mini', weight: 90 },
        { model: 'claude-haiku-4-5', weight: 10 },
      ],
      then: ['gemini-3.5-flash'],
      when: [{ if: 'request.tokens > 100000', use: ['gemini-3.5-flash'] }],
      onContentFilter: 'next',
      shadow: { model: 'claude-sonnet-5', percent: 5, project: 'trial' },
    };
    const projectId = await project();
    expect(await put('fast', full)).toEqual(recorded('fast', full));
    expect(await put('cheap')).toEqual(recorded('cheap'));
    expect(await list()).toEqual({ routes: [recorded('cheap'), recorded('fast', full)] });
    const shadow = { ...full.shadow, payer: { projectId } };
    expect(await load()).toEqual({ cheap: whole, fast: { ...full, shadow } });
    expect(await put('fast')).toEqual(recorded('fast'));
    expect(await read('fast')).toEqual(recorded('fast'));
    expect(await remove('cheap')).toEqual(recorded('cheap'));
    expect(await list()).toEqual({ routes: [recorded('fast')] });
    const { accountId } = caller;
    expect(notices).toEqual([
      made('fast'),
      made('cheap'),
      ['changed', { name: 'fast', accountId }],
      ['deleted', { name: 'cheap', accountId }],
    ]);
    const audit = opened.tools.database.kysely.selectFrom('audit_log').select(['action', 'subject', 'detail']);
    const changes = audit.where('account_id', '=', accountId).where('action', 'like', 'route.%');
    expect(await changes.orderBy('id').execute()).toEqual([
      { action: 'route.created', subject: 'fast', detail: { name: 'fast', ...full } },
      { action: 'route.created', subject: 'cheap', detail: { name: 'cheap', ...whole } },
      { action: 'route.changed', subject: 'fast', detail: { name: 'fast', ...whole } },
      { action: 'route.deleted', subject: 'cheap', detail: { name: 'cheap' } },
    ]);
  });

  it('begin their shares anew only when a target or a weight changes', async () => {
    const targets = [
      { model: 'stable', weight: 90 },
      { model: 'canary', weight: 10 },
    ];
    const since = async (): Promise<Date> => {
      const found = opened.tools.database.kysely.selectFrom('routes').select('shares_since');
      return (await found.where('account_id', '=', caller.accountId).executeTakeFirstOrThrow()).shares_since;
    };
    await put('fast', { targets });
    const first = await since();
    await put('fast', {
      targets,
      description: 'other',
      then: ['spare'],
      when: [{ if: 'request.stream', use: ['spare'] }],
    });
    expect(await since()).toEqual(first);
    await put('fast', { targets: targets.map((target) => ({ ...target, weight: 50 })) });
    const second = await since();
    expect(second.getTime()).toBeGreaterThan(first.getTime());
    await put('fast', { targets: [...targets].reverse() });
    expect((await since()).getTime()).toBeGreaterThan(second.getTime());
  });

  it('have a version that callers carry, which never names two states', async () => {
    const versions = [await versionOf()];
    for (const change of [() => put('a'), () => put('b'), () => remove('b'), () => put('b'), () => remove('b')]) {
      await change();
      versions.push(await versionOf());
    }
    expect(versions).toEqual([undefined, ...Array.from({ length: 5 }, () => expect.stringMatching(/^[0-9a-f]{32}$/))]);
    expect(new Set(versions).size).toBe(6);
    await remove('a');
    expect(await versionOf()).toBeUndefined();
  });

  it('know the tags of the account, which operators set', async () => {
    const { database } = opened.tools;
    const tag = (tags: string[] | null) =>
      changeAccount(database, { id: caller.accountId, actor: caller.actor, changes: { tags } });
    expect(await principalOf(caller.accountId)).not.toHaveProperty('accountTags');
    expect((await tag(['enterprise', 'eu'])).tags).toEqual(['enterprise', 'eu']);
    expect((await principalOf(caller.accountId))?.accountTags).toEqual(['enterprise', 'eu']);
    expect(await tag(null)).not.toHaveProperty('tags');
    expect(await principalOf(caller.accountId)).not.toHaveProperty('accountTags');
  });

  it('that are as wanted stay as they are, without an entry in the log', async () => {
    await put('a');
    const version = await versionOf();
    expect(await put('a', whole)).toEqual(recorded('a'));
    expect(await versionOf()).toBe(version);
    expect(notices).toEqual([made('a')]);
  });

  it('are limited per account, also when many are created at once', async () => {
    const { accountId } = caller;
    const rows = Array.from({ length: mostRoutes - 1 }, (_, at) => ({
      account_id: accountId,
      name: `route-${at}`,
      definition: JSON.stringify(whole),
    }));
    await opened.tools.database.kysely.insertInto('routes').values(rows).execute();
    const created = await Promise.allSettled(['a', 'b', 'c'].map((name) => put(name)));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(created.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'conflict',
        message: 'An account can have at most 100 routes. Delete one that is no longer used.',
      },
    });
    expect(await put('route-0', { ...route, description: 'still changes' })).toMatchObject({
      description: 'still changes',
    });
    expect(Object.keys(await load())).toHaveLength(mostRoutes);
  });

  it('of one name that are put at once leave one of the definitions, and a version that names it', async () => {
    const before = await versionOf();
    await Promise.all([1, 2, 3, 4].map((weight) => put('a', { targets: [{ model: 'gpt-5.4-mini', weight }] })));
    const { routes } = (await list()) as { routes: Route[] };
    expect(routes).toMatchObject([{ targets: [{ model: 'gpt-5.4-mini', weight: expect.any(Number) }] }]);
    expect(await versionOf()).not.toBe(before);
    expect(notices.filter((notice) => JSON.stringify(notice) === JSON.stringify(made('a')))).toHaveLength(1);
  });

  it('with a condition that is wrong, or a target twice, are refused with the place', async () => {
    const when = [
      { if: 'request.tokens > 1', use: ['o4'] },
      { if: '1 +', use: ['o4'] },
    ];
    await expect(put('a', { ...route, when })).rejects.toMatchObject({
      code: 'invalid_parameters',
      param: 'when[1].if',
      message: expect.stringMatching(/^`when\[1\]\.if`: /),
    });
    const targets = [...route.targets, ...route.targets];
    await expect(put('a', { targets })).rejects.toMatchObject({
      message: "`targets[1].model`: 'gpt-5.4-mini' is a target already.",
    });
    expect(await list()).toEqual({ routes: [] });
  });

  it('of another account are not visible', async () => {
    await put('a');
    const owner = caller.accountId;
    caller = { ...caller, accountId: 'default' };
    const missing = {
      code: 'not_found',
      message: 'This route does not exist. List all routes: GET /api/v1/routes',
    };
    await expect(read('a')).rejects.toMatchObject(missing);
    await expect(remove('a')).rejects.toMatchObject(missing);
    expect(await list()).toEqual({ routes: [] });
    expect(await load()).toEqual({});
    expect(await versionOf()).toBeUndefined();
    expect(Object.keys(await loadRoutes(opened.tools.database, owner))).toEqual(['a']);
  });

  describe('with a shadow', () => {
    const budget = { amount: '5', period: 'month' } as const;
    const shadowed = (named: string) => ({ ...route, shadow: { model: 'gpt-6-sol', percent: 1, project: named } });
    const payer = async () => (await load())['fast']?.shadow?.payer;

    it('need a project of the account, by name or id', async () => {
      const refused = {
        code: 'invalid_parameters',
        param: 'shadow.project',
        message:
          "The account has no project 'trial', which should pay for the shadow. Name one of GET /api/v1/projects.",
      };
      await expect(put('fast', shadowed('trial'))).rejects.toMatchObject(refused);
      const id = await project();
      await put('fast', shadowed('TRIAL'));
      expect(await payer()).toEqual({ projectId: id });
      await put('fast', shadowed(id));
      expect(await payer()).toEqual({ projectId: id });
      const other = `${caller.accountId}-other`;
      await opened.tools.database.kysely.insertInto('accounts').values({ id: other, name: other }).execute();
      caller = { ...caller, accountId: other };
      await expect(put('fast', shadowed('trial'))).rejects.toMatchObject(refused);
      await expect(put('fast', shadowed(id))).rejects.toMatchObject({ param: 'shadow.project' });
    });

    it('follow the budget, the name and the end of their project', async () => {
      const { database } = opened.tools;
      const id = await project({ budget });
      await put('fast', shadowed('trial'));
      const seen = [[await versionOf(), await payer()]];
      const changes: (() => Promise<unknown>)[] = [
        () => changeProject(database, owner(), { id, changes: { budget: { ...budget, amount: '9' } } }),
        () => changeProject(database, owner(), { id, changes: { name: 'other' } }),
        () => deleteProject(database, owner(), id),
      ];
      for (const change of changes) {
        await change();
        seen.push([await versionOf(), await payer()]);
      }
      const again = await project({ name: 'other' });
      seen.push([await versionOf(), await payer()]);
      expect(seen.map(([, paying]) => paying)).toEqual([
        { projectId: id, budget },
        { projectId: id, budget: { ...budget, amount: '9' } },
        { projectId: id, budget: { ...budget, amount: '9' } },
        undefined,
        { projectId: again },
      ]);
      expect(new Set(seen.map(([version]) => version)).size).toBe(5);
    });
  });

  describe('of a project that is renamed', () => {
    const shadow = (named: string) => ({ model: 'gpt-6-sol', percent: 1, project: named });
    const rename = (id: string, name: string) =>
      changeProject(opened.tools.database, owner(), { id, changes: { name } });
    const named = async () =>
      ((await list()) as { routes: Route[] }).routes.map(({ shadow: { project: payer = '' } = {} }) => payer);
    const payers = async () => Object.values(await load()).map(({ shadow: { payer } = {} }) => payer?.projectId);

    it('name it anew, unless they have its id, and stay as new as they were', async () => {
      const [id, other] = [await project(), await project({ name: 'other' })];
      for (const [name, payer] of [
        ['a', 'TRIAL'],
        ['b', id],
        ['c', 'other'],
      ] as const)
        await put(name, { ...route, shadow: shadow(payer) });
      await put('d');
      const before = await list();
      await rename(id, `it's "new"`);
      expect(await named()).toEqual([`it's "new"`, id, 'other', '']);
      expect(await payers()).toEqual([id, id, other, undefined]);
      await rename(id, 'trial');
      expect(await list()).toEqual(JSON.parse(JSON.stringify(before).replace('TRIAL', 'trial')));
    });

    it('are found by the new name by a document, and not by the old one', async () => {
      const id = await project();
      await put('a', { ...route, shadow: shadow('trial') });
      await rename(id, 'other');
      notices = [];
      await put('a', { ...route, shadow: shadow('other') });
      expect(notices).toEqual([]);
      await expect(put('a', { ...route, shadow: shadow('trial') })).rejects.toMatchObject({ param: 'shadow.project' });
    });

    it('are not those of another account, or of a project whose name is the id of another one', async () => {
      const id = await project();
      await put('a', { ...route, shadow: shadow(id) });
      await rename(await project({ name: id }), 'elsewhere');
      expect([await named(), await payers()]).toEqual([[id], [id]]);
      await put('a', { ...route, shadow: shadow('trial') });
      const mine = caller;
      const theirs = `${caller.accountId}-theirs`;
      await opened.tools.database.kysely.insertInto('accounts').values({ id: theirs, name: theirs }).execute();
      caller = { ...caller, accountId: theirs };
      await rename(await project(), 'theirs');
      caller = mine;
      expect(await named()).toEqual(['trial']);
    });
  });

  it('can be read by members and changed by owners', () => {
    expect(endpoints.map(({ operation: { method, access } }) => [method, access])).toEqual([
      ['GET', 'member'],
      ['GET', 'member'],
      ['PUT', 'owner'],
      ['DELETE', 'owner'],
    ]);
  });
});
