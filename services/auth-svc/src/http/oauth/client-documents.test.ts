import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type Database, openDatabase } from '@tallyport/database';
import { preparedDirectory } from '@tallyport/database/testing';
import { listen } from '@tallyport/service-kit';
import { createSecrets } from '@tallyport/management-server';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientDocuments } from '../../oauth/client-documents.ts';
import { loadKeys, type OAuthKeys } from '../../oauth/keys.ts';
import { createProvider } from '../../oauth/provider.ts';
import { recordsFor } from '../../oauth/records.ts';
import { renderOAuthError } from './render-error.ts';
import { oauthRoutes } from './routes.ts';

const claudeCode = 'https://claude.ai/oauth/claude-code-client-metadata';
const codexOfServer = 'https://chatgpt.com/oauth/codex/a-server_1/client.json';
const other = 'https://other.example.com/client.json';
const advice =
  'If this gateway cannot reach the internet, its operator sets OAUTH_PINNED_CLIENTS, or OAUTH_CLIENT_DOCUMENTS=false so that applications register.';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEGDOLkcgrgB0wBrbfDLLAv4F1ZlBk', code_challenge_method: 'S256' };

/** The OAuth server of a gateway whose downloads end as `download` says. */
describe('clients that identify themselves by the address of a document', () => {
  let database: Database;
  let directory: string;
  let keys: OAuthKeys;
  let download: () => Response | Error = () => new Error('not set');
  let failed: string[] = [];
  const servers: Server[] = [];
  const bases = { reading: '', registering: '' };

  beforeAll(async () => {
    directory = await preparedDirectory();
    database = await openDatabase({ directory });
    await database.migrate();
    const secrets = createSecrets({ SECRETS_KEY: undefined, DATABASE_URL: undefined, DATA_DIR: directory });
    await secrets.prepare(database);
    keys = await loadKeys(database, secrets);
    const documents = createClientDocuments({
      pinned: ['claude-code', 'codex'],
      countFetch: async () => {},
      onFailure: (address) => failed.push(address),
      async fetch() {
        const result = download();
        if (result instanceof Error) throw result;
        return result;
      },
    });
    bases.reading = await open(documents);
    bases.registering = await open(undefined);
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function open(documents: ReturnType<typeof createClientDocuments> | undefined): Promise<string> {
    const provider = createProvider({
      publicUrl: 'https://gateway.example',
      keys,
      records: recordsFor({ database, onTokenEnded: () => {} }),
      isMember: async () => true,
      isConsented: async () => true,
      documents,
      renderError: renderOAuthError,
    });
    const handle = provider.callback();
    const app = express();
    app.set('trust proxy', true);
    app.use(
      oauthRoutes({
        oauth: { provider: async () => provider, handler: async () => handle } as never,
        exchangeToken: async () => undefined,
        callerOfAdminKey: async () => undefined,
        countOAuth: async () => {},
      }),
    );
    const server = createServer(app);
    servers.push(server);
    return listen(server, { host: '127.0.0.1', port: 0 });
  }

  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example', accept: 'text/html' };
  const metadata = async (base: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${base}/.well-known/oauth-authorization-server`, { headers })).json()) as never;
  const authorize = (base: string, client_id: string, redirect_uri: string) => {
    const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, ...challenge });
    return fetch(`${base}/oauth/authorize?${query.toString()}`, { redirect: 'manual', headers });
  };
  const pageOf = async (answer: Response): Promise<[number, string]> => [
    answer.status,
    (await answer.text()).replaceAll('&#39;', "'"),
  ];

  test.each([
    [claudeCode, 'http://localhost:3118/callback'],
    [claudeCode, 'http://127.0.0.1:3118/callback'],
    [codexOfServer, 'http://127.0.0.1:37819/callback/a-server_1'],
  ])('a pinned one signs in without a download: %s, %s', async (client, redirect) => {
    download = () => new Error('no internet');
    const answer = await authorize(bases.reading, client, redirect);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching('^/oauth/interaction/'),
    ]);
  });

  test('a pinned one has no redirects but its own', async () => {
    const [status, page] = await pageOf(await authorize(bases.reading, claudeCode, 'http://localhost:3118/elsewhere'));
    expect([status, page]).toEqual([400, expect.stringContaining('invalid_redirect_uri')]);
  });

  test.each([
    ['is not reachable', () => new Error('getaddrinfo ENOTFOUND'), 'its server cannot be reached from this gateway'],
    ['is refused', () => new Response('', { status: 403 }), 'its server answered with status 403'],
    ['is not JSON', () => new Response('<html>'), 'it is not a valid description of this application'],
    [
      'is of another client',
      () => Response.json({ client_id: 'x' }),
      'it is not a valid description of this application',
    ],
  ])('the page says which document cannot be used if it %s', async (_what, result, reason) => {
    download = result;
    const [status, page] = await pageOf(await authorize(bases.reading, other, 'https://other.example.com/back'));
    expect(status).toBe(400);
    expect(page).toContain('The application could not be identified');
    expect(page).toContain(`The description of the application at ${other} cannot be used: ${reason}. ${advice}`);
  });

  test('programs get the same sentence, and the operator a log line', async () => {
    failed = [];
    download = () => new Error('connect ETIMEDOUT');
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: other });
    const answer = await fetch(`${bases.reading}/oauth/token`, {
      method: 'POST',
      body,
      headers: { ...headers, accept: 'application/json' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: 'invalid_client',
        error_description: `The description of the application at ${other} cannot be used: its server cannot be reached from this gateway. ${advice}`,
      },
    ]);
    expect(failed).toEqual([other]);
  });

  test('without documents they are not announced, clients register, and an address is no client', async () => {
    expect(await metadata(bases.reading)).toMatchObject({ client_id_metadata_document_supported: true });
    expect(await metadata(bases.registering)).not.toHaveProperty('client_id_metadata_document_supported');
    const registration = JSON.stringify({ redirect_uris: ['http://localhost/callback'] });
    const registered = await fetch(`${bases.registering}/oauth/register`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: registration,
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    expect((await authorize(bases.registering, client_id, 'http://localhost:3118/callback')).status).toBe(303);
    const [status, page] = await pageOf(await authorize(bases.registering, claudeCode, 'http://localhost/callback'));
    expect([status, page]).toEqual([400, expect.stringContaining('This gateway does not know the application.')]);
  });
});
