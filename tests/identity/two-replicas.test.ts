import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { writeIdentity } from './identity-file.ts';
import { rogueClientId, type RogueProvider, startRogueProvider } from './rogue-provider.ts';

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
      workloads: [{ id: 'bots', issuer, audience: 'switchyard', subject: 'bot', account: 'default' }],
    });
    servers = await startGatewayServers();
    const replicas = { 'auth-svc': 2, 'image-svc': 0 };
    gateway = await startDistributed({
      servers: servers.urls,
      replicas,
      serviceEnvironment: { 'auth-svc': { IDENTITY_CONFIG } },
    });
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
    await servers?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('a sign-in that begins at one ends at the other, once', async () => {
    const begun = await fetch(`${gateway.baseUrl}/sign-in/acme`, { redirect: 'manual' });
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const state = searchParams.get('state') ?? '';
    provider.next.idToken = await provider.sign({
      iss: provider.issuer,
      aud: rogueClientId,
      sub: 'ada',
      email: 'ada@acme.example',
      nonce: searchParams.get('nonce'),
      iat: seconds(),
      exp: seconds() + 300,
    });
    const callback = `${gateway.baseUrl}/sign-in/acme/callback?${new URLSearchParams({ code: 'c', state })}`;
    const answers = [1, 2, 3].map(() => fetch(callback, { redirect: 'manual', headers: { cookie } }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 400, 400]);
  });

  test('keys that one issued are known to both', async () => {
    const token = await provider.sign({ iss: provider.issuer, aud: 'switchyard', sub: 'bot', exp: seconds() + 300 });
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
