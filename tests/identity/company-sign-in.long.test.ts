import { hash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { complaints, schemes, takePicture } from '../support/pages.ts';
import { type Company, startCompany } from './company.ts';
import { type IdentityGateway, startIdentityGateway } from './gateway.ts';
import { acme } from './identity-file.ts';

// Long: it walks through many pages in a browser.
// About: services/auth-svc/src/identity, packages/pages/src.

describe("sign-in with a company's identity provider", () => {
  let company: Company;
  let gateway: IdentityGateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    company = await startCompany();
    const document = { providers: [acme(company.issuer)] };
    [gateway, browser] = await Promise.all([startIdentityGateway(document), startChromium()]);
    company.open(gateway.baseUrl);
    await gateway.database.kysely.insertInto('accounts').values({ id: 'research', name: 'Research' }).execute();
  });
  beforeEach(async () => {
    context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 760, height: 640 } });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await gateway.apply({ providers: [acme(company.issuer)] });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await company?.stop();
  });

  /** At the company, where the name of a person is enough. */
  const identify = async (name: string): Promise<void> => {
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  };
  const open = (path: string) => page.goto(gateway.baseUrl + path);
  const signIn = async (name: string, path = '/dashboard'): Promise<void> => {
    await open(path);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await identify(name);
  };
  const signInAgain = async (): Promise<void> => {
    await open('/sign-in');
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
  };
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const signOut = () => page.getByRole('button', { name: 'Sign out' }).click();
  const placesOf = (email: string) =>
    gateway.database.kysely
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select(['account_id', 'role'])
      .where((where) => where.or([where('users.email', '=', email), where('users.shared_email', '=', email)]))
      .orderBy('account_id')
      .execute();
  const sessions = () =>
    gateway.database.kysely.selectFrom('sessions').select('id').where('identity_provider', '=', 'acme').execute();

  test('a first sign-in creates a member with the role of the group, and returns to the page asked for', async () => {
    company.employees['ada'] = { email: 'Ada@acme.example', groups: ['developers'] };
    await open('/dashboard/default/analytics');
    await takePicture(page, 'sign-in-provider');
    await signIn('ada', '/dashboard/default/analytics');
    expect(page.url()).toBe(`${gateway.baseUrl}/dashboard/default/analytics`);
    expect(await placesOf('ada@acme.example')).toEqual([{ account_id: 'default', role: 'member' }]);
    const audit = gateway.database.kysely.selectFrom('audit_log').select(['actor', 'action']);
    expect(await audit.where('action', '=', 'member.joined').execute()).toContainEqual({
      actor: 'identity:acme',
      action: 'member.joined',
    });
  });

  test('the role follows the groups at each sign-in, and admin keys end with the role', async () => {
    company.employees['bo'] = { email: 'bo@acme.example', groups: ['developers', 'platform'] };
    await signIn('bo');
    expect(await placesOf('bo@acme.example')).toEqual([{ account_id: 'default', role: 'owner' }]);
    const { kysely } = gateway.database;
    const { id: user_id } = await kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'bo@acme.example')
      .executeTakeFirstOrThrow();
    const key = {
      id: 'key_bo',
      account_id: 'default',
      name: 'bo',
      prefix: 'sk',
      key_hash: hash('sha256', 'bo'),
      user_id,
      is_admin: true,
    };
    await kysely.insertInto('api_keys').values(key).execute();
    company.employees['bo'].groups = ['developers'];
    await signOut();
    await signInAgain();
    expect(await placesOf('bo@acme.example')).toEqual([{ account_id: 'default', role: 'member' }]);
    const revoked = kysely.selectFrom('api_keys').select('id').where('revoked_at', 'is not', null);
    expect(await revoked.execute()).toEqual([{ id: 'key_bo' }]);
  });

  test('a person without a mapped group reads what to do, and loses what the groups gave', async () => {
    company.employees['cy'] = { email: 'cy@acme.example', groups: ['sales'] };
    await signIn('cy');
    expect(await heading()).toBe('You have no access to this gateway');
    expect(await page.getByText('identified you as cy@acme.example').isVisible()).toBe(true);
    expect(await placesOf('cy@acme.example')).toEqual([]);

    company.employees['cy'].groups = ['developers'];
    await signInAgain();
    expect(await placesOf('cy@acme.example')).toEqual([{ account_id: 'default', role: 'member' }]);
    company.employees['cy'].groups = [];
    await signOut();
    await signInAgain();
    expect(await heading()).toBe('You have no access to this gateway');
    expect(await placesOf('cy@acme.example')).toEqual([]);
  });

  test('a changed e-mail address is stored with the next sign-in', async () => {
    company.employees['kim'] = { email: 'kim@acme.example', groups: ['developers'] };
    await signIn('kim');
    await signOut();
    company.employees['kim'].email = 'kim.new@acme.example';
    await signInAgain();
    expect(await placesOf('kim@acme.example')).toEqual([]);
    expect(await placesOf('kim.new@acme.example')).toEqual([{ account_id: 'default', role: 'member' }]);
  });

  test('a person whose e-mail address is missing reads what to do', async () => {
    company.employees['di'] = { groups: ['developers'] };
    await signIn('di');
    expect(await heading()).toBe('Your e-mail address is missing');
  });

  test('signing out offers to sign out at the company as well, and returns', async () => {
    company.employees['ed'] = { email: 'ed@acme.example', groups: ['developers'] };
    await signIn('ed');
    await signOut();
    expect(await heading()).toBe('You are signed out');
    await page.getByRole('link', { name: 'Sign out of Acme as well' }).click();
    await page.getByRole('button', { name: /yes/i }).click();
    expect(page.url()).toBe(`${gateway.baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    expect(await page.locator('input[name=login]').isVisible()).toBe(true);
  });

  test('signing out at the company ends the session here, by a logout token', async () => {
    company.employees['fay'] = { email: 'fay@acme.example', groups: ['developers'] };
    await signIn('fay');
    expect(await sessions()).not.toEqual([]);
    await page.goto(`${company.issuer}/session/end`);
    await page.getByRole('button', { name: /yes/i }).click();
    await open('/dashboard');
    expect(await heading()).toBe('Sign in');
  });

  describe('while a session lives, a check at the company', () => {
    const checksOf = (email: string) =>
      gateway.database.kysely
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id', 'check_claim as claim'])
        .where('users.email', '=', email)
        .execute();
    const makeDue = async (email: string) => {
      const [session] = await checksOf(email);
      const change = gateway.database.kysely.updateTable('sessions').set({ check_at: new Date() });
      await change.where('id', '=', session?.id ?? '').executeTakeFirstOrThrow();
    };

    test('follows the groups, several times, and ends the session of a person who left', async () => {
      const email = 'lou@acme.example';
      company.employees['lou'] = { email, groups: ['platform'] };
      await signIn('lou');
      const changes: [string, string][] = [
        ['developers', 'member'],
        ['platform', 'owner'],
      ];
      for (const [group, role] of changes) {
        company.employees['lou'].groups = [group];
        await makeDue(email);
        await expect.poll(() => placesOf(email)).toEqual([{ account_id: 'default', role }]);
        await expect.poll(() => checksOf(email)).toEqual([{ id: expect.any(String), claim: null }]);
      }
      await open('/dashboard');
      expect(await heading()).toBe('Overview');
      Reflect.deleteProperty(company.employees, 'lou');
      await makeDue(email);
      await expect.poll(() => checksOf(email)).toEqual([]);
      await open('/dashboard');
      expect(await heading()).toBe('Sign in');
      expect(await placesOf(email)).toEqual([{ account_id: 'default', role: 'owner' }]);
      // A check is counted after it is stored.
      const metrics = async () => (await fetch(`${gateway.adminUrl}/metrics`)).text();
      await expect.poll(metrics).toMatch(/^gateway_session_checks_total\{outcome="refused"\} 1$/m);
      await expect.poll(metrics).toMatch(/^gateway_session_checks_total\{outcome="present"\} 2$/m);
    });
  });

  test('with passwords off, people can only sign in at the company, until the document allows passwords again', async () => {
    const { kysely } = gateway.database;
    company.employees['gus'] = { email: 'gus@acme.example', groups: ['developers'] };
    await gateway.apply({ passwords: 'off', providers: [acme(company.issuer)] });
    await open('/sign-in');
    expect(await page.getByLabel('Password').count()).toBe(0);
    const form = { method: 'POST', body: new URLSearchParams({ email: 'x@acme.example', password: 'any password' }) };
    const refused = await fetch(`${gateway.baseUrl}/sign-in`, form);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('Passwords are switched off here.');
    await signIn('gus');
    expect(await heading()).toBe('Overview');
    // The session now counts as one that a password began.
    await kysely.updateTable('sessions').set({ identity_provider: null }).execute();
    await open('/dashboard');
    expect(await heading()).toBe('Sign in');
    await gateway.apply({ passwords: 'on', providers: [acme(company.issuer)] });
    await open('/dashboard');
    expect(await heading()).toBe('Overview');
  });

  test('a verified e-mail address takes over the user who has it, if the document says so', async () => {
    const { kysely } = gateway.database;
    const before = { id: 'user_hal', email: 'hal@acme.example', password_hash: 'of hal' };
    await kysely.insertInto('users').values(before).execute();
    const place = { account_id: 'research', user_id: 'user_hal', role: 'admin' as const };
    await kysely.insertInto('memberships').values(place).execute();
    await gateway.apply({ providers: [acme(company.issuer, { linkVerifiedEmail: true })] });
    company.employees['hal'] = { email: 'hal@acme.example', groups: ['developers'] };
    await signIn('hal');
    expect(await placesOf('hal@acme.example')).toEqual([
      { account_id: 'default', role: 'member' },
      { account_id: 'research', role: 'admin' },
    ]);
    const users = kysely.selectFrom('users').select('password_hash').where('email', '=', 'hal@acme.example');
    expect(await users.execute()).not.toEqual([{ password_hash: 'of hal' }]);
  });

  test('an invalid document is refused and named, and the previous one stays in force', async () => {
    await gateway.apply('providers: [{ id: acme }]');
    expect(gateway.output()).toMatch(/identity\.yaml:1: providers\.0\.name/);
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^gateway_identity_file_refused 1$/m);
    await open('/sign-in');
    expect(await page.getByRole('link', { name: 'Sign in with Acme' }).isVisible()).toBe(true);
  });

  test('a removed provider ends its sessions', async () => {
    company.employees['ivy'] = { email: 'ivy@acme.example', groups: ['developers'] };
    await signIn('ivy');
    await gateway.apply({ providers: [] });
    await open('/dashboard');
    expect(await heading()).toBe('Sign in');
    expect((await open('/sign-in/acme'))?.status()).toBe(404);
  });

  test.each(schemes)('the pages pass the accessibility checks of axe in %s colours', async (colorScheme) => {
    company.employees['jo'] = { email: 'jo@acme.example', groups: ['sales'] };
    await context.close();
    // The content security policy allows no scripts, so it is bypassed for the checks.
    context = await browser.newContext({ colorScheme, bypassCSP: true });
    page = await context.newPage();
    await open('/sign-in');
    expect(await complaints(page)).toEqual([]);
    await signIn('jo');
    expect(await heading()).toBe('You have no access to this gateway');
    expect(await complaints(page)).toEqual([]);
  });
});
