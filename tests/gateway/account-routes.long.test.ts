import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { type OAuthGateway, startTwoAuthReplicas } from '../oauth/gateway.ts';

// Long: it runs every service, two of one.
// About: services/auth-svc/src/routes, packages/routes/src.

const targets = [{ model: 'sandbox-chat' }, { model: 'sandbox-fast', weight: 3 }];

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare it with what they expect
  body: any;
}

describe('routes at a gateway with two replicas of auth-svc, which alternate', () => {
  let gateway: OAuthGateway;
  let key: string;
  let otherKey: string;
  beforeAll(async () => {
    gateway = await startTwoAuthReplicas();
    const { database } = gateway;
    await database.kysely.insertInto('accounts').values({ id: 'account_other', name: 'Other' }).execute();
    const wanted = { name: 'routes', admin: true };
    ({ key } = await createKey(database, operator, wanted));
    ({ key: otherKey } = await createKey(database, { ...operator, accountId: 'account_other' }, wanted));
  });
  afterAll(() => gateway?.stop());

  interface Caller {
    by?: string;
    /** In which account the operator acts. */
    account?: string;
  }

  async function call(operation: string, { by = key, account }: Caller = {}, body?: object): Promise<Answer> {
    const [method = '', path = ''] = operation.split(' ');
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${by}`,
        ...(account !== undefined && { 'x-tallyport-account': account }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
  const put = (name: string, route: object, caller?: Caller) => call(`PUT /api/v1/routes/${name}`, caller, route);
  const idsFor = async (by: string): Promise<string[]> =>
    (await call('GET /v1/models', { by })).body.data.flatMap(({ id, route }: { id: string; route?: true }) =>
      route ? [id] : [],
    );

  test('a route is put, listed as a model within a second, changed and deleted', async () => {
    const record = {
      name: 'fast',
      targets: [
        { model: 'sandbox-chat', weight: 1 },
        { model: 'sandbox-fast', weight: 3 },
      ],
      then: [],
      when: [],
      onContentFilter: 'stop',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    expect(await idsFor(key)).toEqual([]);
    expect(await put('fast', { targets })).toEqual({ status: 200, body: record });
    await expect.poll(() => idsFor(key)).toEqual(['fast']);
    expect(await call('GET /v1/models/fast')).toMatchObject({
      status: 200,
      body: { id: 'fast', owned_by: 'route', route: true, description: 'A route to sandbox-chat, sandbox-fast.' },
    });
    const described = { ...record, description: 'what the bot uses' };
    expect(await put('fast', { targets, description: described.description })).toEqual({
      status: 200,
      body: described,
    });
    expect(await call('GET /api/v1/routes')).toEqual({ status: 200, body: { routes: [described] } });
    expect(await call('GET /api/v1/routes/fast')).toEqual({ status: 200, body: described });
    const descriptions = async () => (await call('GET /v1/models/fast')).body.description;
    await expect.poll(descriptions).toBe('what the bot uses');
    expect(await call('DELETE /api/v1/routes/fast')).toEqual({ status: 200, body: described });
    await expect.poll(() => idsFor(key)).toEqual([]);
    expect((await call('GET /v1/models/fast')).status).toBe(404);
  });

  test('another account sees and changes none of them', async () => {
    const other = { account: 'account_other' };
    await put('ours', { targets });
    expect((await put('ours', { targets, description: 'of the other account' }, other)).status).toBe(200);
    await expect.poll(() => idsFor(otherKey)).toEqual(['ours']);
    const own = { by: otherKey };
    expect((await call('GET /v1/models/ours', own)).body.description).toBe('of the other account');
    expect((await call('DELETE /api/v1/routes/ours', other)).status).toBe(200);
    const missing = { error: { code: 'not_found', message: expect.stringContaining('This route does not exist.') } };
    for (const [operation, caller] of [
      ['GET /api/v1/routes/ours', own],
      ['DELETE /api/v1/routes/ours', other],
    ] as const)
      expect([operation, await call(operation, caller)]).toMatchObject([operation, { status: 404, body: missing }]);
    expect(await call('GET /api/v1/routes', own)).toEqual({ status: 200, body: { routes: [] } });
    await expect.poll(() => idsFor(otherKey)).toEqual([]);
    expect((await call('GET /api/v1/routes')).body.routes).toMatchObject([{ name: 'ours' }]);
    await call('DELETE /api/v1/routes/ours');
  });

  test('only owners change routes: the admin key of an account that does not operate the gateway may not', async () => {
    const message = 'This requires an owner of the account. Ask one to do it or to give you the role.';
    const refused = { status: 403, body: { error: { code: 'permission_denied', message } } };
    expect(await put('theirs', { targets }, { by: otherKey })).toMatchObject(refused);
    expect(await call('DELETE /api/v1/routes/theirs', { by: otherKey })).toMatchObject(refused);
  });

  test('changes at both replicas at once leave one definition, which every replica returns', async () => {
    const weights = [1, 2, 3, 4, 5, 6];
    const answers = await Promise.all(
      weights.map((weight) => put('raced', { targets: [{ model: 'sandbox-chat', weight }] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(weights.map(() => 200));
    const [one, other] = [await call('GET /api/v1/routes/raced'), await call('GET /api/v1/routes/raced')];
    expect(other).toEqual(one);
    expect(weights).toContain(one.body.targets[0].weight);
    await call('DELETE /api/v1/routes/raced');
  });

  test.each<[string, object, string]>([
    ['targets[0].model must be the name of a model', { targets: [{ model: 5 }] }, 'targets[0].model'],
    ['targets needs a target with a weight above 0', { targets: [{ model: 'a', weight: 0 }] }, 'targets'],
    ['`targets[1].model`: ', { targets: [{ model: 'a' }, { model: 'a' }] }, 'targets[1].model'],
    ['`when[0].if`: ', { targets, when: [{ if: 'request.tokens >', use: ['a'] }] }, 'when[0].if'],
    ['when[0].use', { targets, when: [{ if: 'true', use: [] }] }, 'when[0].use'],
    ['then', { targets, then: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'then'],
    ['shadow.percent', { targets, shadow: { model: 'a', percent: 101, project: 'p' } }, 'shadow.percent'],
    ['than', { targets, than: [] }, ''],
  ])('a route with a wrong member is refused with its path: %s', async (message, route, param) => {
    expect(await put('wrong', route)).toMatchObject({
      status: 400,
      body: {
        error: { code: 'invalid_parameters', message: expect.stringContaining(message), ...(param && { param }) },
      },
    });
    expect((await call('GET /api/v1/routes')).body.routes).toEqual([]);
  });

  test.each([
    ['64 characters', 'r'.repeat(64), 200],
    ['65 characters', 'r'.repeat(65), 400],
    ['a slash', 'a%2Fb', 400],
    ['a space', 'a%20b', 400],
  ])('a name with %s', async (_what, name, status) => {
    expect((await put(name, { targets })).status).toBe(status);
    await call(`DELETE /api/v1/routes/${name}`);
  });
});
