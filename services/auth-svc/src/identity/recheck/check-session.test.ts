import { openMemoryStore } from '@tallyport/store';
import { createAttempts, hashToken, Secret } from '@tallyport/management-server';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RogueProvider, rogueClientId, startRogueProvider } from '../../../../../tests/identity/rogue-provider.ts';
import { createKey } from '../../keys/create-key.ts';
import { refreshTokenPlace } from '../../sessions/provider-session.ts';
import { createSessions, type Sessions } from '../../sessions/sessions.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../testing/databases-with-secrets.ts';
import { createPasswords } from '../../users/passwords.ts';
import { identitySchema } from '../document/identity-schema.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import { admit } from '../members/admit.ts';
import { createProviderKeySets } from '../provider-key-sets.ts';
import { createProviderClients } from '../sign-in/provider-clients.ts';
import { type CheckTools, checkSession } from './check-session.ts';
import { claimDue, keepRotatedToken, planNext } from './due-sessions.ts';
import { checkDue } from './keep-checking.ts';
import { createProviderRefresh } from './provider-refresh.ts';
import { recheckOf } from './recheck-of.ts';

const seconds = () => Math.floor(Date.now() / 1000);

describe.each(databasesWithSecrets)('checks of sessions at their identity provider, in %s', (_kind, open) => {
  let provider: RogueProvider;
  let opened: OpenedWithSecrets;
  let acme: SignInProvider;
  let sessions: Sessions;
  let tools: CheckTools;
  const outcomes: string[] = [];
  const ended: string[] = [];
  beforeAll(async () => {
    [provider, opened] = await Promise.all([startRogueProvider(), open()]);
    const access = [
      { claim: 'groups', value: 'platform', account: 'default', role: 'owner' },
      { claim: 'groups', value: 'developers', account: 'default', role: 'member' },
    ];
    const declared = { id: 'acme', name: 'Acme', issuer: provider.issuer, clientId: rogueClientId, access };
    const [parsed] = identitySchema.parse({ providers: [declared] }).providers;
    if (parsed === undefined) throw new Error('There is no provider.');
    acme = { ...parsed, clientSecret: undefined };
    const announce = { keysEnded: (hashes: readonly string[]) => void ended.push(...hashes) };
    const passwords = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });
    sessions = createSessions({ ...opened.tools, passwords, announce, attempts: createAttempts(openMemoryStore()) });
    const clients = createProviderClients({ checksSignatures: false });
    tools = {
      ...opened.tools,
      announce,
      refresh: createProviderRefresh(clients, createProviderKeySets()),
      events: { sessionChecked: (outcome) => void outcomes.push(outcome) },
    };
  });
  beforeEach(async () => {
    await opened.tools.database.kysely.deleteFrom('sessions').execute();
    for (const name of Object.keys(provider.next)) Reflect.deleteProperty(provider.next, name);
    for (const list of [outcomes, ended, provider.refreshes]) list.length = 0;
  });
  afterAll(async () => {
    await opened?.close();
    await provider?.stop();
  });

  const claimsOf = (name: string, groups: string[]): JWTPayload => ({
    iss: provider.issuer,
    aud: rogueClientId,
    sub: name,
    email: `${name}@acme.example`,
    groups,
    iat: seconds(),
    exp: seconds() + 300,
  });

  /** Signs a person in, and makes their session due. */
  async function begin(name: string, { groups = ['platform'], token = name, by = acme } = {}) {
    const { database, secrets } = opened.tools;
    const person = { issuer: provider.issuer, subject: name, claims: claimsOf(name, groups), idToken: 'not read' };
    const admission = await admit(database, { provider: by, person: { ...person, providerSession: undefined } });
    if (admission.outcome !== 'admitted') throw new Error(admission.outcome);
    const recheck = recheckOf({ secrets, events: { sessionNotChecked() {} } }, by, new Secret(token));
    const session = { provider: 'acme', hours: 8, id: undefined, idToken: 'not read', recheck };
    const { token: cookie } = await sessions.beginBy({ userId: admission.userId, by: session });
    provider.refreshTokens.add(token);
    const row = rows().where('token_hash', '=', hashToken(cookie));
    const { id } = await row.executeTakeFirstOrThrow();
    await makeDue();
    return { id, userId: admission.userId, cookie };
  }
  const rows = () => opened.tools.database.kysely.selectFrom('sessions').selectAll();
  const makeDue = () =>
    opened.tools.database.kysely
      .updateTable('sessions')
      .set({ check_at: new Date() })
      .where('check_at', 'is not', null)
      .execute();
  const check = (by = acme) =>
    checkDue({
      ...tools,
      identity: () => ({ passwords: 'on', providers: [by], workloads: [], files: [] }),
      events: {
        ...tools.events,
        checkFailed(error) {
          throw error;
        },
      },
    });
  const tokenOf = async (id: string) =>
    (await opened.tools.secrets.read(opened.tools.database.kysely, refreshTokenPlace(id)))?.reveal();
  const rolesOf = async (userId: string) => {
    const members = opened.tools.database.kysely.selectFrom('memberships').select('role');
    return (await members.where('user_id', '=', userId).execute()).map(({ role }) => role);
  };

  test('a person who is there stays signed in, with the next token, until the next check', async () => {
    const { id, userId } = await begin('ada');
    provider.next.idToken = await provider.sign(claimsOf('ada', ['platform']));
    expect(await check()).toBe(1);
    expect([outcomes, await tokenOf(id), await rolesOf(userId), ended]).toEqual([['present'], 'ada+', ['owner'], []]);
    const [row] = await rows().execute();
    const minutes = ((row?.check_at?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThan(17);
    expect(row).toMatchObject({ check_claim: null, unanswered_since: null });
    expect(await check()).toBe(0);
  });

  test('changed groups change the role, and end the admin keys that it allowed', async () => {
    const { userId } = await begin('bo');
    const owner = { accountId: 'default', actor: `user:${userId}`, userId, byAdmin: true } as const;
    await createKey(opened.tools.database, owner, { name: 'of bo', admin: true });
    provider.next.idToken = await provider.sign(claimsOf('bo', ['developers']));
    await check();
    expect([outcomes, await rolesOf(userId), ended.length]).toEqual([['present'], ['member'], 1]);
  });

  test('groups without access end the membership and the session', async () => {
    const { cookie, userId } = await begin('cy');
    provider.next.idToken = await provider.sign(claimsOf('cy', ['sales']));
    await check();
    expect([outcomes, await rolesOf(userId), await sessions.find(cookie)]).toEqual([['no_access'], [], undefined]);
  });

  test.each(['invalid_grant', 'interaction_required'])('%s ends this session and nothing else', async (error) => {
    const [first, second] = [await begin('di'), await begin('di', { token: 'di elsewhere' })];
    provider.next.status = 400;
    provider.next.body = JSON.stringify({ error });
    await opened.tools.database.kysely
      .updateTable('sessions')
      .set({ check_at: null })
      .where('id', '=', second.id)
      .execute();
    await check();
    expect([outcomes, await tokenOf(first.id), await rolesOf(first.userId)]).toEqual([
      ['refused'],
      undefined,
      ['owner'],
    ]);
    expect((await sessions.find(second.cookie))?.userId).toBe(first.userId);
    const { kysely } = opened.tools.database;
    const audit = kysely.selectFrom('audit_log').select(['actor', 'action', 'subject']).orderBy('id', 'desc');
    const entry = { actor: 'identity:acme', action: 'session.ended', subject: first.userId };
    expect(await audit.executeTakeFirst()).toEqual(entry);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('with refusalEndsAdminKeys: %s, a refused token ends %s admin keys and no others', async (endsKeys, count) => {
    const { database } = opened.tools;
    const { userId } = await begin(`lee-${endsKeys}`);
    const owner = { accountId: 'default', actor: `user:${userId}`, userId, byAdmin: true } as const;
    await createKey(database, owner, { name: `admin key, ${endsKeys}`, admin: true });
    await createKey(database, owner, { name: `key, ${endsKeys}` });
    provider.refreshTokens.clear();
    await check({ ...acme, refusalEndsAdminKeys: endsKeys });
    const revoked = database.kysely.selectFrom('api_keys').select('name').where('user_id', '=', userId);
    const names = await revoked.where('revoked_at', 'is not', null).execute();
    expect([outcomes, ended.length, names]).toEqual([
      ['refused'],
      count,
      endsKeys ? [{ name: `admin key, ${endsKeys}` }] : [],
    ]);
    expect(await rolesOf(userId)).toEqual(['owner']);
  });

  describe('without a usable answer', () => {
    test.each<[string, () => Promise<void> | void]>([
      ['a provider that fails', () => void (provider.next.status = 503)],
      [
        'a client that the provider does not accept',
        () => {
          provider.next.status = 401;
          provider.next.body = JSON.stringify({ error: 'invalid_client' });
        },
      ],
      [
        'a signature of another key',
        async () => {
          provider.next.idToken = await provider.sign(claimsOf('ed', ['platform']), {}, provider.otherKeys);
        },
      ],
      [
        'another person',
        async () => {
          provider.next.idToken = await provider.sign(claimsOf('eve', ['platform']));
        },
      ],
      [
        'no e-mail address',
        async () => {
          const { email: _email, ...claims } = claimsOf('ed', ['platform']);
          provider.next.idToken = await provider.sign(claims);
        },
      ],
    ])('%s changes nothing, and is asked again within two minutes', async (_what, prepare) => {
      const { id, userId } = await begin('ed', { token: `ed ${Math.random()}` });
      const before = await tokenOf(id);
      await prepare();
      await check();
      expect([outcomes, await rolesOf(userId)]).toEqual([['unanswered'], ['owner']]);
      const [row] = await rows().execute();
      expect(row).toMatchObject({ check_claim: null, unanswered_since: expect.any(Date) });
      expect((row?.check_at?.getTime() ?? 0) - Date.now()).toBeLessThan(120_000);
      // A token that was replaced is not lost with the rest of the response.
      const wasUsed = provider.refreshes.length > 0;
      expect(await tokenOf(id)).toBe(wasUsed ? `${before}+` : before);

      Reflect.deleteProperty(provider.next, 'status');
      Reflect.deleteProperty(provider.next, 'body');
      provider.next.idToken = await provider.sign(claimsOf('ed', ['platform']));
      await makeDue();
      await check();
      expect(outcomes).toEqual(['unanswered', 'present']);
      expect(await rows().executeTakeFirst()).toMatchObject({ unanswered_since: null });
    });

    test('an ID token for another client changes nothing', async () => {
      const { userId } = await begin('ed', { token: 'for another' });
      provider.next.idToken = await provider.sign({ ...claimsOf('ed', ['developers']), aud: 'another' });
      await check();
      expect([outcomes, await rolesOf(userId)]).toEqual([['unanswered'], ['owner']]);
    });

    test.each([
      [59, 'unanswered'],
      [60, 'unanswered_too_long'],
    ])('for %s minutes, the session is %s', async (minutes, outcome) => {
      const { cookie, userId } = await begin('fay');
      const { kysely } = opened.tools.database;
      const since = new Date(Date.now() - minutes * 60_000);
      await kysely.updateTable('sessions').set({ unanswered_since: since }).execute();
      provider.next.status = 503;
      await check();
      expect([outcomes, await rolesOf(userId)]).toEqual([[outcome], ['owner']]);
      expect((await sessions.find(cookie)) === undefined).toBe(outcome === 'unanswered_too_long');
    });
  });

  describe('of a session that has ended meanwhile', () => {
    const due = async () => {
      const [session] = await claimDue(opened.tools.database, { providers: ['acme'], limit: 1 });
      if (session === undefined) throw new Error('The session was not due.');
      return session;
    };

    test('ask nothing', async () => {
      const { cookie } = await begin('jo');
      const session = await due();
      await sessions.end(cookie);
      await checkSession(tools, acme, session);
      expect([outcomes, provider.refreshes]).toEqual([[], []]);
    });

    test.each([false, true])('do not count a refusal, with refusalEndsAdminKeys: %s', async (refusalEndsAdminKeys) => {
      const { cookie, userId } = await begin('kim');
      const owner = { accountId: 'default', actor: `user:${userId}`, userId, byAdmin: true } as const;
      await createKey(opened.tools.database, owner, { name: `admin key, ${refusalEndsAdminKeys}`, admin: true });
      const session = await due();
      provider.refreshTokens.clear();
      const refresh: CheckTools['refresh'] = async (...question) => {
        const answer = await tools.refresh(...question);
        await sessions.end(cookie);
        return answer;
      };
      await checkSession({ ...tools, refresh }, { ...acme, refusalEndsAdminKeys }, session);
      expect([outcomes, ended, provider.refreshes]).toEqual([[], [], ['kim']]);
    });
  });

  test('a response without an ID token leaves the roles', async () => {
    const { id, userId } = await begin('gus');
    await check();
    expect([outcomes, await tokenOf(id), await rolesOf(userId)]).toEqual([['present'], 'gus+', ['owner']]);
  });

  test('replicas that check at once send each token once', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `person${n}`);
    for (const name of names) await begin(name);
    let checked = 0;
    while (checked < names.length) {
      const counts = await Promise.all([check(), check(), check()]);
      checked += counts.reduce((sum, count) => sum + count, 0);
    }
    expect(provider.refreshes.toSorted()).toEqual(names);
    expect(outcomes).toEqual(names.map(() => 'present'));
  });

  test('a replica whose claim another one took over changes nothing', async () => {
    const { database, secrets } = opened.tools;
    const { id } = await begin('hal');
    const claim = { providers: ['acme'], limit: 4 };
    const [late] = await claimDue(database, claim);
    expect(await claimDue(database, claim)).toEqual([]);
    await makeDue();
    const [current] = await claimDue(database, claim);
    if (late === undefined || current === undefined) throw new Error('The session was not due.');
    await keepRotatedToken(database, secrets, { session: current, refreshToken: new Secret('of the current one') });
    await keepRotatedToken(database, secrets, { session: late, refreshToken: new Secret('of the late one') });
    await planNext(database, late, 1_000);
    expect(await tokenOf(id)).toBe('of the current one');
    expect(await rows().executeTakeFirst()).toMatchObject({ check_claim: current.claim });
  });

  test('signing out deletes the token', async () => {
    const { id, cookie } = await begin('ivy');
    expect(await tokenOf(id)).toBe('ivy');
    const secrets = opened.tools.database.kysely.selectFrom('secrets').select('id').where('id', '=', id);
    await sessions.end(cookie);
    expect(await secrets.execute()).toEqual([]);
  });

  test('a session that was not used for half a day, or whose provider was removed, is not asked about', async () => {
    await begin('jo');
    expect(
      await checkDue({
        ...tools,
        identity: () => ({ passwords: 'on', providers: [], workloads: [], files: [] }),
        events: { ...tools.events, checkFailed() {} },
      }),
    ).toBe(0);
    const idle = new Date(Date.now() - 12.1 * 3600_000);
    await opened.tools.database.kysely.updateTable('sessions').set({ last_seen_at: idle }).execute();
    expect([await check(), provider.refreshes]).toEqual([0, []]);
  });

  test.each([
    [8_192, { recheckMinutes: 15 }, true],
    [8_193, { recheckMinutes: 15 }, false],
    [1, { recheckMinutes: 0 }, false],
  ])('a token of %s characters with %o is kept: %s', async (length, changes, isKept) => {
    const { id } = await begin('kim', { token: 'x'.repeat(length), by: { ...acme, ...changes } });
    expect((await tokenOf(id)) !== undefined).toBe(isKept);
    const [row] = await rows().execute();
    expect(row?.check_at !== null).toBe(isKept);
  });
});
