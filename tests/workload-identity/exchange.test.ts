import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hashKey, makeKey } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { listen, stopServer } from '@tallyport/service-kit';
import { type IdentityGateway, startIdentityGateway } from '../identity/gateway.ts';
import { nested, oddSubjects, sharedSecretSigned, unsigned, unusablySigned } from '../identity/odd-tokens.ts';
import { type RogueProvider, startRogueProvider } from '../identity/rogue-provider.ts';

/** Between two attempts to load the keys of an issuer. */
const pauseMs = 5_000;
const seconds = () => Math.floor(Date.now() / 1000);
/** The simulated providers charge nothing by default. */
const pricing = '{ pricing: { prompt: "0.01", completion: "0.01" } }';
const prices = `models: { sandbox-chat: { offers: { sandbox-a: ${pricing}, sandbox-b: ${pricing}, sandbox-c: ${pricing} } } }`;
const subject = 'system:serviceaccount:research:bot';

describe('keys in exchange for tokens of workloads', () => {
  let issuer: RogueProvider;
  let gateway: IdentityGateway;
  let catalogue: string;
  const rule = (changes: object = {}) => ({
    id: 'bots',
    issuer: issuer.issuer,
    audience: 'tallyport',
    claims: { 'kubernetes.io.namespace': 'research' },
    account: 'research',
    ...changes,
  });
  beforeAll(async () => {
    issuer = await startRogueProvider();
    catalogue = await mkdtemp(join(tmpdir(), 'catalogue-'));
    const TALLYPORT_CONFIG = join(catalogue, 'tallyport.yaml');
    await writeFile(TALLYPORT_CONFIG, prices);
    gateway = await startIdentityGateway({ workloads: [rule()] }, { TALLYPORT_CONFIG });
    await gateway.database.kysely.insertInto('accounts').values({ id: 'research', name: 'Research' }).execute();
  });
  beforeEach(() => gateway.apply({ workloads: [rule()] }));
  afterAll(async () => {
    await gateway?.stop();
    await issuer?.stop();
    await rm(catalogue, { recursive: true, force: true });
  });

  const claims = (): JWTPayload => ({
    iss: issuer.issuer,
    aud: ['tallyport'],
    sub: subject,
    iat: seconds(),
    nbf: seconds(),
    exp: seconds() + 3600,
    'kubernetes.io': { namespace: 'research' },
  });
  const exchange = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...fields,
    });
    const response = await fetch(`${gateway.baseUrl}/oauth/token`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const keyFor = async (token: JWTPayload = claims()): Promise<string> => {
    const { status, body } = await exchange({ subject_token: await issuer.sign(token) });
    expect({ status, body }).toMatchObject({ status: 200 });
    return String(body['access_token']);
  };
  const call = (path: string, key: string, body?: object) =>
    fetch(gateway.baseUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const chat = (key: string, content = 'Hello') =>
    call('/v1/chat/completions', key, { model: 'sandbox-chat', messages: [{ role: 'user', content }] });

  test('a token becomes a key of the account for minutes, named in the ledger by its subject', async () => {
    const { status, body } = await exchange({ subject_token: await issuer.sign(claims()) });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^sk-tp-\w{38}$/),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 600,
      },
    });
    const key = String(body['access_token']);
    expect((await chat(key)).status).toBe(200);
    const about = (await (await call('/v1/key', key)).json()) as object;
    expect(about).toMatchObject({ id: `workload_bots:${subject}`, account: { id: 'research' } });
    const recorded = async () =>
      (
        await sql`select account_id, key_id from usage_records where key_id like 'workload_%'`.execute(
          gateway.database.kysely,
        )
      ).rows;
    await expect.poll(recorded).toEqual([{ account_id: 'research', key_id: `workload_bots:${subject}` }]);
  });

  test('a key is not for the management API', async () => {
    expect((await call('/api/v1/keys', await keyFor())).status).toBe(401);
  });

  test.each<[string, () => Promise<string>]>([
    ['another issuer', () => issuer.sign({ ...claims(), iss: 'https://other.example' })],
    ['another audience', () => issuer.sign({ ...claims(), aud: 'https://kubernetes.default.svc' })],
    ['no audience', () => issuer.sign({ ...claims(), aud: undefined })],
    ['another value of a claim', () => issuer.sign({ ...claims(), 'kubernetes.io': { namespace: 'other' } })],
    ['no such claim', () => issuer.sign({ ...claims(), 'kubernetes.io': undefined })],
    ['an end in the past', () => issuer.sign({ ...claims(), exp: seconds() - 60 })],
    ['no end', () => issuer.sign({ ...claims(), exp: undefined })],
    ['a beginning in the future', () => issuer.sign({ ...claims(), nbf: seconds() + 120 })],
    ['no subject', () => issuer.sign({ ...claims(), sub: undefined })],
    ['a subject of 201 characters', () => issuer.sign({ ...claims(), sub: 'a'.repeat(201) })],
    ['a signature of another key', () => issuer.sign(claims(), {}, issuer.otherKeys)],
    ['an unknown key', () => issuer.sign(claims(), { kid: 'second' })],
    ['no signature', async () => unsigned(claims())],
    ['a signature with the public key as a shared secret', () => sharedSecretSigned(issuer, claims())],
    ['a signature of a key of 1,024 bits', async () => issuer.signWeakly(claims())],
    ['a published key that cannot be used', async () => unusablySigned(claims())],
    ['a token in a token', async () => nested(await issuer.sign(claims()), issuer)],
    ['an id of its key that is a list', () => issuer.sign(claims(), { kid: ['first'] as never })],
    ['an issuer that is a list', () => issuer.sign({ ...claims(), iss: [issuer.issuer] as never })],
    ['an audience in a list in a list', () => issuer.sign({ ...claims(), aud: [['tallyport']] as never })],
    ['an end as text', () => issuer.sign({ ...claims(), exp: String(seconds() + 3600) as never })],
    ['an end that is a list', () => issuer.sign({ ...claims(), exp: [seconds() + 3600] as never })],
    ['a claim in a list in a list', () => issuer.sign({ ...claims(), 'kubernetes.io': { namespace: [['research']] } })],
    ['a zero character in a claim', () => issuer.sign({ ...claims(), 'kubernetes.io': { namespace: 'research\0' } })],
    ...oddSubjects.map(([what, sub]): [string, () => Promise<string>] => [
      `a subject that is ${what}`,
      () => issuer.sign({ ...claims(), sub: sub as never }),
    ]),
    ['no form of a token', async () => 'x'],
  ])('a token with %s gets no key', async (_what, make) => {
    expect(await exchange({ subject_token: await make() })).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringMatching(/^No rule of this gateway accepts/) },
    });
  });

  test('a subject of 200 characters gets a key', async () => {
    await keyFor({ ...claims(), sub: 'a'.repeat(200) });
  });

  test.each<[string, Record<string, string>, string]>([
    ['no token', { subject_token: '' }, 'invalid_request'],
    ['another type of token', { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
    ['an actor', { actor_token: 'x' }, 'invalid_request'],
    ['another type of key', { requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' }, 'invalid_request'],
    ['a scope', { scope: 'mcp:tools' }, 'invalid_request'],
    ['another audience', { audience: 'other' }, 'invalid_target'],
  ])('a request with %s is refused', async (_what, fields, error) => {
    const { status, body } = await exchange({ subject_token: await issuer.sign(claims()), ...fields });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error });
  });

  test('keys of the issuer are loaded once, and again at most once for many unknown ones', async () => {
    const before = issuer.keyRequests();
    const key = await keyFor();
    for (let count = 0; count < 30; count++) {
      await exchange({ subject_token: await issuer.sign(claims(), { kid: `unknown ${count}` }) });
    }
    for (let count = 0; count < 5; count++) expect((await chat(key)).status).toBe(200);
    expect(issuer.keyRequests() - before).toBeLessThanOrEqual(2);
  });

  test('a key ends with its token, and never later than its rule says', async () => {
    const { body } = await exchange({ subject_token: await issuer.sign({ ...claims(), exp: seconds() + 90 }) });
    expect(body['expires_in']).toBeGreaterThan(80);
    expect(body['expires_in']).toBeLessThanOrEqual(90);
    const { kysely } = gateway.database;
    await kysely.updateTable('workload_keys').set({ expires_at: new Date() }).execute();
    expect((await chat(String(body['access_token']))).status).toBe(401);
  });

  test('limits count by subject, also over several keys', async () => {
    await gateway.apply({ workloads: [rule({ id: 'limited', limits: { requestsPerMinute: { chat: 2 } } })] });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await chat(await keyFor())).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await chat(await keyFor({ ...claims(), sub: 'another' }))).status).toBe(200);
  });

  test('models and budgets of the rule apply', async () => {
    await gateway.apply({ workloads: [rule({ id: 'narrow', allowedModels: ['gpt-6-luna'] })] });
    expect((await chat(await keyFor())).status).toBe(403);
    await gateway.apply({ workloads: [rule({ id: 'poor', budget: { amount: '0.01', period: 'day' } })] });
    const key = await keyFor();
    expect(await (await call('/v1/key', key)).json()).toMatchObject({
      budgets: [{ scope: 'key', amount: '0.01', period: 'day', spent: '0', left: '0.01' }],
    });
    expect((await chat(key, 'An answer that is not cached')).status).toBe(402);
  });

  test('a key belongs to the project of its rule, whose limits apply, and ends with the project', async () => {
    const { kysely } = gateway.database;
    const limits = JSON.stringify({ requestsPerMinute: { chat: 1 } });
    const project = { id: 'project_bots', account_id: 'research', name: 'Bots', limits };
    const token = { ...claims(), sub: 'of-a-project' };
    const refused = { status: 400, body: { error: 'invalid_request' } };
    const nested = rule({ id: 'nested', project: 'bots', subject: token.sub });
    await gateway.apply({ workloads: [nested] });
    expect(await exchange({ subject_token: await issuer.sign(token) })).toMatchObject(refused);
    const problem = 'workload nested: the account \\"research\\" has no project \\"bots\\".';
    await expect.poll(() => gateway.output().includes(problem)).toBe(true);

    await kysely.insertInto('projects').values(project).execute();
    const key = await keyFor(token);
    expect([(await chat(key)).status, (await chat(key)).status]).toEqual([200, 429]);
    const recorded = async () =>
      (
        await sql`select distinct project_id from usage_records where key_id = 'workload_nested:of-a-project'`.execute(
          kysely,
        )
      ).rows;
    await expect.poll(recorded).toEqual([{ project_id: 'project_bots' }]);

    const admin = makeKey();
    const row = { id: 'key_admin', account_id: 'research', name: 'admin', prefix: admin.slice(0, 12), is_admin: true };
    await kysely
      .insertInto('api_keys')
      .values({ ...row, key_hash: hashKey(admin) })
      .execute();
    const headers = { authorization: `Bearer ${admin}` };
    const deleted = await fetch(`${gateway.baseUrl}/api/v1/projects/project_bots`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    await expect.poll(async () => (await chat(key)).status).toBe(401);
    expect(await exchange({ subject_token: await issuer.sign(token) })).toMatchObject(refused);
    await gateway.apply({ workloads: [nested, rule()] });
    await keyFor();
  });

  test('without its rule, a key ends within a second, and the account counts', async () => {
    const key = await keyFor();
    expect((await chat(key)).status).toBe(200);
    await gateway.apply({ workloads: [rule({ id: 'others' })] });
    await expect.poll(async () => (await chat(key)).status).toBe(401);
    await gateway.apply({ workloads: [rule({ account: 'missing' })] });
    expect((await exchange({ subject_token: await issuer.sign(claims()) })).status).toBe(400);
  });

  test('with its rule again, a key that was refused works again at once', async () => {
    const key = await keyFor();
    await gateway.apply({ workloads: [] });
    await expect.poll(async () => (await chat(key)).status).toBe(401);
    await gateway.apply({ workloads: [rule()] });
    expect((await chat(key)).status).toBe(200);
  });

  test('an issuer whose keys cannot be loaded is reported, and not asked again at once', async () => {
    let loads = 0;
    const broken = createServer((_request, response) => {
      loads += 1;
      response.writeHead(500).end();
    });
    onTestFinished(() => stopServer(broken, 1_000));
    const jwksUri = `${await listen(broken, { host: '127.0.0.1', port: 0 })}/jwks`;
    await gateway.apply({ workloads: [rule({ jwksUri })] });
    const began = performance.now();
    for (let count = 0; count < 20; count++) {
      expect(await exchange({ subject_token: await issuer.sign(claims()) })).toMatchObject({
        status: 503,
        body: { error: 'temporarily_unavailable' },
      });
    }
    expect(loads).toBeGreaterThan(0);
    expect(loads).toBeLessThanOrEqual(1 + (performance.now() - began) / pauseMs);
  });

  test('keys of the issuer can be in a file', async () => {
    const { keys } = (await (await fetch(`${issuer.issuer}/jwks`)).json()) as { keys: object[] };
    const jwksFile = join(gateway.directory, 'jwks.json');
    await writeFile(jwksFile, JSON.stringify({ keys }));
    await gateway.apply({ workloads: [rule({ jwksFile })] });
    const before = issuer.keyRequests();
    await keyFor();
    expect(issuer.keyRequests()).toBe(before);
  });

  test('a subject gets a hundred keys at once, and then has to wait', async () => {
    const token = await issuer.sign({ ...claims(), sub: 'many' });
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async () => (await exchange({ subject_token: token })).status),
    );
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(10);
  });
});
