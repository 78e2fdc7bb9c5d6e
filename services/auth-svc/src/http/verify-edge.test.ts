import { rm } from 'node:fs/promises';
import { inProcessLink } from '@tallyport/bus';
import { internalTokenHeader, signInternalToken, signVisitorToken } from '@tallyport/contracts';
import { openDatabase } from '@tallyport/database';
import { preparedDirectory } from '@tallyport/database/testing';
import { openMemoryStore } from '@tallyport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authModule } from '../module.ts';
import { testKit } from '../testing/open-auth.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
const newSecret = 'another-secret-of-the-tests-of-that-length';
const requestId = 'req_1';
const visitor = { address: '192.0.2.1', publicOrigin: 'https://gateway.example', requestId };

describe('a request to the port of auth-svc', () => {
  let base: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const directory = await preparedDirectory();
    const database = await openDatabase({ directory });
    const link = inProcessLink();
    const web = { host: '127.0.0.1', port: 0, store: openMemoryStore(), publicUrl: () => 'https://gateway.example' };
    const urls = { allowLocal: false };
    const edgeSecrets = [newSecret, secret];
    const auth = authModule(testKit({ DATA_DIR: directory }), {
      link,
      database,
      web: { ...web, guardWebhookUrls: urls, mcpServerUrls: urls, edgeSecrets },
    });
    await auth.start?.();
    base = auth.address();
    close = async () => {
      await auth.stop?.(1_000);
      await link.close();
      await database.close();
      await rm(directory, { recursive: true });
    };
  }, 60_000);
  afterAll(() => close?.());

  const ask = (path: string, token?: string, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      headers: { 'x-request-id': requestId, ...(token !== undefined && { [internalTokenHeader]: token }), ...headers },
    });
  const signed = (claims: Partial<typeof visitor> = {}) => signVisitorToken({ ...visitor, ...claims }, secret);

  const bearer = { principal: { accountId: 'acc_1', keyId: 'key_1' }, limits: {}, requestId };
  test.each([
    ['without edge’s token', undefined],
    ['with a token of another secret', signVisitorToken(visitor, 'x'.repeat(32))],
    ['with a token of another request', signed({ requestId: 'req_2' })],
    ['with a token for another purpose', signInternalToken(bearer, secret)],
    ['with an empty token', ''],
  ])('is refused on every path %s', async (_how, token) => {
    const paths = ['/sign-in', '/dashboard', '/setup/a', '/assets/page.css', '/api/v1/session', '/oauth/jwks'];
    for (const path of [...paths, '/.well-known/oauth-authorization-server']) {
      const answer = await ask(path, token, { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
      expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, 403, 'close']);
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'permission_denied',
          message:
            'This server only accepts requests from the gateway. Use its public address; operators: set the same INTERNAL_SECRET at edge and auth-svc.',
        },
      });
    }
  });

  test('uses the address and host that edge signed, not other headers', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const answer = await ask('/.well-known/oauth-authorization-server', signed(), forged);
    expect(await answer.json()).toMatchObject({
      issuer: 'https://gateway.example',
      token_endpoint: 'https://gateway.example/oauth/token',
    });
    const open = async (address: string, claimed: number) =>
      (await ask('/setup/none', signed({ address }), { 'x-forwarded-for': `198.51.100.${claimed}` })).status;
    const statuses = [];
    for (let count = 0; count < 21; count += 1) statuses.push(await open('192.0.2.7', count));
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429]);
    expect(await open('192.0.2.8', 1)).toBe(404);
  });

  test('reports clocks that are more than a minute apart', async () => {
    const answer = await ask('/sign-in', signVisitorToken(visitor, secret, Date.now() - 90_000));
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
  });
});
