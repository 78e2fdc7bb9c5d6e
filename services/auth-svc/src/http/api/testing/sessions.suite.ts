import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../../../users/passwords.ts';
import { ensureFirstOwner, openFirstOwnerLink } from '../../../enrolment/first-owner.ts';
import { type OpenedManagement, publicUrl } from './open-management.ts';
import { type Person, personOf } from './person.ts';

const email = 'first@owner.test';
const password = 'correct horse battery';

export function describeSessions(open: () => Promise<OpenedManagement>): void {
  describe('sessions', () => {
    let management: OpenedManagement;
    let owner: Person;
    beforeAll(async () => {
      management = await open();
    });
    afterAll(() => management.close());

    const signIn = (body: object = { email, password }, from = '198.51.100.1', headers = {}) =>
      management.ask('POST', '/session', { body, from, headers });
    const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? '';
    const claim = (token: string) =>
      management.firstOwner.claim({ token, email: 'First@Owner.test', password, address: '198.51.100.2' });

    it('begin with the first owner, created once by one of several links', async () => {
      const paths = await Promise.all([1, 2, 3].map(() => openFirstOwnerLink(management.database)));
      const tokens = paths.map((path) => path?.replace('/setup/', '') ?? '');
      const isOpen = (token: string) => management.firstOwner.isOpen({ token, address: '198.51.100.3' });
      expect(await Promise.all(tokens.map(isOpen))).toEqual([true, true, true]);
      expect(await isOpen('x'.repeat(43))).toBe(false);
      const short = management.firstOwner.claim({
        token: tokens[0] ?? '',
        email,
        password: 'eleven char',
        address: '::1',
      });
      await expect(short).rejects.toMatchObject({
        status: 400,
        message: 'The password must have at least 12 characters.',
      });

      const tries = await Promise.allSettled(tokens.map(claim));
      const sessions = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []));
      expect(sessions).toHaveLength(1);
      owner = await personOf(management, { token: sessions[0]?.token ?? '', password });
      expect(await Promise.all(tokens.map(isOpen))).toEqual([false, false, false]);
      expect(await openFirstOwnerLink(management.database)).toBe(undefined);
      expect((await owner.ask('GET', '/accounts')).body.accounts.map(({ id }: { id: string }) => id)).toEqual([
        'default',
      ]);
      expect((await owner.ask('PATCH', '/account', { limits: { concurrency: 7 } })).status).toBe(200);
    });

    it('keep the first owner if a setting names one later', async () => {
      const passwords = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });
      const ensured = ensureFirstOwner(management.database, passwords, { email, password: 'another password' });
      expect(await ensured).toEqual({ created: false });
      expect((await signIn()).status).toBe(201);
    });

    it('have separate cookies, and can all be ended at once', async () => {
      const first = await signIn();
      const token = cookieOf(first.headers).split('=')[1] ?? '';
      expect(first.headers.get('set-cookie')).toMatch(
        /^tallyport=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=\w{3}, .* GMT$/,
      );
      expect(first.headers.get('cache-control')).toBe('no-store');
      const { csrfToken } = first.body;
      const rows = JSON.stringify(await management.database.kysely.selectFrom('sessions').selectAll().execute());
      expect(rows).not.toContain(token);

      const second = await signIn();
      const cookies = [cookieOf(first.headers), cookieOf(second.headers)];
      expect(cookies[0]).not.toBe(cookies[1]);
      const statuses = async () =>
        Promise.all(cookies.map(async (cookie) => (await management.ask('GET', '/session', { cookie })).status));
      expect(await statuses()).toEqual([200, 200]);
      const [cookie = ''] = cookies;
      const out = await management.ask('DELETE', '/session?everywhere=true', { cookie, csrf: csrfToken });
      expect(out).toMatchObject({ status: 200, body: { signedOut: true } });
      expect(out.headers.get('set-cookie')).toBe('tallyport=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      expect(await statuses()).toEqual([401, 401]);
      owner = await personOf(management, { token: cookieOf((await signIn()).headers).split('=')[1] ?? '', password });
    });

    it('never adopt a token that the browser sent', async () => {
      const fixed = `tallyport=${'f'.repeat(43)}`;
      const before = await signIn();
      const signedIn = await management.ask('POST', '/session', { body: { email, password }, cookie: fixed });
      expect(cookieOf(signedIn.headers)).not.toBe(fixed);
      expect((await management.ask('GET', '/session', { cookie: fixed })).status).toBe(401);
      const again = await management.ask('POST', '/session', {
        body: { email, password },
        cookie: cookieOf(before.headers),
      });
      expect(again.status).toBe(201);
      expect((await management.ask('GET', '/session', { cookie: cookieOf(before.headers) })).status).toBe(401);
      const two = `${cookieOf(again.headers)}; ${cookieOf(again.headers)}`;
      expect((await management.ask('GET', '/session', { cookie: two })).status).toBe(401);
    });

    it('expire at their end, and after half a day without use', async () => {
      const cookie = cookieOf((await signIn()).headers);
      const status = async () => (await management.ask('GET', '/session', { cookie })).status;
      const sessions = management.database.kysely.updateTable('sessions');
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
      await sessions.set({ last_seen_at: hoursAgo(11.9) }).execute();
      expect(await status()).toBe(200);
      const seen = await management.database.kysely.selectFrom('sessions').select('last_seen_at').execute();
      expect(seen.some(({ last_seen_at }) => last_seen_at.getTime() > Date.now() - 60_000)).toBe(true);
      await sessions.set({ last_seen_at: hoursAgo(12.1) }).execute();
      expect(await status()).toBe(401);
      await sessions.set({ last_seen_at: hoursAgo(0), expires_at: hoursAgo(0) }).execute();
      expect(await status()).toBe(401);
      owner = await personOf(management, { token: cookieOf((await signIn()).headers).split('=')[1] ?? '', password });
    });

    it('are limited to 50 per user: the oldest ends', async () => {
      const { userId } = owner;
      const begun = [];
      for (let count = 0; count < 51; count++) begun.push(await management.sessions.begin(userId));
      const found = await Promise.all(begun.map(({ token }) => management.sessions.find(token)));
      expect(found.map((session) => session !== undefined)).toEqual([false, ...Array<boolean>(50).fill(true)]);
      owner = await personOf(management, { token: begun.at(-1)?.token ?? '', password });
    });

    it('cannot be used by pages of other sites', async () => {
      const change = (headers: Record<string, string>, csrf?: string) =>
        management.ask('PATCH', '/account', {
          cookie: owner.cookie,
          body: { name: 'Default' },
          headers,
          ...(csrf !== undefined && { csrf }),
        });
      const { csrfToken } = (await owner.ask('GET', '/session')).body;
      const statuses = await Promise.all([
        change({}),
        change({}, 'x'.repeat(43)),
        change({ origin: 'https://evil.test' }, csrfToken),
        change({ origin: 'null' }, csrfToken),
        change({ origin: publicUrl, 'sec-fetch-site': 'same-site' }, csrfToken),
        change({ origin: publicUrl, 'sec-fetch-site': 'cross-site' }, csrfToken),
        change({}, csrfToken),
        change({ origin: publicUrl }),
        change({ 'sec-fetch-site': 'same-origin' }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 200, 200, 200]);
      expect((await signIn(undefined, undefined, { origin: 'https://evil.test' })).status).toBe(403);
      expect((await signIn(undefined, undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    });

    it('end when the password changes, except the current one', async () => {
      const other = cookieOf((await signIn()).headers);
      const wrong = await owner.ask('POST', '/password', { current: 'not this one', new: 'a new long password' });
      expect(wrong.status).toBe(401);
      const changed = await owner.ask('POST', '/password', { current: password, new: 'a new long password' });
      expect(changed.status).toBe(200);
      expect((await management.ask('GET', '/session', { cookie: other })).status).toBe(401);
      expect((await management.ask('GET', '/session', { cookie: cookieOf(changed.headers) })).status).toBe(200);
      expect((await signIn()).status).toBe(401);
      const back = { current: 'a new long password', new: password };
      const cookie = cookieOf(changed.headers);
      expect(
        (await management.ask('POST', '/password', { cookie, csrf: changed.body.csrfToken, body: back })).status,
      ).toBe(200);
    });

    it('are refused the same way for unknown users, and guessing is limited', async () => {
      const wrong = await signIn({ email, password: 'wrong' }, '203.0.113.1');
      const nobody = await signIn({ email: 'nobody@nowhere.test', password: 'wrong' }, '203.0.113.1');
      expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials' } } });
      expect([nobody.status, nobody.body]).toEqual([wrong.status, wrong.body]);

      const guess = (n: number) =>
        signIn({ email: 'victim@nowhere.test', password: `guess ${n}` }, `2001:db8:1:2::${n + 1}`);
      const tries = await Promise.all(Array.from({ length: 11 }, (_, n) => guess(n)));
      expect(tries.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(401), 429]);
      const late = await guess(12);
      expect(late).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60);

      const elsewhere = await signIn({ email: 'victim@nowhere.test', password: 'a guess' }, '2001:db8:1:3::1');
      expect(elsewhere.status).toBe(401);

      const spray = (n: number) => signIn({ email: `user${n}@nowhere.test`, password: 'x' }, '203.0.113.200');
      const sprayed = await Promise.all(Array.from({ length: 51 }, (_, n) => spray(n)));
      expect(sprayed.filter(({ status }) => status === 429)).not.toEqual([]);
      expect((await spray(52)).status).toBe(429);
      expect((await signIn()).status).toBe(201);
    });
  });
}
