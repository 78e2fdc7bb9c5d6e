import { rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Database, openDatabase } from '@switchyard/database';
import { preparedDirectory } from '@switchyard/database/testing';
import { listen } from '@switchyard/service-kit';
import { openMemoryStore } from '@switchyard/store';
import express from 'express';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKeys } from '../../oauth/keys.ts';
import { createProvider } from '../../oauth/provider.ts';
import { recordsFor } from '../../oauth/records.ts';
import { createSecrets } from '../../secrets/secrets.ts';
import { createAttempts } from '../../sessions/attempts.ts';
import { renderOAuthError } from './render-error.ts';
import { oauthRoutes } from './routes.ts';

const redirect = 'https://app.example.com/callback';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEGDOLkcgrgB0wBrbfDLLAv4F1ZlBk', code_challenge_method: 'S256' };

/** Each request once to the library by itself and once with what stands in front of it. */
describe('requests as clients really send them', () => {
  let database: Database;
  let directory: string;
  const servers: Server[] = [];
  /** The library as it comes, the one we configure, and the latter behind our routes. */
  let untouched: string;
  let alone: string;
  let ours: string;

  const open = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    return listen(server, { host: '127.0.0.1', port: 0 });
  };

  beforeAll(async () => {
    directory = await preparedDirectory();
    database = await openDatabase({ directory });
    await database.migrate();
    const secrets = createSecrets({ SECRETS_KEY: undefined, DATABASE_URL: undefined, DATA_DIR: directory });
    await secrets.prepare(database);
    const provider = createProvider({
      publicUrl: 'https://gateway.example',
      keys: await loadKeys(database, secrets),
      records: recordsFor({ database, onTokenEnded: () => {} }),
      isMember: async () => true,
      countFetch: async () => {},
      renderError: renderOAuthError,
    });
    const records = recordsFor({ database, onTokenEnded: () => {} });
    const features = { registration: { enabled: true }, devInteractions: { enabled: false } };
    const bare = new Provider('https://gateway.example', {
      adapter: records,
      features,
      routes: { registration: '/oauth/register' },
    });
    bare.proxy = true;
    const answer = bare.callback();
    untouched = await open((request, response) => void answer(request, response));
    const handle = provider.callback();
    alone = await open((request, response) => void handle(request, response));
    const attempts = createAttempts(openMemoryStore());
    const app = express();
    app.set('trust proxy', true);
    app.use(
      oauthRoutes({
        oauth: { provider: async () => provider, handler: async () => handle } as never,
        callerOfAdminKey: async () => undefined,
        countOAuth: (kind, address) => attempts.count(kind, address),
      }),
    );
    ours = await open(app);
  }, 60_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const register = (base: string, metadata: object, headers: Record<string, string> = {}) =>
    fetch(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https', ...headers },
      body: JSON.stringify(metadata),
    });
  const registered = async (base: string, metadata: object): Promise<Record<string, unknown>> =>
    (await (await register(base, metadata)).json()) as Record<string, unknown>;
  const authorize = (base: string, parameters: Record<string, string>) => {
    const query = new URLSearchParams({ response_type: 'code', ...challenge, ...parameters }).toString();
    const headers = { 'x-forwarded-proto': 'https', accept: 'text/html' };
    return fetch(`${base}/oauth/authorize?${query}`, { redirect: 'manual', headers });
  };
  const asked = async (response: Response): Promise<string | undefined> => {
    const location = response.headers.get('location') ?? '';
    const uid = location.split('/').at(-1) ?? '';
    const rows = await database.kysely
      .selectFrom('oauth_records')
      .selectAll()
      .where('model', '=', 'Interaction')
      .execute();
    const row = rows.find(({ payload }) => String(payload['returnTo']).endsWith(uid));
    return (row?.payload['params'] as { scope?: string } | undefined)?.scope;
  };

  test('without a scope the usual ones are meant', async () => {
    const { client_id } = await registered(ours, { redirect_uris: [redirect], token_endpoint_auth_method: 'none' });
    const parameters = { client_id: String(client_id), redirect_uri: redirect };
    expect(await asked(await authorize(alone, parameters))).toBe(undefined);
    expect(await asked(await authorize(ours, parameters))).toBe('mcp:tools mcp:models');
  });

  test.each([
    [
      'a grant type there is not',
      { grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ],
    ['scopes there are not', { scope: 'openid profile everything' }],
    ['a way to authenticate there is not', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['an implicit response beside the code', { response_types: ['code', 'token'] }],
  ])('a registration with %s is taken', async (_what, metadata) => {
    const whole = { redirect_uris: [redirect], ...metadata };
    expect((await register(alone, whole)).status).toBe(400);
    expect((await register(ours, whole)).status).toBe(201);
  });

  test.each([
    ['a scheme of its own', ['cursor://anysphere.cursor-retrieval/callback'], 400, 201],
    ['plain http on a public host', ['http://evil.example/callback'], 201, 400],
    ['plain http on the own machine', ['http://127.0.0.1:1111/callback'], 201, 201],
  ])('%s: redirects say what kind of application it is', async (_what, redirect_uris, before, after) => {
    expect((await register(untouched, { redirect_uris })).status).toBe(before);
    expect((await register(ours, { redirect_uris })).status).toBe(after);
  });

  test('the port on the own machine may vary', async () => {
    const given = { redirect_uris: ['http://127.0.0.1:1111/callback'], token_endpoint_auth_method: 'none' };
    const { client_id, application_type } = await registered(ours, given);
    expect(application_type).toBe('native');
    const parameters = { client_id: String(client_id), redirect_uri: 'http://127.0.0.1:2222/callback' };
    expect((await authorize(ours, parameters)).status).toBe(303);
  });

  test('a scope said at registration does not bind later', async () => {
    const given = { redirect_uris: [redirect], token_endpoint_auth_method: 'none', scope: 'openid' };
    const parameters = { redirect_uri: redirect, scope: 'offline_access mcp:tools', prompt: 'consent' };
    const [bound, free] = await Promise.all([registered(alone, given), registered(ours, given)]);
    const refused = await authorize(alone, { ...parameters, client_id: String(bound['client_id']) });
    expect(refused.headers.get('location')).toContain('error=invalid_scope');
    const taken = await authorize(ours, { ...parameters, client_id: String(free['client_id']) });
    expect(taken.headers.get('location')).toContain('/oauth/interaction/');
  });

  test('pages may register: their preflight is answered, and they may read the answer', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
    };
    expect((await fetch(`${alone}/oauth/register`, preflight)).status).toBe(404);
    const answer = await fetch(`${ours}/oauth/register`, preflight);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const made = await register(ours, { redirect_uris: [redirect] });
    expect(made.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('sixty registrations from one address are taken, the next is told when to come again', async () => {
    const from = (address: string) => register(ours, { redirect_uris: [redirect] }, { 'x-forwarded-for': address });
    for (let count = 0; count < 60; count++) expect((await from('203.0.113.1')).status).toBe(201);
    const late = await from('203.0.113.1');
    expect([late.status, await late.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringMatching(/Try again in \d+ seconds\.$/) },
    ]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('203.0.113.2')).status).toBe(201);
  });

  test('whoever does not come back is forgotten after a day', async () => {
    const { client_id } = await registered(ours, { redirect_uris: [redirect] });
    const row = await database.kysely
      .selectFrom('oauth_records')
      .select(['created_at', 'expires_at'])
      .where('id', '=', String(client_id))
      .executeTakeFirstOrThrow();
    expect(Number(row.expires_at) - Number(row.created_at)).toBe(24 * 3_600_000);
  });

  test('a document of a client that is no public address is not fetched', async () => {
    const page = await authorize(ours, { client_id: 'https://127.0.0.1/client.json', redirect_uri: redirect });
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('client_id metadata document fetch not allowed');
  });

  test('the metadata is the same wherever older clients look for it, and names what there is', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example' };
    const path = '/.well-known/oauth-authorization-server';
    const [plain, suffixed] = await Promise.all(
      [path, `${path}/mcp`].map(async (at) => (await fetch(ours + at, { headers })).json() as Promise<unknown>),
    );
    expect(suffixed).toEqual(plain);
    expect(plain).toMatchObject({
      issuer: 'https://gateway.example',
      authorization_endpoint: 'https://gateway.example/oauth/authorize',
      token_endpoint: 'https://gateway.example/oauth/token',
      registration_endpoint: 'https://gateway.example/oauth/register',
      revocation_endpoint: 'https://gateway.example/oauth/revoke',
      introspection_endpoint: 'https://gateway.example/oauth/introspect',
      scopes_supported: ['mcp:tools', 'mcp:models'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });
});
