import { hash } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { complaints, schemes, takePicture } from '../support/pages.ts';
import { email, type OAuthGateway, password, startOneOAuthGateway } from './gateway.ts';
import { plainClient } from './plain-client.ts';

// Long: it walks through many pages in a browser.
// About: services/auth-svc/src/oauth, services/auth-svc/src/pages, packages/pages/src.

const redirectUri = 'http://127.0.0.1:53682/callback';
const unusablePassword = `$scrypt$ln=10,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

describe('pages in a browser', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
  });
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
    context = await browser.newContext({ viewport: { width: 760, height: 640 }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    await page.goto(new URL(address, gateway.baseUrl).href);
    return page;
  };
  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const question = async (): Promise<string> => {
    const client = await plainClient(gateway, { client_name: 'Acme Editor', redirect_uris: [redirectUri] });
    return (await client.authorizationUrl({ redirect_uri: redirectUri })).url;
  };
  const invitation = async (): Promise<string> => {
    const row = {
      id: 'invitation_1',
      token_hash: hash('sha256', 'invited'),
      account_id: 'default',
      role: 'member' as const,
    };
    const expires_at = new Date(Date.now() + 60_000);
    await gateway.database.kysely
      .insertInto('invitations')
      .values({ ...row, email: 'bo@example.com', expires_at })
      .execute();
    return '/invitations/invited';
  };

  test.each([
    ['/sign-out', ''],
    ['/dashboard/default/members/invite', 'email=mallory%40evil.example&role=owner'],
  ])(
    'a form that another site sends to %s is refused, although browsers send no cookie with it',
    async (path, body) => {
      const answers = ['cross-site', 'same-origin'].map(async (site) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site };
        const answer = await fetch(gateway.baseUrl + path, { method: 'POST', redirect: 'manual', headers, body });
        const clears = answer.headers.get('set-cookie') !== null;
        return [answer.status, clears, (await answer.text()).includes('mallory')];
      });
      const own = path === '/sign-out' ? [303, true, false] : [401, false, true];
      expect(await Promise.all(answers)).toEqual([[403, false, false], own]);
    },
  );

  test('a user signs in and grants access without scripts', async () => {
    const page = await open(await question(), { javaScriptEnabled: false });
    expect(await page.title()).toBe('Sign in · Tallyport');
    await takePicture(page, 'sign-in');
    await signIn(page);
    expect(await page.title()).toBe('Allow access · Tallyport');
    expect(await page.getByRole('definition').textContent()).toBe('127.0.0.1:53682');
    expect(await page.getByText('a program on your own computer').isVisible()).toBe(true);
    await takePicture(page, 'consent');
    const [redirect] = await Promise.all([
      page.waitForRequest(/^http:\/\/127\.0\.0\.1:53682\/callback\?/),
      page.getByRole('button', { name: 'Allow' }).click(),
    ]);
    expect(new URL(redirect.url()).searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
  });

  test('another user can sign in instead and continues with the request', async () => {
    const page = await open(await question());
    await signIn(page);
    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    expect(await page.title()).toBe('Sign in · Tallyport');
    await signIn(page);
    expect(await page.title()).toBe('Allow access · Tallyport');
  });

  test('a user with several accounts chooses one', async () => {
    const { kysely } = gateway.database;
    const { user_id } = await kysely.selectFrom('memberships').select('user_id').executeTakeFirstOrThrow();
    await kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme <Ltd>' }).execute();
    await kysely.insertInto('memberships').values({ account_id: 'acme', user_id, role: 'member' }).execute();
    const page = await open(await question());
    await signIn(page);
    await takePicture(page, 'consent-accounts');
    await page.getByRole('radio', { name: 'Acme <Ltd>' }).check();
    await Promise.all([
      page.waitForRequest(/^http:\/\/127\.0\.0\.1:53682\/callback\?code=/),
      page.getByRole('button', { name: 'Allow' }).click(),
    ]);
    const grants = kysely.selectFrom('oauth_records').select('account_id').where('model', '=', 'Grant');
    expect(await grants.where('account_id', '=', 'acme').execute()).toHaveLength(1);
    await kysely.deleteFrom('accounts').where('id', '=', 'acme').execute();
    expect(await grants.where('account_id', '=', 'acme').execute()).toEqual([]);
  });

  test('an invited user chooses a password and is signed in', async () => {
    const page = await open(await invitation());
    expect(await page.getByRole('heading').textContent()).toBe('Join Default');
    await page.getByLabel('Password').fill('four words in a row');
    await page.getByRole('button', { name: 'Join' }).click();
    expect(await page.title()).toBe('Overview · Tallyport');
    const again = await page.goto(`${gateway.baseUrl}/invitations/invited`);
    expect(again?.status()).toBe(404);
    await gateway.database.kysely.deleteFrom('users').where('email', '=', 'bo@example.com').execute();
  });

  test('an invited user can choose a password although another user claimed the address', async () => {
    const { kysely } = gateway.database;
    const claimed = { id: 'user_claimed', email: 'bo@example.com', password_hash: unusablePassword };
    const address = await invitation();
    const unclaimed = await (await fetch(gateway.baseUrl + address)).text();
    await kysely.insertInto('users').values(claimed).execute();
    await kysely.insertInto('accounts').values({ id: 'squatter', name: 'Squatter' }).execute();
    const place = { account_id: 'squatter', user_id: claimed.id, role: 'owner' as const };
    await kysely.insertInto('memberships').values(place).execute();
    const page = await open(address);
    expect(await (await fetch(gateway.baseUrl + address)).text()).toBe(unclaimed);
    await page.getByRole('link', { name: 'I have a password here already' }).click();
    await page.getByLabel('Password').fill('five words in a row');
    await page.getByRole('button', { name: 'Join' }).click();
    expect(await page.getByRole('alert').textContent()).toContain(
      'No user here has this e-mail address and this password',
    );
    await page.getByRole('link', { name: 'I have no password here yet' }).click();
    await page.getByLabel('Password').fill('five words in a row');
    await page.getByRole('button', { name: 'Join' }).click();
    expect(await page.title()).toBe('Overview · Tallyport');
    await page.goto(`${gateway.baseUrl}/dashboard/default/profile`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('bo@example.com');
    await kysely.deleteFrom('accounts').where('id', '=', 'squatter').execute();
    await kysely.deleteFrom('users').where('id', '=', 'user_claimed').execute();
    await kysely.deleteFrom('users').where('shared_email', '=', 'bo@example.com').execute();
  });

  test('other sites cannot embed the pages in a frame', async () => {
    const page = await open('/sign-in');
    const response = await page.reload();
    expect(response?.headers()).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cache-control': 'no-store',
    });
  });

  describe.each(schemes)('in %s colours', (colorScheme) => {
    // The content security policy allows no scripts, so it is bypassed for the checks.
    const watched = { colorScheme, bypassCSP: true };

    test('passes the accessibility checks of axe', async () => {
      const page = await open('/sign-in', watched);
      expect(await complaints(page)).toEqual([]);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(await page.getByRole('alert').isVisible()).toBe(true);
      expect(await complaints(page)).toEqual([]);
      await page.goto(await question());
      await signIn(page);
      expect(await page.title()).toBe('Allow access · Tallyport');
      expect(await complaints(page)).toEqual([]);
      for (const address of [await invitation(), '/dashboard', '/setup/nothing']) {
        await page.goto(gateway.baseUrl + address);
        expect(await complaints(page)).toEqual([]);
      }
      await gateway.database.kysely.deleteFrom('invitations').execute();
    });
  });
});
