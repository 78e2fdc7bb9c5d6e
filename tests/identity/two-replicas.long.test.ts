import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { writeIdentity } from './identity-file.ts';
import { rogueClientId, type RogueProvider, startRogueProvider } from './rogue-provider.ts';

// Long: it runs every service, two of one.
// About: services/auth-svc/src/identity.

const seconds = () => Math.floor(Date.now() / 1000);

describe('two replicas of auth-svc, to which edge sends requests in turn', () => {
  let provider: RogueProvider;
  let gateway: Distributed;
  let directory: string;
  let servers: GatewayServers;
  beforeAll(async () => {
    provider = await startRogueProvider();
    directory = await mkdtemp(join(tmpdir(), 'identity-'));
    const access = [{ everyone: true, account: 'default', role: 'member' }];
    const { issuer } = provider;
    const IDENTITY_CONFIG = await writeIdentity(directory, {
      providers: [{ id: 'acme', name: 'Acme', issuer, clientId: rogueClientId, access }],
      workloads: [{ id: 'bots', issuer, audience: 'tallyport', subject: 'bot', account: 'default' }],
    });
    servers = await startGatewayServers();
    const replicas = { 'auth-svc': 2, 'image-svc': 0 };
    gateway = await startDistributed({
      servers: servers.urls,
      replicas,
      serviceEnvironment: { 'auth-svc': { IDENTITY_CONFIG } },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
    await servers?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Sends the browser to the provider and back, with three requests at once. */
  async function signIn(subject: string): Promise<number[]> {
    const begun = await fetch(`${gateway.baseUrl}/sign-in/acme`, { redirect: 'manual' });
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const state = searchParams.get('state') ?? '';
    provider.next.idToken = await provider.sign({
      iss: provider.issuer,
      aud: rogueClientId,
      sub: subject,
      email: `${subject}@acme.example`,
      nonce: searchParams.get('nonce'),
      iat: seconds(),
      exp: seconds() + 300,
    });
    provider.next.refreshToken = subject;
    const callback = `${gateway.baseUrl}/sign-in/acme/callback?${new URLSearchParams({ code: 'c', state })}`;
    const answers = [1, 2, 3].map(() => fetch(callback, { redirect: 'manual', headers: { cookie } }));
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  test('a sign-in that begins at one ends at the other, once', async () => {
    expect((await signIn('ada')).toSorted()).toEqual([303, 400, 400]);
  });

  test('each session is checked by one of them, which stores the next refresh token', async () => {
    const people = ['ada', ...Array.from({ length: 11 }, (_, n) => `person${n}`)];
    for (const name of people.slice(1)) await signIn(name);
    // A response to a refresh token needs no ID token.
    Reflect.deleteProperty(provider.next, 'idToken');
    const database = await openDatabase({ url: servers.urls.DATABASE_URL });
    const { kysely } = database;
    for (const rotations of [1, 2]) {
      await kysely.updateTable('sessions').set({ check_at: new Date() }).execute();
      const waiting = kysely
        .selectFrom('sessions')
        .select('id')
        .where('check_at', '<', sql<Date>`now() + interval '10 minutes'`);
      await expect.poll(() => waiting.execute()).toEqual([]);
      expect(provider.refreshes.length).toBe(rotations * people.length);
    }
    expect(provider.refreshes.toSorted()).toEqual(people.flatMap((name) => [name, `${name}+`]).toSorted());
    expect((await kysely.selectFrom('sessions').select('id').execute()).length).toBe(people.length);
    await database.close();
  });

  test('keys that one issued are known to both', async () => {
    const token = await provider.sign({ iss: provider.issuer, aud: 'tallyport', sub: 'bot', exp: seconds() + 300 });
    for (const _turn of [1, 2, 3, 4]) {
      const body = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        subject_token: token,
      });
      const issued = await fetch(`${gateway.baseUrl}/oauth/token`, { method: 'POST', body });
      const { access_token: key } = (await issued.json()) as { access_token: string };
      const about = await fetch(`${gateway.baseUrl}/v1/key`, { headers: { authorization: `Bearer ${key}` } });
      expect(await about.json()).toMatchObject({ id: 'workload_bots:bot' });
    }
  });
});
