import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityGateway, startIdentityGateway } from './gateway.ts';
import { nested, oddSubjects, sharedSecretSigned, unsigned, unusablySigned } from './odd-tokens.ts';
import { rogueClientId, type RogueProvider, startRogueProvider } from './rogue-provider.ts';
import { patient } from '../support/patience.ts';

const seconds = () => Math.floor(Date.now() / 1000);

describe('responses of an identity provider that cannot be trusted', () => {
  let provider: RogueProvider;
  let gateway: IdentityGateway;
  beforeAll(async () => {
    provider = await startRogueProvider();
    const rogue = {
      id: 'rogue',
      name: 'Rogue',
      issuer: provider.issuer,
      clientId: rogueClientId,
      access: [{ everyone: true, account: 'default', role: 'member' }],
    };
    const gone = { ...rogue, id: 'gone', name: 'Gone', issuer: 'http://127.0.0.1:9' };
    gateway = await startIdentityGateway({ providers: [rogue, gone] });
  });
  beforeEach(() => {
    for (const name of Object.keys(provider.next)) Reflect.deleteProperty(provider.next, name);
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  /** A browser that was sent to the provider. */
  const begin = async (next = '/dashboard', before = '') => {
    const address = `${gateway.baseUrl}/sign-in/rogue?${new URLSearchParams({ next })}`;
    const response = await fetch(address, { redirect: 'manual', headers: { cookie: before } });
    const to = new URL(response.headers.get('location') ?? '');
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { to, cookie, state: to.searchParams.get('state') ?? '', nonce: to.searchParams.get('nonce') ?? '' };
  };
  const callback = (parameters: Record<string, string>, cookie: string) =>
    fetch(`${gateway.baseUrl}/sign-in/rogue/callback?${new URLSearchParams(parameters)}`, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
    });
  const claims = (nonce: string): JWTPayload => ({
    iss: provider.issuer,
    aud: rogueClientId,
    sub: 'eve',
    email: 'eve@rogue.example',
    nonce,
    iat: seconds(),
    exp: seconds() + 300,
  });
  const titleOf = async (response: Response) => /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1];
  const withoutSession = (response: Response) =>
    expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('tallyport='))).toEqual([]);

  test('a correct response signs in and uses PKCE, state and nonce', async () => {
    const { to, cookie, state, nonce } = await begin();
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: rogueClientId,
      response_type: 'code',
      redirect_uri: `${gateway.baseUrl}/sign-in/rogue/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    provider.next.idToken = await provider.sign(claims(nonce));
    const response = await callback({ code: 'c', state }, cookie);
    expect(response.headers.get('location')).toBe('/dashboard');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^tallyport=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/),
      'tallyport-sign-in=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
  });

  test('a cookie that was there before the sign-in cannot finish it', async () => {
    const planted = await begin();
    const { cookie, state, nonce } = await begin('/dashboard', planted.cookie);
    expect(cookie).not.toBe(planted.cookie);
    provider.next.idToken = await provider.sign(claims(nonce));
    expect((await callback({ code: 'c', state }, planted.cookie)).status).toBe(400);
    expect((await callback({ code: 'c', state }, cookie)).status).toBe(303);
  });

  test('a session from before the sign-in ends', async () => {
    const signIn = async (before: string) => {
      const { cookie, state, nonce } = await begin();
      provider.next.idToken = await provider.sign(claims(nonce));
      const response = await callback({ code: 'c', state }, `${cookie}; ${before}`);
      return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const isSignedIn = async (cookie: string) =>
      (await fetch(`${gateway.baseUrl}/sign-in`, { redirect: 'manual', headers: { cookie } })).status === 303;
    const first = await signIn('tallyport=none');
    const second = await signIn(first);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  });

  test.each<[string, (right: JWTPayload) => JWTPayload]>([
    ['another audience', (right) => ({ ...right, aud: 'another client' })],
    ['several audiences without ours as the party', (right) => ({ ...right, aud: [rogueClientId, 'x'], azp: 'x' })],
    ['another issuer', (right) => ({ ...right, iss: 'https://other.example' })],
    ['another nonce', (right) => ({ ...right, nonce: 'another' })],
    ['no nonce', ({ nonce: _nonce, ...right }) => right],
    ['a token that has expired', (right) => ({ ...right, iat: seconds() - 600, exp: seconds() - 60 })],
    ['a token without an end', ({ exp: _exp, ...right }) => right],
    ['an end as text', (right) => ({ ...right, exp: String(right.exp) as never })],
    ['another authorized party', (right) => ({ ...right, azp: 'another client' })],
    ['an authorized party that is a list', (right) => ({ ...right, azp: [rogueClientId] })],
    ['audiences that are no text', (right) => ({ ...right, aud: [[rogueClientId]] as never })],
    ...oddSubjects.map(([what, sub]): [string, (right: JWTPayload) => JWTPayload] => [
      `a subject that is ${what}`,
      (right) => ({ ...right, sub: sub as never }),
    ]),
  ])('%s is refused', async (_what, changed) => {
    const { cookie, state, nonce } = await begin();
    provider.next.idToken = await provider.sign(changed(claims(nonce)));
    const response = await callback({ code: 'c', state }, cookie);
    expect(response.status).toBe(502);
    withoutSession(response);
    expect(await titleOf(response)).toBe('The response of Rogue cannot be verified');
  });

  test.each<[string, (right: JWTPayload) => Promise<string>]>([
    ['a signature of another key', (right) => provider.sign(right, {}, provider.otherKeys)],
    ['an unknown key', (right) => provider.sign(right, { kid: 'second' })],
    ['no signature', async (right) => unsigned(right)],
    ['a signature of a key of 1,024 bits', async (right) => provider.signWeakly(right)],
    ['a published key that cannot be used', async (right) => unusablySigned(right)],
    ['a signature with the public key as a shared secret', (right) => sharedSecretSigned(provider, right)],
    ['a token in a token', async (right) => nested(await provider.sign(right), provider)],
  ])('%s is refused', async (_what, make) => {
    const { cookie, state, nonce } = await begin();
    provider.next.idToken = await make(claims(nonce));
    const response = await callback({ code: 'c', state }, cookie);
    expect(response.status).toBe(502);
    withoutSession(response);
  });

  test('a subject of 255 characters signs in, with a session whose id cannot be stored', async () => {
    const { cookie, state, nonce } = await begin();
    provider.next.idToken = await provider.sign({
      ...claims(nonce),
      sub: 'e'.repeat(255),
      azp: rogueClientId,
      sid: 'a\0b',
    });
    expect((await callback({ code: 'c', state }, cookie)).status).toBe(303);
  });

  test('a state works once, in the browser that began, and at its provider', async () => {
    const first = await begin();
    const second = await begin();
    const attempt = (state: string, cookie: string) => callback({ code: 'c', state }, cookie);
    expect((await attempt('unknown', first.cookie)).status).toBe(400);
    expect((await attempt(first.state, second.cookie)).status).toBe(400);
    expect((await attempt(first.state, '')).status).toBe(400);
    provider.next.idToken = await provider.sign(claims(first.nonce));
    expect((await attempt(first.state, first.cookie)).status).toBe(303);
    const replayed = await attempt(first.state, first.cookie);
    expect(replayed.status).toBe(400);
    expect(await titleOf(replayed)).toBe('This sign-in is no longer valid');
  });

  test('a sign-in that took more than fifteen minutes is refused', async () => {
    const { cookie, state, nonce } = await begin();
    provider.next.idToken = await provider.sign(claims(nonce));
    const { kysely } = gateway.database;
    await kysely.updateTable('sign_in_flows').set({ expires_at: new Date() }).execute();
    expect((await callback({ code: 'c', state }, cookie)).status).toBe(400);
  });

  test('an issuer in the response that is not the provider is refused', async () => {
    const { cookie, state, nonce } = await begin();
    provider.next.idToken = await provider.sign(claims(nonce));
    expect((await callback({ code: 'c', state, iss: 'https://other.example' }, cookie)).status).toBe(502);
  });

  test('an error of the provider is shown with its code, as text', async () => {
    const { cookie, state } = await begin();
    const response = await callback({ error: '<b>denied', state }, cookie);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<code>&lt;b&gt;denied</code>');
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example', 'javascript:alert(1)'])(
    'a sign-in never continues at %s',
    async (next) => {
      const { cookie, state, nonce } = await begin(next);
      provider.next.idToken = await provider.sign(claims(nonce));
      expect((await callback({ code: 'c', state }, cookie)).headers.get('location')).toBe('/dashboard');
    },
  );

  test('a provider that does not listen is reported at once', async () => {
    const response = await fetch(`${gateway.baseUrl}/sign-in/gone`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(await titleOf(response)).toBe('Gone is not responding');
  });

  test('a provider that does not answer is reported within its deadline', async () => {
    const { cookie, state } = await begin();
    provider.next.hangs = true;
    const began = performance.now();
    const response = await callback({ code: 'c', state }, cookie);
    expect(response.status).toBe(503);
    expect(performance.now() - began).toBeLessThan(patient(20_000));
  });

  test.each([524_288, 524_289])('a response of %s bytes is read up to 512 KiB', async (bytes) => {
    const { cookie, state, nonce } = await begin();
    const start = `{"access_token":"any","token_type":"Bearer","id_token":"${await provider.sign(claims(nonce))}","more":"`;
    provider.next.body = `${start.padEnd(bytes - 2, 'x')}"}`;
    expect((await callback({ code: 'c', state }, cookie)).status).toBe(bytes === 524_288 ? 303 : 502);
  });

  describe('logout tokens', () => {
    const right = (): JWTPayload => ({
      iss: provider.issuer,
      aud: rogueClientId,
      sub: 'eve',
      iat: seconds(),
      exp: seconds() + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    const send = async (token: string) =>
      fetch(`${gateway.baseUrl}/sign-in/rogue/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
    const sessionsOf = () =>
      gateway.database.kysely.selectFrom('sessions').select('id').where('identity_provider', '=', 'rogue').execute();
    beforeEach(async () => {
      await gateway.database.kysely.deleteFrom('sessions').execute();
      const { cookie, state, nonce } = await begin();
      provider.next.idToken = await provider.sign({ ...claims(nonce), sid: 'session of eve' });
      expect((await callback({ code: 'c', state }, cookie)).status).toBe(303);
    });

    test('a correct one ends the sessions of the person, once', async () => {
      const token = await provider.sign(right());
      expect((await send(token)).status).toBe(200);
      expect(await sessionsOf()).toEqual([]);
      const again = await send(token);
      expect(again.status).toBe(400);
      expect(again.headers.get('cache-control')).toBe('no-store');
    });

    test('one with a session ends only this session', async () => {
      const { sub: _sub, ...token } = right();
      expect((await send(await provider.sign({ ...token, sid: 'another' }))).status).toBe(200);
      expect(await sessionsOf()).not.toEqual([]);
      expect((await send(await provider.sign({ ...token, jti: randomUUID(), sid: 'session of eve' }))).status).toBe(
        200,
      );
      expect(await sessionsOf()).toEqual([]);
    });

    test.each<[string, () => Promise<string>]>([
      ['another audience', () => provider.sign({ ...right(), aud: 'x' })],
      ['another issuer', () => provider.sign({ ...right(), iss: 'https://x.example' })],
      ['a nonce', () => provider.sign({ ...right(), nonce: 'n' })],
      ['no event', () => provider.sign({ ...right(), events: {} })],
      ['no id', () => provider.sign({ ...right(), jti: undefined })],
      ['no time', () => provider.sign({ ...right(), iat: undefined })],
      ['an old time', () => provider.sign({ ...right(), iat: seconds() - 400 })],
      ['neither person nor session', () => provider.sign({ ...right(), sub: undefined })],
      ['a signature of another key', () => provider.sign(right(), {}, provider.otherKeys)],
      ['no signature', async () => unsigned(right())],
      ['no token at all', async () => 'x'],
      ['a signature of a key of 1,024 bits', async () => provider.signWeakly(right())],
      ['a published key that cannot be used', async () => unusablySigned(right())],
      ['a signature with the public key as a shared secret', () => sharedSecretSigned(provider, right())],
      ['a token in a token', async () => nested(await provider.sign(right()), provider)],
      ['a nonce that is empty', () => provider.sign({ ...right(), nonce: null })],
      ['an id that is empty', () => provider.sign({ ...right(), jti: '' })],
      ['a time in the future', () => provider.sign({ ...right(), iat: seconds() + 120 })],
      ...oddSubjects.flatMap(([what, odd]): [string, () => Promise<string>][] => [
        [`a subject that is ${what}`, () => provider.sign({ ...right(), sub: odd as never })],
        [`a session that is ${what}`, () => provider.sign({ ...right(), sub: undefined, sid: odd })],
        [`a session that is ${what}, beside a person`, () => provider.sign({ ...right(), sid: odd })],
        [
          `a subject that is ${what}, beside a session`,
          () => provider.sign({ ...right(), sub: odd as never, sid: 'session of eve' }),
        ],
      ]),
    ])('one with %s ends nothing', async (_what, make) => {
      expect((await send(await make())).status).toBe(400);
      expect(await sessionsOf()).not.toEqual([]);
    });
  });
});
