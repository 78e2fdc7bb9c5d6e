import { sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestServer } from '../support/servers.ts';
import { statusAtMcp } from './flows.suite.ts';
import { email, type OAuthGateway, password, signedIn, startOAuthGatewayOn } from './gateway.ts';
import type { Page } from './person.ts';
import { plainClient, redirectUri, register, tokensByLibrary } from './plain-client.ts';

// Long: it kills Postgres.
// About: services/auth-svc/src/oauth, packages/database/src.

describe('OAuth while Postgres is killed and restarted', () => {
  let postgres: TestServer;
  let gateway: OAuthGateway;
  beforeAll(async () => {
    postgres = await startPostgres();
    gateway = await startOAuthGatewayOn(postgres.url);
  });
  afterAll(async () => {
    await gateway?.stop();
    await postgres?.stop();
  });

  const summaryOf = ({ status, headers, text }: Page) => ({
    status,
    retryAfter: headers.get('retry-after'),
    isPage: text.includes('The database is not reachable right now'),
  });
  const away = { status: 503, retryAfter: '1', isPage: true };
  const unavailable = {
    status: 503,
    body: { error: 'temporarily_unavailable', error_description: expect.any(String) },
  };

  test('requests during the outage get a temporary error and can be repeated afterwards', async () => {
    const client = await plainClient(gateway);
    const { refresh_token: refreshToken = '' } = await tokensByLibrary(gateway, client);
    const { url, verifier } = await client.authorizationUrl();
    const newcomer = gateway.owner();
    const signInPage = await newcomer.open(url);
    const signedInOwner = await signedIn(gateway);
    const consentPage = await signedInOwner.open((await client.authorizationUrl()).url);
    // A killed Postgres loses data that it has not written to disk.
    await sql`checkpoint`.execute(gateway.database.kysely);
    await postgres.kill('SIGKILL');

    expect(summaryOf(await newcomer.submit(signInPage, { email, password }))).toEqual(away);
    expect(summaryOf(await signedInOwner.submit(consentPage, { decision: 'allow' }))).toEqual(away);
    expect(await client.token({ grant_type: 'refresh_token', refresh_token: refreshToken })).toMatchObject(unavailable);
    expect(await register(gateway.baseUrl, { redirect_uris: [redirectUri] })).toMatchObject(unavailable);
    expect(await statusAtMcp(gateway, 'an-unknown-token')).toBe(503);

    await postgres.restart();
    await expect.poll(() => statusAtMcp(gateway, 'an-unknown-token')).toBe(401);
    const question = await newcomer.submit(signInPage, { email, password });
    const answer = new URL((await newcomer.submit(question, { decision: 'allow' })).url);
    const code = answer.searchParams.get('code') ?? '';
    const parts = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const { body } = await client.token(parts);
    expect(await statusAtMcp(gateway, String(body['access_token']))).toBe(200);
    const other = new URL((await signedInOwner.submit(consentPage, { decision: 'allow' })).url);
    expect(other.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    const rotated = await client.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    expect(rotated.status).toBe(200);
  });
});
