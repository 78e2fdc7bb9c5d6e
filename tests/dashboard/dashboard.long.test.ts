import { hash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { email, type OAuthGateway, password, signedIn, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { openOwner, openVisitor, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/auth-svc/src/keys.

/** Of what was made before: the day may have ended since. */
const lately = () => expect.toBeOneOf([startedOn, today()]);
const today = (): string => new Date().toISOString().slice(0, 10);
const startedOn = today();

describe('the dashboard', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  });
  afterEach(() => Promise.all(visitors.splice(0).map((visitor) => visitor.close())));
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const models = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${gateway.baseUrl}/v1/providers`, { headers })).status;
  };
  const boxed = async (name: string): Promise<string> =>
    (await owner.page.getByRole('region', { name }).textContent()) ?? '';
  const wrongAt = async (label: string): Promise<string> => {
    const field = owner.page.getByLabel(label);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby')) ?? '';
    return (await owner.page.locator(`[id="${described.split(' ').at(-1)}"]`).textContent()) ?? '';
  };

  /** Sends the request of a curl example. */
  const tryIt = async (example: string): Promise<number> => {
    const [, url = ''] = /^curl (\S+)/.exec(example) ?? [];
    const headers = [...example.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [name, value]);
    const [, body = ''] = /-d '(.+)'$/.exec(example) ?? [];
    return (await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body })).status;
  };

  const menuOf = ({ page }: Visitor): Promise<string[]> =>
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allInnerTexts();

  test('shows the overview of the first account after sign-in', async () => {
    expect([await owner.page.title(), owner.page.url()]).toEqual([
      'Overview · Tallyport',
      `${gateway.baseUrl}/dashboard/default/overview`,
    ]);
    const links = await menuOf(owner);
    expect(links).toEqual(expect.arrayContaining(['API Keys', 'Account', 'Audit Log', 'All Accounts']));
    expect(links.indexOf('API Keys')).toBeLessThan(links.indexOf('Account'));
  });

  test('creates a key with all settings, shows it once, and it works', async () => {
    await owner.go('keys');
    await owner.follow('Create a key');
    expect(await owner.page.getByLabel('Chat requests').getAttribute('placeholder')).toBe('600 (default)');
    await owner.fill({ Name: 'checkout service', Amount: '25', Addresses: '127.0.0.0/8\nnonsense', Tokens: '90000' });
    await owner.press('Create the key');
    expect(await wrongAt('Addresses')).toBe(
      'Line 2: Must be an address or a range, for example 203.0.113.0/24 or 2001:db8::/32.',
    );
    expect(await owner.page.getByLabel('Amount').inputValue()).toBe('25');
    await owner.fill({ Addresses: '127.0.0.0/8', 'Expires at': '2099-12-31T23:59' });
    await owner.press('Create the key');
    const key = await boxed('Your key');
    expect(await boxed('curl')).toContain(`curl ${gateway.baseUrl}/v1/chat/completions`);
    expect(await models(key)).toBe(200);
    expect(await boxed('curl')).toMatch(/"model":"[\w.-]+"/);
    expect(await tryIt(await boxed('curl'))).toBe(200);
    await takePicture(owner.page, 'dashboard-new-key');

    await owner.follow('I have copied it');
    const [row] = await owner.rows('API keys');
    expect(row).toEqual([
      `checkout service ${key.slice(0, 12)}…`,
      'active',
      expect.stringMatching(/^\$\d/),
      expect.stringMatching(/^\$\d/),
      '$25 per month, own limits, 1 address',
      expect.stringMatching(/never|^2/),
      '2099-12-31',
    ]);
    expect(await owner.page.content()).not.toContain(key);
    const { kysely } = gateway.database;
    const stored = kysely.selectFrom('api_keys').selectAll().where('name', '=', 'checkout service');
    expect(await stored.executeTakeFirst()).toMatchObject({
      allowed_addresses: ['127.0.0.0/8'],
      budget: { amount: '25', period: 'month' },
      limits: { tokensPerMinute: 90_000 },
      expires_at: new Date('2099-12-31T23:59:00Z'),
      is_admin: false,
    });
  });

  test('a form that is sent twice creates one key', async () => {
    await owner.go('keys/new');
    await owner.fill({ Name: 'once' });
    await owner.press('Create the key');
    // Wait for the answer: a reload before it would not send the form again.
    await boxed('Your key');
    const again = await owner.page.reload();
    expect(again?.status()).toBe(409);
    const keys = gateway.database.kysely.selectFrom('api_keys').select('name').where('name', '=', 'once');
    expect(await keys.execute()).toEqual([{ name: 'once' }]);
  });

  test('keeps what was entered if the session ends, until the user has signed in again', async () => {
    const person = await openOwner(browser, gateway.baseUrl);
    visitors.push(person);
    await person.go('keys/new');
    await person.fill({ Name: 'long form', Amount: '7.25', Models: 'some/model' });
    const sessions = gateway.database.kysely.selectFrom('sessions').select('id').orderBy('created_at', 'desc');
    const { id } = await sessions.executeTakeFirstOrThrow();
    await gateway.database.kysely.deleteFrom('sessions').where('id', '=', id).execute();
    await person.press('Create the key');
    expect(await person.page.getByRole('heading').textContent()).toBe('Your session has ended');
    await takePicture(person.page, 'dashboard-session-ended');

    const [tab] = await Promise.all([person.page.context().waitForEvent('page'), person.follow('Sign in')]);
    await tab.getByLabel('E-mail').fill(email);
    await tab.getByLabel('Password').fill(password);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    await person.press('Continue');
    expect(await person.page.getByRole('alert').textContent()).toContain('You signed in again meanwhile.');
    expect(await person.page.getByLabel('Amount').inputValue()).toBe('7.25');
    await person.press('Create the key');
    expect(await person.heading()).toBe('long form');
    const keys = gateway.database.kysely.selectFrom('api_keys').select('budget').where('name', '=', 'long form');
    expect(await keys.execute()).toEqual([{ budget: { amount: '7.25', period: 'month' } }]);
  });

  test('a page with a secret loads one module only, which copies it', async () => {
    const person = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
    visitors.push(person);
    await person.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const scripts: string[] = [];
    person.page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname);
    });
    await person.go('keys/new');
    await person.fill({ Name: 'to copy' });
    scripts.length = 0;
    const [answer] = await Promise.all([
      person.page.waitForResponse((response) => response.request().method() === 'POST'),
      person.press('Create the key'),
    ]);
    expect(answer.headers()['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; style-src/,
    );
    await person.press('Copy: Your key');
    await person.page.getByText('Copied').first().waitFor();
    const key = await person.page.getByRole('region', { name: 'Your key' }).textContent();
    expect(await person.page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect(scripts).toEqual(['/assets/copy.js']);
    await takePicture(person.page, 'dashboard-copy');
  });

  test('finds one of a thousand keys, and shows the rest page by page', async () => {
    const { kysely } = gateway.database;
    await kysely
      .insertInto('api_keys')
      .values(
        Array.from({ length: 1_000 }, (_, at) => ({
          id: `many_${at}`,
          account_id: 'default',
          name: `worker ${at}`,
          prefix: `sk-tp-many${at}`,
          key_hash: hash('sha256', `many ${at}`),
        })),
      )
      .execute();
    await owner.go('keys');
    expect(await owner.rows('API keys')).toHaveLength(50);
    expect((await owner.page.content()).length).toBeLessThan(70_000);
    await owner.follow('Older');
    expect(await owner.rows('API keys')).toHaveLength(50);
    await owner.follow('Newest');
    await owner.page.getByRole('searchbox', { name: 'Search keys' }).fill('WORKER 777');
    await owner.press('Search');
    expect((await owner.rows('API keys')).map(([name]) => name)).toEqual(['worker 777 sk-tp-many777…']);
    await takePicture(owner.page, 'dashboard-search');
    await owner.follow('Revoked');
    expect(await owner.page.getByText('No revoked key is named “WORKER 777” or begins with it.').isVisible()).toBe(
      true,
    );
    await kysely.deleteFrom('api_keys').where('id', 'like', 'many_%').execute();
  });

  test('one long name does not push columns away, at 390 and at 1,440 pixels', async () => {
    const name = 'n'.repeat(100);
    await owner.go('keys/new');
    await owner.fill({ Name: name });
    await owner.press('Create the key');
    await boxed('Your key');
    for (const width of [390, 1_440]) {
      const person = await openOwner(browser, gateway.baseUrl, {
        viewport: { width, height: 800 },
        javaScriptEnabled: true,
        bypassCSP: true,
      });
      visitors.push(person);
      for (const path of ['keys', 'audit']) {
        await person.go(path);
        const overflow = await person.page.evaluate(
          'document.querySelector(".scroll").scrollWidth - document.querySelector(".scroll").clientWidth',
        );
        expect([width, path, overflow]).toEqual([width, path, 0]);
        expect(await person.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await takePicture(person.page, `dashboard-${path}-${width}`);
      }
    }
  });

  test('changes a key, rotates it with an overlap, and revokes it after a confirmation', async () => {
    await owner.go('keys/new');
    await owner.fill({ Name: 'nightly', Amount: '5', Models: 'some/model\nother/model' });
    await owner.press('Create the key');
    const first = await boxed('Your key');
    await owner.go('keys');
    await owner.follow('nightly');
    expect(await owner.page.getByLabel('Models').inputValue()).toBe('some/model\nother/model');
    await owner.fill({ Name: 'nightly reports', Amount: '', Models: '' });
    await owner.press('Save');
    expect(await owner.notice()).toBe('The key was changed. This takes effect everywhere within a second.');
    expect(owner.page.url()).toBe(`${gateway.baseUrl}/dashboard/default/keys`);
    await owner.page.reload();
    expect(await owner.page.getByRole('status').count()).toBe(0);
    expect((await owner.rows('API keys'))[0]?.slice(0, 5)).toEqual([
      `nightly reports ${first.slice(0, 12)}…`,
      'active',
      expect.stringMatching(/^\$\d/),
      expect.stringMatching(/^\$\d/),
      'account defaults',
    ]);

    await owner.follow('Rotate nightly reports');
    await owner.page.getByLabel('Previous key stops working').selectOption('after one day');
    await owner.press('Rotate');
    const second = await boxed('Your key');
    expect([await models(first), await models(second)]).toEqual([200, 200]);

    await owner.go('keys');
    await owner.follow('Revoke nightly reports');
    expect(await owner.page.getByRole('heading').textContent()).toBe('Revoke nightly reports?');
    await owner.press('Revoke the key');
    expect(await owner.notice()).toBe('The key was revoked. It stops working everywhere within a second.');
    await expect.poll(async () => [await models(first), await models(second)]).toEqual([401, 401]);
  });

  test('adds, disables, replaces and deletes provider keys without showing them', async () => {
    await owner.go('provider-keys');
    await owner.follow('Add a key');
    await owner.fill({ Provider: 'nobody', Label: 'research', Key: 'secret-of-research-1234' });
    await owner.press('Add the key');
    expect(await wrongAt('Provider')).toBe('This provider does not exist. The page Providers lists all.');
    expect(await owner.page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    await owner.fill({ Provider: 'mistral', Key: 'secret-of-research-1234' });
    await owner.press('Add the key');
    expect(await owner.rows('Provider keys')).toEqual([['mistral', 'research', '…1234', 'enabled', 'never', 'none']]);
    await takePicture(owner.page, 'dashboard-provider-keys');
    await owner.press('Disable mistral research');
    expect((await owner.rows('Provider keys'))[0]?.[3]).toBe('disabled');
    await owner.follow('Edit mistral research');
    await owner.fill({ 'New key': 'another-secret-5678' });
    await owner.press('Save');
    expect((await owner.rows('Provider keys'))[0]?.[2]).toBe('…5678');
    expect(await owner.page.content()).not.toContain('another-secret');
    await owner.page.getByLabel('Keys to use').selectOption('own keys only');
    await owner.press('Save');
    const accounts = gateway.database.kysely.selectFrom('accounts').select('provider_key_mode');
    expect(await accounts.execute()).toEqual([{ provider_key_mode: 'own_only' }]);
    await owner.page.getByLabel('Keys to use').selectOption('own keys first, then the gateway’s');
    await owner.press('Save');
    await owner.go('provider-keys/new');
    await owner.fill({ Provider: 'mistral', Label: 'spare', Key: 'secret-of-spare-4321' });
    await owner.press('Add the key');
    const order = async () => (await owner.rows('Provider keys')).map(([, place, label]) => `${place} ${label}`);
    expect(await order()).toEqual(['1 of 2 Down research', '2 of 2 Up spare']);
    // With the keyboard, and without scripts.
    await owner.page.getByRole('button', { name: 'Move mistral spare up' }).focus();
    await Promise.all([owner.page.waitForURL(/#provider_key_/), owner.page.keyboard.press('Enter')]);
    expect(await owner.notice()).toMatch(/^The order of the keys was changed\./);
    expect(await order()).toEqual(['1 of 2 Down spare', '2 of 2 Up research']);
    await takePicture(owner.page, 'dashboard-provider-keys-order');
    await owner.press('Move mistral spare down');
    expect(await order()).toEqual(['1 of 2 Down research', '2 of 2 Up spare']);
    await owner.follow('Delete mistral spare');
    await owner.press('Delete the key');
    await owner.follow('Delete mistral research');
    await owner.press('Delete the key');
    expect(await owner.notice()).toBe('The provider key was deleted.');
  });

  test('an invited user joins as a member, becomes an admin, and is removed', async () => {
    await owner.go('members');
    await owner.follow('Invite a member');
    await owner.fill({ 'E-mail': 'bo@example.com' });
    await owner.press('Create the link');
    const link = await boxed('Invitation link');
    await owner.follow('I have copied it');
    expect(await owner.rows('Invitations')).toEqual([['bo@example.com', 'member', expect.stringMatching(/^\d{4}-/)]]);

    const bo = await openVisitor(browser, gateway.baseUrl);
    visitors.push(bo);
    await bo.page.goto(link);
    await bo.fill({ Password: 'four words in a row' });
    await bo.press('Join');
    const hidden = ['Vendor Bills', 'Identity', 'Audit Log', 'All Accounts'];
    expect(await menuOf(bo)).toEqual((await menuOf(owner)).filter((title) => !hidden.includes(title)));
    await bo.go('keys');
    expect(await bo.page.getByText('There are no keys yet').isVisible()).toBe(true);
    expect([await bo.go('audit'), await bo.go('members/invite'), await bo.go('accounts')]).toEqual([403, 403, 403]);
    expect(await bo.heading()).toBe('Not allowed');
    await bo.go('keys/new');
    expect(await bo.page.getByLabel('Admin key').count()).toBe(0);

    await owner.go('members');
    await owner.follow('Change role of bo@example.com');
    await owner.page.getByLabel('Role').selectOption('admin');
    await owner.press('Save');
    expect(await owner.notice()).toBe('The role was changed.');
    expect(await bo.go('audit')).toBe(200);

    await owner.follow('New password for bo@example.com');
    await owner.press('Create the link');
    const forgotten = await boxed('Password link');
    await owner.follow('I have copied it');
    const elsewhere = await openVisitor(browser, gateway.baseUrl);
    visitors.push(elsewhere);
    await elsewhere.page.goto(forgotten);
    expect(await elsewhere.page.getByLabel('Also disconnect applications').isChecked()).toBe(true);
    await elsewhere.fill({ Password: 'four other words now' });
    await elsewhere.press('Save and sign in');
    expect(await elsewhere.go('audit')).toBe(200);
    await elsewhere.go('members');
    await elsewhere.follow('Leave');
    expect(await elsewhere.page.getByLabel('Keep the keys you created').isChecked()).toBe(false);
    await bo.go('audit');
    expect(await bo.page.title()).toBe('Sign in · Tallyport');

    await owner.follow('Remove bo@example.com');
    await owner.press('Remove');
    expect(await owner.rows('Members')).toEqual([
      [`${email} you`, 'owner', lately(), expect.stringMatching(/^\$/), expect.stringMatching(/^\$/)],
    ]);
    await elsewhere.page.goto(`${gateway.baseUrl}/dashboard`);
    await elsewhere.fill({ 'E-mail': 'bo@example.com', Password: 'four other words now' });
    await elsewhere.press('Sign in');
    expect(await elsewhere.page.getByRole('heading').textContent()).toBe('You are not a member of any account');
  });

  test('creates an OAuth client, which gets a token until it is deleted', async () => {
    await owner.go('oauth-clients');
    await owner.follow('Create a client');
    await owner.fill({ Name: 'reports', 'Redirect addresses': 'http://example.com/callback' });
    await owner.press('Create the client');
    expect(await wrongAt('Redirect addresses')).toBe('Line 1: Must begin with https://.');
    await owner.fill({ 'Redirect addresses': '' });
    await owner.press('Create the client');
    const [id, secret] = [await boxed('Client id'), await boxed('Client secret')];
    const askForToken = () =>
      fetch(`${gateway.baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: `${gateway.baseUrl}/mcp` }),
      });
    expect((await askForToken()).status).toBe(200);
    await owner.follow('I have copied it');
    expect(await owner.rows('OAuth clients')).toEqual([['reports', id, 'none', lately(), 'never']]);
    await owner.follow('Delete reports');
    await owner.press('Delete the client');
    expect((await askForToken()).status).toBe(401);
  });

  test('operators set limits and budget of an account, and create and suspend accounts', async () => {
    await owner.go('account');
    await owner.fill({ Amount: '100', 'Chat requests': '120' });
    await owner.press('Save');
    expect(await owner.page.getByText('of $100 per month spent').isVisible()).toBe(true);
    await owner.fill({ Amount: 'much' });
    await owner.press('Save');
    expect(await wrongAt('Amount')).toBe('Must be an amount in dollars, for example "25" or "0.50".');
    await owner.go('accounts/new');
    await owner.fill({ Name: 'research' });
    await owner.press('Create the account');
    await owner.follow('Suspend research');
    await owner.press('Suspend the account');
    const states = async () => (await owner.rows('Accounts')).map(([name, state]) => [name?.split(' ')[0], state]);
    expect(await states()).toEqual([
      ['Default', 'active'],
      ['research', 'suspended'],
    ]);
    await owner.press('Resume research');
    expect((await states())[1]).toEqual(['research', 'active']);
    await owner.follow('research');
    expect(
      await owner.page.getByRole('navigation', { name: 'Dashboard' }).getByText('research').first().isVisible(),
    ).toBe(true);
  });

  test('shows the audit log page by page', async () => {
    await owner.go('audit');
    const [newest] = await owner.rows('Audit log');
    expect(newest?.slice(0, 4)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      email,
      'account changed',
      'Default',
    ]);
    const entry = { account_id: 'default', actor: 'operator', action: 'key.changed', subject: 'key_of_then' };
    await gateway.database.kysely
      .insertInto('audit_log')
      .values(Array.from({ length: 50 }, () => entry))
      .execute();
    await owner.go('audit');
    expect(new Set((await owner.rows('Audit log')).map(([, who]) => who))).toEqual(new Set(['operator']));
    // Its frame scrolls: the head stays, and so does the menu when the page scrolls.
    const region = owner.page.getByRole('region', { name: 'Audit log' });
    await region.evaluate((frame) => frame.scrollTo(0, 500));
    const topOf = async (of: typeof region): Promise<number> => Math.round((await of.boundingBox())?.y ?? -1);
    const head = owner.page.getByRole('columnheader', { name: 'Time' });
    expect((await topOf(head)) - (await topOf(region))).toBeLessThanOrEqual(2);
    expect(await topOf(owner.page.getByRole('row').nth(1))).toBeLessThan(await topOf(region));
    await owner.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await topOf(owner.page.getByRole('navigation', { name: 'Dashboard' }))).toBeGreaterThanOrEqual(0);
    await owner.follow('Older');
    expect((await owner.rows('Audit log'))[0]).toEqual(newest);
    expect(await owner.page.content()).not.toMatch(/sk-tp-\w{20}/);
  });

  test('shows the audit log between two times, with names, and as CSV', async () => {
    const subject = 'alert_0123456789abcdef0123456789abcdef';
    const entries = ['2026-01-02T10:00:00Z', '2026-01-02T11:00:00Z', '2026-01-02T12:00:00Z'].map((at, hour) => ({
      account_id: 'default',
      actor: 'operator',
      action: 'alert.changed',
      subject,
      at: new Date(at),
      detail: JSON.stringify({ ...(hour === 0 && { name: '<i>night</i>' }), other: subject, address: '192.0.2.7' }),
    }));
    await gateway.database.kysely.insertInto('audit_log').values(entries).execute();
    await owner.go('audit?zone=UTC&from=2026-01-02T10:30&to=2026-01-02T11:30');
    expect(await owner.rows('Audit log')).toEqual([
      ['2026-01-02 11:00 UTC', 'operator', 'alert changed', '<i>night</i>', '192.0.2.7', 'other <i>night</i>'],
    ]);
    expect(await owner.page.getByLabel('From').inputValue()).toBe('2026-01-02T10:30');
    const href = await owner.page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href');
    const csv = await (await owner.page.request.get(new URL(href ?? '', gateway.baseUrl).toString())).text();
    expect(csv.trimEnd().split('\r\n')).toEqual([
      'at,actor,actor_name,action,subject,subject_name,address,detail',
      `2026-01-02T11:00:00.000Z,operator,,alert.changed,${subject},<i>night</i>,192.0.2.7,"{""other"":""${subject}""}"`,
    ]);
    await owner.go(`audit?from=${'x'.repeat(500)}`);
    await owner.page.getByRole('alert').getByText('Choose a beginning that is before the end').waitFor();
  });

  test('refuses a form without the CSRF token of the session', async () => {
    const person = await signedIn(gateway);
    const page = await person.open('/dashboard/default/keys/new');
    // Skip the sign-out form at the top of the page.
    const form = { ...page, text: page.text.slice(page.text.indexOf('<main')) };
    const refused = await person.submit(form, { name: 'stolen', csrf_token: 'guessed' });
    expect([refused.status, refused.url]).toEqual([403, page.url]);
    const stolen = gateway.database.kysely.selectFrom('api_keys').select('id').where('name', '=', 'stolen');
    expect(await stolen.execute()).toEqual([]);
    expect((await person.submit(form, { name: 'stolen' })).status).toBe(200);
    expect(await stolen.execute()).toHaveLength(1);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; /,
      ),
    });
  });

  test('returns 404 for accounts of others, and redirects to sign-in without a session', async () => {
    const stranger = await openVisitor(browser, gateway.baseUrl);
    visitors.push(stranger);
    await stranger.go('keys');
    expect(stranger.page.url()).toBe(
      `${gateway.baseUrl}/sign-in?${new URLSearchParams({ next: '/dashboard/default/keys' }).toString()}`,
    );
    const response = await owner.page.goto(`${gateway.baseUrl}/dashboard/no-such-account/keys`);
    expect(response?.status()).toBe(404);
  });

  test('a key, the question before it is revoked, and a form with a fault pass the checks of axe', async () => {
    // The content security policy allows no scripts, so it is bypassed for the checks.
    const watcher = await openOwner(browser, gateway.baseUrl, { bypassCSP: true, javaScriptEnabled: true });
    visitors.push(watcher);
    const { page } = watcher;
    const found: string[] = [];
    const checkPage = async (): Promise<void> => {
      const title = await page.title();
      await page.emulateMedia({ colorScheme: 'light' });
      const wrong = await complaints(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...[...wrong, ...(await complaints(page, ['color-contrast']))].map((text) => `${title}: ${text}`));
    };
    await watcher.go('keys');
    await takePicture(page, 'dashboard-keys');
    await watcher.follow('local');
    await checkPage();
    await watcher.follow('Revoke');
    await checkPage();
    await watcher.go('keys/new');
    await watcher.fill({ Name: 'x', Addresses: 'nonsense' });
    await watcher.press('Create the key');
    await checkPage();
    expect(found).toEqual([]);
  });
});
