import { rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Database, openDatabase } from '@tallyport/database';
import { preparedDirectory } from '@tallyport/database/testing';
import { listen } from '@tallyport/service-kit';
import { openMemoryStore } from '@tallyport/store';
import { createAttempts, createSecrets } from '@tallyport/management-server';
import express from 'express';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientDocuments } from '../../oauth/client-documents.ts';
import { loadKeys } from '../../oauth/keys.ts';
import { createProvider } from '../../oauth/provider.ts';
import { recordsFor } from '../../oauth/records.ts';
import { renderOAuthError } from './render-error.ts';
import { oauthRoutes } from './routes.ts';

const redirect = 'https://app.example.com/callback';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEGDOLkcgrgB0wBrbfDLLAv4F1ZlBk', code_challenge_method: 'S256' };

/** Sends each request to the library configured and to our routes in front of it. */
describe('requests as real clients send them', () => {
  let database: Database;
  let directory: string;
  const servers: Server[] = [];
  /** The unconfigured library, the library as we configure it, and the latter behind our routes. */
  let unconfigured: string;
  let configured: string;
  let routed: string;

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
    const documents = createClientDocuments({ pinned: [], countFetch: async () => {}, onFailure: () => {} });
    const provider = createProvider({
      publicUrl: 'https://gateway.example',
      keys: await loadKeys(database, secrets),
      records: recordsFor({ database, onTokenEnded: () => {} }),
      isMember: async () => true,
      isConsented: async () => true,
      documents,
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
    unconfigured = await open((request, response) => void answer(request, response));
    const handle = provider.callback();
    configured = await open((request, response) => void handle(request, response));
    const attempts = createAttempts(openMemoryStore());
    const app = express();
    app.set('trust proxy', true);
    app.use(
      oauthRoutes({
        oauth: { provider: async () => provider, handler: async () => handle } as never,
        exchangeToken: async () => undefined,
        callerOfAdminKey: async () => undefined,
        countOAuth: (kind, address) => attempts.count(kind, address),
      }),
    );
    routed = await open(app);
  });
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
  const requestedScope = async (response: Response): Promise<string | undefined> => {
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

  test('a missing scope means the default scopes', async () => {
    const { client_id } = await registered(routed, { redirect_uris: [redirect], token_endpoint_auth_method: 'none' });
    const parameters = { client_id: String(client_id), redirect_uri: redirect };
    expect(await requestedScope(await authorize(configured, parameters))).toBe(undefined);
    expect(await requestedScope(await authorize(routed, parameters))).toBe('mcp:tools mcp:models');
  });

  test.each([
    [
      'an unsupported grant type',
      { grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ],
    ['unsupported scopes', { scope: 'openid profile everything' }],
    ['an unsupported authentication method', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['an implicit response next to the code', { response_types: ['code', 'token'] }],
  ])('accepts a registration with %s', async (_what, metadata) => {
    const whole = { redirect_uris: [redirect], ...metadata };
    expect((await register(configured, whole)).status).toBe(400);
    expect((await register(routed, whole)).status).toBe(201);
  });

  test.each([
    ['POST', '/oauth/REGISTER', 201],
    ['POST', '/oauth/Register/', 201],
    ['POST', '/oauth/TOKEN', 400],
    ['POST', '/oauth/Introspect', 400],
    ['GET', '/oauth/AUTHORIZE', 400],
    ['GET', '/oauth/JWKS', 200],
  ])('%s %s, which the library would answer, does not exist', async (method, path, before) => {
    const send = async (base: string): Promise<number> => {
      const body = method === 'POST' ? { body: JSON.stringify({ redirect_uris: [redirect] }) } : {};
      const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
      return (await fetch(base + path, { method, headers, ...body })).status;
    };
    expect([await send(configured), await send(routed)]).toEqual([before, 404]);
  });

  test('a registration cannot state an account, even if it reaches the library as it was sent', async () => {
    const claimed = { redirect_uris: [redirect], account_id: 'default', registered_by: 'operator' };
    const clients = [await registered(configured, claimed), await registered(routed, claimed)];
    for (const { client_id, account_id } of clients) {
      const { payload } = await database.kysely
        .selectFrom('oauth_records')
        .select('payload')
        .where('model', '=', 'Client')
        .where('id', '=', String(client_id))
        .executeTakeFirstOrThrow();
      expect([account_id, payload['account_id'], payload['registered_by']]).toEqual([undefined, undefined, undefined]);
    }
  });

  test.each([
    ['a custom scheme', ['cursor://anysphere.cursor-retrieval/callback'], 400, 201],
    ['plain http on a public host', ['http://evil.example/callback'], 201, 400],
    ['plain http on loopback', ['http://127.0.0.1:1111/callback'], 201, 201],
  ])('%s: the redirects determine the application type', async (_what, redirect_uris, before, after) => {
    expect((await register(unconfigured, { redirect_uris })).status).toBe(before);
    expect((await register(routed, { redirect_uris })).status).toBe(after);
  });

  test('the port on loopback may vary', async () => {
    const given = { redirect_uris: ['http://127.0.0.1:1111/callback'], token_endpoint_auth_method: 'none' };
    const { client_id, application_type } = await registered(routed, given);
    expect(application_type).toBe('native');
    const parameters = { client_id: String(client_id), redirect_uri: 'http://127.0.0.1:2222/callback' };
    expect((await authorize(routed, parameters)).status).toBe(303);
  });

  test('a scope at registration does not restrict later requests', async () => {
    const given = { redirect_uris: [redirect], token_endpoint_auth_method: 'none', scope: 'openid' };
    const parameters = { redirect_uri: redirect, scope: 'offline_access mcp:tools', prompt: 'consent' };
    const [bound, free] = await Promise.all([registered(configured, given), registered(routed, given)]);
    const refused = await authorize(configured, { ...parameters, client_id: String(bound['client_id']) });
    expect(refused.headers.get('location')).toContain('error=invalid_scope');
    const accepted = await authorize(routed, { ...parameters, client_id: String(free['client_id']) });
    expect(accepted.headers.get('location')).toContain('/oauth/interaction/');
  });

  test('allows pages to register, with a preflight and a readable response', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
    };
    expect((await fetch(`${configured}/oauth/register`, preflight)).status).toBe(404);
    const answer = await fetch(`${routed}/oauth/register`, preflight);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const made = await register(routed, { redirect_uris: [redirect] });
    expect(made.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('accepts sixty registrations per address, then says when to retry', async () => {
    const from = (address: string) => register(routed, { redirect_uris: [redirect] }, { 'x-forwarded-for': address });
    for (let count = 0; count < 60; count++) expect((await from('203.0.113.1')).status).toBe(201);
    const late = await from('203.0.113.1');
    expect([late.status, await late.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringMatching(/Try again in \d+ seconds\.$/) },
    ]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('203.0.113.2')).status).toBe(201);
  });

  test.each(['introspect', 'revoke'])(
    '%s serves six hundred concurrent requests per network and refuses the next',
    async (path) => {
      const from = (address: string) =>
        fetch(`${routed}/oauth/${path}`, {
          method: 'POST',
          headers: { 'x-forwarded-for': address },
          body: new URLSearchParams({ token: 'x', client_id: 'unknown' }),
        });
      const network = path === 'introspect' ? '2001:db8:1:1' : '2001:db8:1:2';
      const burst = async (): Promise<number[]> => {
        const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => from(`${network}::${n}`)));
        return answers.map(({ status }) => status);
      };
      const statuses: number[] = [];
      for (let batch = 0; batch < 20; batch++) statuses.push(...(await burst()));
      expect(new Set(statuses)).toEqual(new Set([401]));
      // The bucket refills during the bursts, ten a second.
      await expect.poll(burst, { interval: 0 }).toContain(429);
      expect((await from('203.0.113.9')).status).toBe(401);
    },
  );

  test('offers neither pushed requests nor form_post responses', async () => {
    const parameters = new URLSearchParams({ client_id: 'unknown', response_type: 'code' });
    expect((await fetch(`${routed}/oauth/par`, { method: 'POST', body: parameters })).status).toBe(404);
    const { client_id } = await registered(routed, { redirect_uris: [redirect] });
    const formPost = { client_id: String(client_id), redirect_uri: redirect, response_type: 'code' };
    const answer = await authorize(routed, { ...formPost, response_mode: 'form_post' });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('response_mode must be query or fragment'),
    ]);
  });

  test('forgets an unused registration after a day', async () => {
    const { client_id } = await registered(routed, { redirect_uris: [redirect] });
    const row = await database.kysely
      .selectFrom('oauth_records')
      .select(['created_at', 'expires_at'])
      .where('id', '=', String(client_id))
      .executeTakeFirstOrThrow();
    expect(Number(row.expires_at) - Number(row.created_at)).toBe(24 * 3_600_000);
  });

  test('does not fetch a client document from a private address', async () => {
    const page = await authorize(routed, { client_id: 'https://127.0.0.1/client.json', redirect_uri: redirect });
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(
      'at https://127.0.0.1/client.json cannot be used: its address is not that of a public https server. If',
    );
  });

  test('serves the same metadata at each well-known path, with the supported features', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example' };
    const path = '/.well-known/oauth-authorization-server';
    const [plain, suffixed] = await Promise.all(
      [path, `${path}/mcp`].map(async (at) => (await fetch(routed + at, { headers })).json() as Promise<unknown>),
    );
    expect(suffixed).toEqual(plain);
    expect(plain).not.toHaveProperty('pushed_authorization_request_endpoint');
    expect(plain).toMatchObject({
      issuer: 'https://gateway.example',
      authorization_endpoint: 'https://gateway.example/oauth/authorize',
      token_endpoint: 'https://gateway.example/oauth/token',
      registration_endpoint: 'https://gateway.example/oauth/register',
      revocation_endpoint: 'https://gateway.example/oauth/revoke',
      introspection_endpoint: 'https://gateway.example/oauth/introspect',
      scopes_supported: ['mcp:tools', 'mcp:models'],
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      code_challenge_methods_supported: ['S256'],
      response_modes_supported: ['query', 'fragment'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });
});
