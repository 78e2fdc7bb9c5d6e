import { describe, expect, test } from 'vitest';
import { allow, type OAuthGateway } from './gateway.ts';
import { type PlainClient, plainClient, redirectUri, register } from './plain-client.ts';

/** Requests that must be refused. */
export function refusalsSuite(gateway: () => OAuthGateway): void {
  describe('a null character is an invalid request', () => {
    const addresses = ['/sign-in?next=%00', '/invitations/%00', '/passwords/%00', '/dashboard/%00/keys', '/oauth/x%00'];
    const authorize = 'response_type=code&state=a&code_challenge_method=S256&code_challenge=a';
    test.each([
      ...addresses,
      '/api/v1/keys/%00',
      '/api/v1/usage?keyId=%00',
      '/api/v1/audit?cursor=a%00',
      `/oauth/authorize?client_id=a%00b&redirect_uri=https://app.example.com/callback&${authorize}`,
      '/oauth/authorize?client_id=https://app.example.com/%00',
    ])('in %s', async (path) => {
      for (const headers of [{}, { accept: 'text/html' }]) {
        const { status } = await fetch(gateway().baseUrl + path, { headers, redirect: 'manual' });
        expect([path, status]).toEqual([path, 400]);
      }
    });

    const form = 'application/x-www-form-urlencoded';
    test.each([
      ['/sign-in', form, 'email=ada%00@example.com&password=x'],
      ['/sign-in', form, 'email=ada@example.com&password=x%00'],
      ['/oauth/token', form, 'grant_type=authorization_code&code=a%00&client_id=b&code_verifier=c'],
      ['/oauth/token', form, 'grant_type=refresh_token&refresh_token=a%00&client_id=b'],
      ['/oauth/token', form, 'grant_type=client_credentials&client_id=a%00&client_secret=b'],
      ['/oauth/introspect', form, 'token=a%00&client_id=b%00'],
      ['/oauth/revoke', form, 'token=a&client_id=b%00'],
      ['/oauth/register', 'application/json', '{"redirect_uris":["https://a.example/"],"client_name":"a\\u0000"}'],
      ['/api/v1/session', 'application/json', '{"email":"ada\\u0000@example.com","password":"x"}'],
      ['/api/v1/keys', 'application/json', '{"name":"a\\u0000"}'],
    ])('sent to %s as %s: %s', async (path, type, body) => {
      const headers = { 'content-type': type, origin: gateway().baseUrl };
      const { status } = await fetch(gateway().baseUrl + path, { method: 'POST', headers, body, redirect: 'manual' });
      expect(status).toBe(400);
    });
  });

  describe('a method that an address does not have is refused as JSON', () => {
    const [reading, posting] = ['GET, HEAD, OPTIONS', 'POST, OPTIONS'];
    test.each([
      ['GET /oauth/token', posting],
      ['PUT /oauth/token', posting],
      ['GET /oauth/register', posting],
      ['DELETE /oauth/register', posting],
      ['GET /oauth/revoke', posting],
      ['GET /oauth/introspect', posting],
      ['POST /oauth/authorize', reading],
      ['POST /oauth/jwks', reading],
      ['POST /.well-known/oauth-authorization-server', reading],
    ])('%s', async (address, allowed) => {
      const [method = '', path = ''] = address.split(' ');
      const [instead] = allowed.split(',');
      for (const accept of ['*/*', 'text/html,application/xhtml+xml']) {
        const response = await fetch(gateway().baseUrl + path, { method, headers: { accept } });
        expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
          405,
          allowed,
          { error: 'invalid_request', error_description: `${path} does not support ${method}. Use ${instead}.` },
        ]);
      }
    });

    test('POST /.well-known/oauth-protected-resource', async () => {
      const response = await fetch(`${gateway().baseUrl}/.well-known/oauth-protected-resource`, { method: 'POST' });
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, response.headers.get('allow'), error.code]).toEqual([
        405,
        reading,
        'method_not_allowed',
      ]);
    });
  });

  const parametersOf = ({ searchParams }: URL) => Object.fromEntries(searchParams);

  describe('requests to authorize', () => {
    // Shared, because the number of registrations is limited.
    let allowed: Promise<PlainClient> | undefined;
    let neverAllowed: Promise<PlainClient> | undefined;
    const allowedClient = async () => {
      const client = await plainClient(gateway());
      await client.code();
      return client;
    };

    test.each([
      ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['an unknown resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
      ['another path of ours as resource', { resource: 'http://127.0.0.1/admin' }, 'invalid_target'],
      ['scopes that do not exist', { scope: 'admin:everything' }, 'invalid_scope'],
      ['an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
      ['no prompt for the user', { prompt: 'none' }, 'login_required'],
    ])('%s redirects to an application with a grant, as an error', async (_name, parameters, error) => {
      const client = await (allowed ??= allowedClient());
      const answer = await allow(gateway().owner(), (await client.authorizationUrl(parameters)).url);
      expect(answer.href).toMatch(/^https:\/\/app\.example\.com\/callback[?#]/);
      const error_ = answer.hash ? Object.fromEntries(new URLSearchParams(answer.hash.slice(1))) : parametersOf(answer);
      expect(error_).toMatchObject({ error, state: 'a-state', iss: gateway().baseUrl });
    });

    test.each([
      ['no prompt for the user', { prompt: 'none' }, 'login_required'],
      ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
      ['an answer in the fragment', { prompt: 'none', response_mode: 'fragment' }, 'login_required'],
    ])('%s does not redirect to an application without a grant', async (_name, parameters, error) => {
      const { url } = await (await (neverAllowed ??= plainClient(gateway()))).authorizationUrl(parameters);
      const page = await gateway().owner().open(url);
      expect([page.status, page.url.startsWith(gateway().baseUrl), page.headers.get('location')]).toEqual([
        400,
        true,
        null,
      ]);
      expect(page.text).toContain(error);
    });

    test.each([
      ['another host', 'https://evil.example/callback'],
      ['another path', 'https://app.example.com/callback/more'],
      ['a query more', 'https://app.example.com/callback?next=evil'],
      ['plain http', 'http://app.example.com/callback'],
      ['a user in front', 'https://app.example.com@evil.example/callback'],
      ['a line break', 'https://app.example.com/callback\r\nSet-Cookie: a=b'],
      ['a script', 'javascript:alert(1)'],
    ])('shows the user an error instead of a redirect to %s', async (_name, redirect) => {
      const { url } = await (await plainClient(gateway())).authorizationUrl({ redirect_uri: redirect });
      const page = await gateway().owner().open(url);
      expect([page.status, page.url.startsWith(gateway().baseUrl)]).toEqual([400, true]);
      expect(page.text).toContain('Nothing was sent there.');
      expect(page.headers.get('set-cookie') ?? '').not.toContain('a=b');
    });

    test('shows the user an error for an unknown application', async () => {
      const { url } = await (await plainClient(gateway())).authorizationUrl({ client_id: 'unknown' });
      const page = await gateway().owner().open(url);
      expect(page.status).toBe(400);
      expect(page.text).toContain('does not know the application');
    });

    test('a denial redirects with access_denied', async () => {
      const { url } = await (await plainClient(gateway())).authorizationUrl();
      const answer = await allow(gateway().owner(), url, 'deny');
      expect(parametersOf(answer)).toMatchObject({ error: 'access_denied', state: 'a-state' });
    });

    test('unknown scopes are left out and cannot be added later', async () => {
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
    ])('sign-in does not redirect to another site: %s', async (next) => {
      const person = gateway().owner();
      const address = `/sign-in?${new URLSearchParams({ next }).toString()}`;
      const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
      const result = await person.submit(await person.open(address), credentials);
      expect(new URL(result.url).origin).toBe(gateway().baseUrl);
      // A signed-in user is redirected without a form.
      expect(new URL((await person.open(address)).url).origin).toBe(gateway().baseUrl);
    });
  });

  describe('requests for tokens', () => {
    test.each([
      ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
      ['no verifier', { code_verifier: '' }],
      ['another redirect', { redirect_uri: 'https://app.example.com/other' }],
      ['an invented code', { code: 'invented' }],
    ])('%s is refused', async (_name, change) => {
      const client = await plainClient(gateway());
      const { code, verifier } = await client.code();
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      const { status, body } = await client.token({ ...grant, ...change });
      expect([status, body['error']]).toEqual([400, 'invalid_grant']);
      const again = await client.token(grant);
      const isBurnt = !('code' in change);
      expect([again.status, again.body['error']]).toEqual(isBurnt ? [400, 'invalid_grant'] : [200, undefined]);
    });

    test('a missing redirect_uri is refused', async () => {
      const client = await plainClient(gateway());
      const { code, verifier } = await client.code();
      const { status, body } = await client.token({ grant_type: 'authorization_code', code, code_verifier: verifier });
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
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

    test('client credentials need a client with an account', async () => {
      const client = await plainClient(gateway(), { token_endpoint_auth_method: 'client_secret_post' });
      const grant = { grant_type: 'client_credentials', client_secret: String(client.client.client_secret) };
      expect((await client.token(grant)).body).toMatchObject({
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
        'plain http with application_type web',
        { redirect_uris: ['http://evil.example/cb'], application_type: 'web' },
        'invalid_redirect_uri',
      ],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      ['a fragment', { redirect_uris: ['https://app.example.com/#here'] }, 'invalid_redirect_uri'],
      ['no redirect', {}, 'invalid_redirect_uri'],
      ['an invalid redirect', { redirect_uris: ['nowhere'] }, 'invalid_redirect_uri'],
      ['a value that is not a list', { redirect_uris: 'https://app.example.com' }, 'invalid_redirect_uri'],
    ])('%s is refused', async (_name, metadata, error) => {
      const { status, body } = await tryTo(metadata);
      expect([status, body['error']]).toEqual([400, error]);
    });

    test('shows a client name as text in one line', async () => {
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

    test('a registration can neither claim an account nor use client credentials without a key', async () => {
      const claimed = await tryTo({ redirect_uris: [redirectUri], account_id: 'default' });
      expect([claimed.status, claimed.body['account_id']]).toEqual([201, undefined]);
      const refused = await tryTo({ grant_types: ['client_credentials'] });
      expect([refused.status, refused.body['error']]).toEqual([401, 'invalid_token']);
      const notAdmin = await register(gateway().baseUrl, { grant_types: ['client_credentials'] }, gateway().apiKey);
      expect([notAdmin.status, notAdmin.body['error']]).toEqual([403, 'access_denied']);
    });

    test.each(['/oauth/REGISTER', '/OAUTH/REGISTER', '/oauth/Register/', '/oauth/%72egister', '//oauth/register'])(
      'registers no client at %s',
      async (path) => {
        const claim = { account_id: 'default', registered_by: 'operator' };
        const body = JSON.stringify({ ...claim, grant_types: ['client_credentials'], redirect_uris: [] });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(gateway().baseUrl + path, { method: 'POST', headers, body });
        expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining('client_secret')]);
      },
    );

    test.each([
      ['no JSON', '{"redirect_uris":', 400],
      ['a list', '[]', 400],
      ['more than 32 KB', JSON.stringify({ client_name: 'x'.repeat(33_000) }), 413],
    ])('refuses %s', async (_name, body, status) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${gateway().baseUrl}/oauth/register`, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toEqual([
        status,
        expect.objectContaining({ error: 'invalid_request' }),
      ]);
    });
  });

  test('limits the rate of registrations', async () => {
    const metadata = { redirect_uris: [redirectUri] };
    const answers = await Promise.all(Array.from({ length: 61 }, () => register(gateway().baseUrl, metadata)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
}
