import { describe, expect, test } from 'vitest';
import { allow, type OAuthGateway } from './gateway.ts';
import { plainClient, redirectUri, register } from './plain-client.ts';

/** What must not go well. */
export function refusalsSuite(gateway: () => OAuthGateway): void {
  const answerTo = async (parameters: Readonly<Record<string, string>>): Promise<URL> => {
    const { url } = await (await plainClient(gateway())).authorizationUrl(parameters);
    return allow(gateway().owner(), url);
  };
  const parametersOf = ({ searchParams }: URL) => Object.fromEntries(searchParams);

  describe('requests to authorize', () => {
    test.each([
      ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['an unknown resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
      ['another path of ours as resource', { resource: 'http://127.0.0.1/admin' }, 'invalid_target'],
      ['scopes that do not exist', { scope: 'admin:everything' }, 'invalid_scope'],
      ['an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
      ['no question to the person', { prompt: 'none' }, 'login_required'],
    ])('%s comes back to the application as an error', async (_what, parameters, error) => {
      const answer = await answerTo(parameters);
      expect(answer.href).toMatch(/^https:\/\/app\.example\.com\/callback[?#]/);
      const told = answer.hash ? Object.fromEntries(new URLSearchParams(answer.hash.slice(1))) : parametersOf(answer);
      expect(told).toMatchObject({ error, state: 'a-state', iss: gateway().baseUrl });
    });

    test.each([
      ['another host', 'https://evil.example/callback'],
      ['another path', 'https://app.example.com/callback/more'],
      ['a query more', 'https://app.example.com/callback?next=evil'],
      ['plain http', 'http://app.example.com/callback'],
      ['a user in front', 'https://app.example.com@evil.example/callback'],
      ['a line break', 'https://app.example.com/callback\r\nSet-Cookie: a=b'],
      ['a script', 'javascript:alert(1)'],
    ])('a redirect to %s is told to the person and followed by nobody', async (_what, redirect) => {
      const { url } = await (await plainClient(gateway())).authorizationUrl({ redirect_uri: redirect });
      const page = await gateway().owner().open(url);
      expect([page.status, page.url.startsWith(gateway().baseUrl)]).toEqual([400, true]);
      expect(page.text).toContain('Nothing was sent there.');
      expect(page.headers.get('set-cookie') ?? '').not.toContain('a=b');
    });

    test('an unknown application is told to the person', async () => {
      const { url } = await (await plainClient(gateway())).authorizationUrl({ client_id: 'nobody' });
      const page = await gateway().owner().open(url);
      expect(page.status).toBe(400);
      expect(page.text).toContain('does not know the application');
    });

    test('who denies sends the application away', async () => {
      const { url } = await (await plainClient(gateway())).authorizationUrl();
      const answer = await allow(gateway().owner(), url, 'deny');
      expect(parametersOf(answer)).toMatchObject({ error: 'access_denied', state: 'a-state' });
    });

    test('scopes beyond what there is are left out, and cannot be had later', async () => {
      const client = await plainClient(gateway());
      const { code, verifier } = await client.code({ scope: 'mcp:models admin:everything' });
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      const { body } = await client.token(grant);
      expect(body['scope']).toBe('mcp:models');
      const refresh_token = String(body['refresh_token']);
      const wider = await client.token({ grant_type: 'refresh_token', refresh_token, scope: 'mcp:models mcp:tools' });
      expect([wider.status, wider.body['error']]).toEqual([400, 'invalid_scope']);
    });

    test.each([
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'javascript:alert(1)',
      '/%0d%0aSet-Cookie:a=b',
    ])('signing in leads nowhere else: %s', async (next) => {
      const person = gateway().owner();
      const address = `/sign-in?${new URLSearchParams({ next }).toString()}`;
      const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
      const led = await person.submit(await person.open(address), credentials);
      expect(new URL(led.url).origin).toBe(gateway().baseUrl);
      // Whoever is signed in already is led on without a form.
      expect(new URL((await person.open(address)).url).origin).toBe(gateway().baseUrl);
    });
  });

  describe('requests for tokens', () => {
    test.each([
      ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
      ['no verifier', { code_verifier: '' }],
      ['another redirect', { redirect_uri: 'https://app.example.com/other' }],
      ['an invented code', { code: 'invented' }],
    ])('%s is refused', async (_what, change) => {
      const client = await plainClient(gateway());
      const { code, verifier } = await client.code();
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      const { status, body } = await client.token({ ...grant, ...change });
      expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    });

    test('another application’s code is refused', async () => {
      const [client, thief] = await Promise.all([plainClient(gateway()), plainClient(gateway())]);
      const { code, verifier } = await client.code();
      const stolen = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      expect((await thief.token(stolen)).body).toMatchObject({ error: 'invalid_grant' });
    });

    test('an expired code is refused', async () => {
      const client = await plainClient(gateway());
      const { code, verifier } = await client.code();
      const { kysely } = gateway().database;
      const past = new Date(Date.now() - 1_000);
      await kysely
        .updateTable('oauth_records')
        .set({ expires_at: past })
        .where('model', '=', 'AuthorizationCode')
        .execute();
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      expect((await client.token(grant)).body).toMatchObject({ error: 'invalid_grant' });
    });

    test('client credentials are not for clients without an account', async () => {
      const client = await plainClient(gateway(), { token_endpoint_auth_method: 'client_secret_post' });
      const asked = { grant_type: 'client_credentials', client_secret: String(client.client.client_secret) };
      expect((await client.token(asked)).body).toMatchObject({
        error: 'invalid_request',
        error_description: 'requested grant type is not allowed for this client',
      });
    });
  });

  describe('registrations', () => {
    const tryTo = (metadata: Record<string, unknown>) => register(gateway().baseUrl, metadata);

    test.each([
      ['plain http on a public host', { redirect_uris: ['http://evil.example/callback'] }, 'invalid_redirect_uri'],
      [
        'the same said to be web',
        { redirect_uris: ['http://evil.example/cb'], application_type: 'web' },
        'invalid_redirect_uri',
      ],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      ['a fragment', { redirect_uris: ['https://app.example.com/#here'] }, 'invalid_redirect_uri'],
      ['no redirect', {}, 'invalid_redirect_uri'],
      ['a redirect that is none', { redirect_uris: ['nowhere'] }, 'invalid_redirect_uri'],
      ['something else than a list', { redirect_uris: 'https://app.example.com' }, 'invalid_redirect_uri'],
    ])('%s is refused', async (_what, metadata, error) => {
      const { status, body } = await tryTo(metadata);
      expect([status, body['error']]).toEqual([400, error]);
    });

    test('a name is shown as text, in one line', async () => {
      const name = 'Editor\r\nSet-Cookie: a=b\u202E <script>alert(1)</script>';
      const { body, headers } = await tryTo({ redirect_uris: [redirectUri], client_name: name });
      expect(body['client_name']).toBe('Editor Set-Cookie: a=b <script>alert(1)</script>');
      expect(headers.get('set-cookie')).toBe(null);
      const client = await plainClient(gateway(), { client_name: name });
      const person = gateway().owner();
      const { url } = await client.authorizationUrl();
      const page = await person.submit(await person.open(url), {
        email: 'ada@example.com',
        password: 'correct horse battery',
      });
      expect(page.text).toContain('Editor Set-Cookie: a=b &lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page.text).not.toContain('<script');
      expect(page.text).toContain('app.example.com');
    });

    test('an account cannot be claimed, nor client credentials without a key', async () => {
      const claimed = await tryTo({ redirect_uris: [redirectUri], account_id: 'default' });
      expect([claimed.status, claimed.body['account_id']]).toEqual([201, undefined]);
      const refused = await tryTo({ grant_types: ['client_credentials'] });
      expect([refused.status, refused.body['error']]).toEqual([401, 'invalid_token']);
      const notAdmin = await register(gateway().baseUrl, { grant_types: ['client_credentials'] }, gateway().apiKey);
      expect([notAdmin.status, notAdmin.body['error']]).toEqual([403, 'access_denied']);
    });

    test.each([
      ['no JSON', '{"redirect_uris":', 400],
      ['a list', '[]', 400],
      ['more than 32 KB', JSON.stringify({ client_name: 'x'.repeat(33_000) }), 413],
    ])('%s is no registration', async (_what, body, status) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${gateway().baseUrl}/oauth/register`, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toEqual([
        status,
        expect.objectContaining({ error: 'invalid_request' }),
      ]);
    });
  });

  test('a flood of registrations is slowed down', async () => {
    const metadata = { redirect_uris: [redirectUri] };
    const answers = await Promise.all(Array.from({ length: 61 }, () => register(gateway().baseUrl, metadata)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
}
