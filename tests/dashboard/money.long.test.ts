import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { sql } from '@tallyport/database';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../services/ledger-svc/src/alerts/testing/open-receiver.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { afterTurnOf, dayMs } from '../support/turn-of.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/ledger-svc/src/alerts.

const ownKey = 'sk-the-account-s-own-key-4711';
const monthly = { amount: '40', period: 'month' };

describe('the pages about money', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let receiver: Receiver;
  let vendor: Simulator;
  let owner: Visitor;
  let adminKey: string;

  beforeAll(async () => {
    vendor = await startSimulator({ chunksPerSecond: 0, apiKeys: [ownKey] });
    const settings = { ALLOW_LOCAL_TARGETS: 'true', OPENAI_BASE_URL: vendor.url + basePathOf('openai') };
    [gateway, browser, receiver] = await Promise.all([startOneOAuthGateway(settings), startChromium(), openReceiver()]);
    owner = await openOwner(browser, gateway.baseUrl);
    adminKey = await makeAdminKey();
    await call('PATCH', '/account', { budget: monthly });
    await call('POST', '/projects', { name: 'search', budget: { amount: '10', period: 'week' } });
    await call('POST', '/keys', { name: 'checkout service', budget: { amount: '25', period: 'month' } });
    await call('POST', '/keys', { name: 'nightly reports', budget: { amount: '2', period: 'day' } });
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
    await gateway?.stop();
    await vendor?.close();
  });

  async function makeAdminKey(): Promise<string> {
    await owner.go('keys/new');
    await owner.fill({ Name: 'admin' });
    await owner.page.getByLabel('Admin key').check();
    await owner.press('Create the key');
    return (await owner.page.getByRole('region', { name: 'Your key' }).textContent()) ?? '';
  }

  /** Calls the management API. */
  async function call(
    method: string,
    path: string,
    body: object,
  ): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- tests compare it with what they expect */ {
    const response = await fetch(`${gateway.baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    expect([response.ok, answer]).toEqual([true, expect.anything()]);
    return answer;
  }

  async function spend(keyName: string, cost: string): Promise<void> {
    const { kysely } = gateway.database;
    const { id } = await kysely
      .selectFrom('api_keys')
      .select('id')
      .where('name', '=', keyName)
      .executeTakeFirstOrThrow();
    const counts = ['requests', 'failed', 'cached', 'unpriced', 'images', 'duration_ms'];
    const tokens = ['input', 'cache_read', 'cache_write', 'output', 'reasoning', 'image_in', 'image_out'];
    const row = {
      account_id: 'default',
      key_id: id,
      model: 'm',
      provider: 'p',
      own_key: false,
      at: new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000),
      cost,
      ...Object.fromEntries([...counts, ...tokens.map((name) => `${name}_tokens`)].map((name) => [name, 0])),
    };
    await kysely.withTables<{ usage_days: Record<string, unknown> }>().insertInto('usage_days').values(row).execute();
  }

  const secret = async (): Promise<string> =>
    (await owner.page.getByRole('region', { name: 'Secret of the webhook' }).textContent()) ?? '';

  test('show what was spent of each budget, and find a key', async () => {
    await afterTurnOf(dayMs);
    await spend('checkout service', '21.5');
    await spend('nightly reports', '0.4');
    await owner.go('budgets');
    expect(await owner.rows('Budgets')).toEqual([
      ['Default the whole account', '$21.90 of $40 per month (54 %)', '$18.10', expect.stringMatching(/^2/)],
      ['search a project', '$0 of $10 per week (0 %)', '$10.00', expect.stringMatching(/^2/)],
      ['checkout service a key', '$21.50 of $25 per month (86 %)', '$3.50', expect.stringMatching(/^2/)],
      ['nightly reports a key', '$0.40 of $2 per day (20 %)', '$1.60', expect.stringMatching(/^2/)],
    ]);
    await owner.page.getByRole('link', { name: 'search', exact: true }).click();
    expect(await owner.heading()).toBe('search');
    await owner.go('budgets');
    await owner.page.getByRole('searchbox').fill('NIGHT');
    await owner.press('Search');
    expect((await owner.rows('Budgets')).map(([name]) => name)).toEqual(['nightly reports a key']);
  });

  test('create an alert, which fires, and test it', async () => {
    await owner.go('budgets');
    await owner.follow('A budget is nearly spent');
    await owner.fill({ Name: 'spend', 'Part that is spent': '200', Webhook: receiver.url });
    const choices = await owner.page.getByLabel('Budget of').getByRole('option').allTextContents();
    expect(choices.slice(0, 4)).toEqual(['the account', 'each project', 'the project search', 'each key']);
    await owner.page.getByLabel('Budget of').selectOption({ label: 'each key' });
    await owner.press('Create the alert');
    expect(await owner.page.getByLabel('Part that is spent').getAttribute('aria-invalid')).toBe('true');
    await owner.fill({ 'Part that is spent': '80' });
    await owner.press('Create the alert');
    expect(await secret()).toMatch(/^whsec_/);
    await takePicture(owner.page, 'dashboard-alert-secret');
    await owner.follow('I have copied it');
    await expect.poll(() => receiver.received.length, { interval: 500 }).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'alert.fired',
      data: { subject: { name: 'checkout service' }, value: 86 },
    });
    await owner.go('budgets');
    const { host } = new URL(receiver.url);
    expect(await owner.rows('Alerts')).toEqual([
      ['spend', '80 % of the budget of a key is spent', 'firing checkout service', host],
    ]);

    const { links } = JSON.parse(receiver.received[0]?.body ?? '').data;
    await owner.page.goto(links.console);
    expect(await owner.heading()).toBe('checkout service');
    const counted = owner.page.getByRole('link', { name: 'Budgets and Alerts 1 firing' });
    expect((await owner.page.goto(links.requests))?.status()).toBe(200);
    expect(await counted.isVisible()).toBe(true);
    await owner.go('budgets');

    receiver.answerWith(500);
    await owner.page.getByRole('button', { name: 'Test spend' }).click();
    expect(await owner.notice()).toMatch(/^The test was sent/);
    expect((await owner.rows('History of alerts')).map(([alert, _time, ...rest]) => [alert, ...rest])).toEqual([
      [
        'spend',
        'test This is a test of the alert spend. Nothing has happened.',
        `failed ${host} The receiver answered with status 500. (1 attempt)`,
      ],
      ['spend', 'fired The key checkout service has spent 86 % of its budget (alert at 80 %).', `delivered ${host}`],
    ]);
  });

  test('change, disable and delete an alert', async () => {
    await owner.go('alerts/new/provider_uptime');
    await owner.fill({
      Name: 'mistral',
      'Calls that succeed, less than': '99.5',
      Provider: 'mistral',
      Webhook: receiver.url,
    });
    await owner.press('Create the alert');
    await owner.follow('I have copied it');
    await owner.follow('mistral');
    expect(await owner.page.getByLabel('Calls that succeed, less than').inputValue()).toBe('99.5');
    await owner.fill({ Provider: '', 'Period in hours': '6' });
    await owner.press('Save');
    expect(await owner.notice()).toBe('The alert was changed.');
    await owner.follow('mistral');
    await owner.page.getByLabel('Message format').selectOption({ label: 'Slack' });
    await owner.press('Save');
    const before = receiver.received.length;
    await owner.page.getByRole('button', { name: 'Test mistral' }).click();
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect(Object.keys(JSON.parse(receiver.received.at(-1)?.body ?? '{}'))).toEqual(['text', 'blocks']);
    await owner.go('budgets');
    const text = 'Less than 99.5 % of the calls of a provider succeed in 6 hours';
    const row = async () => (await owner.rows('Alerts')).find(([name]) => name === 'mistral')?.slice(1, 3);
    expect(await row()).toEqual([text, 'quiet']);
    await owner.page.getByRole('button', { name: 'Disable mistral' }).click();
    expect(await row()).toEqual([text, 'disabled']);
    await owner.page.getByRole('link', { name: 'Delete mistral' }).click();
    await owner.press('Delete the alert');
    expect(await row()).toBeUndefined();
  });

  test('an alert on a key that is older than those offered keeps watching it, and others are found by a search', async () => {
    const { kysely } = gateway.database;
    await sql`insert into api_keys (id, account_id, name, is_admin, prefix, key_hash, created_at)
      select 'key_many_' || n, 'default', 'worker ' || n, false, 'sk-tp-' || n, encode(sha256(n::text::bytea), 'hex'),
        now() + interval '1 second'
      from generate_series(1, 200) as n`.execute(kysely);
    const idOf = async (name: string) =>
      (await kysely.selectFrom('api_keys').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
    const condition = { type: 'key_expiry', days: 14, key: await idOf('nightly reports') };
    const { id } = await call('POST', '/alerts', { name: 'watched', condition, webhook: { url: receiver.url } });
    const watched = async () =>
      (await kysely.selectFrom('alerts').select('condition').where('id', '=', id).executeTakeFirstOrThrow()).condition;
    await owner.go(`alerts/${id}`);
    await owner.press('Save');
    expect(await watched()).toEqual(condition);

    await owner.go(`alerts/${id}`);
    await owner.page.getByRole('searchbox').fill('checkout');
    await owner.press('Search');
    const key = owner.page.getByLabel('Key', { exact: true });
    expect(await key.getByRole('option').allTextContents()).toEqual([
      'each key',
      'the key nightly reports',
      'the key checkout service',
    ]);
    await owner.press('Save');
    expect(await watched()).toEqual(condition);
    await owner.go(`alerts/${id}?q=checkout`);
    await key.selectOption({ label: 'the key checkout service' });
    await owner.fill({ Name: '' });
    await owner.press('Save');
    await owner.fill({ Name: 'watched' });
    await owner.press('Save');
    await expect.poll(watched).toEqual({ ...condition, key: await idOf('checkout service') });
    await kysely.deleteFrom('api_keys').where('id', 'like', 'key_many_%').execute();
  });

  test('add and test a provider key, and show a refused one as refused', async () => {
    await owner.go('provider-keys/new');
    await owner.fill({ Provider: 'OpenAI', Label: 'team research', Key: ownKey });
    await owner.press('Add the key');
    expect((await owner.rows('Provider keys')).map(([, ...cells]) => cells)).toEqual([
      ['team research', '…4711', 'enabled', 'never', 'none'],
    ]);
    await owner.page.getByRole('button', { name: 'Test openai team research' }).click();
    expect(await owner.page.getByRole('status').textContent()).toMatch(/^The key works: \S+ answered\.$/);
    await takePicture(owner.page, 'dashboard-provider-key-test');
    await owner.follow('Back to the keys');
    expect((await owner.rows('Provider keys'))[0]?.slice(3, 5)).toEqual(['enabled', expect.stringMatching(/UTC$/)]);
    await gateway.database.kysely
      .updateTable('provider_keys')
      .set({ last_error: 'own_key_refused', last_error_at: new Date(Date.now() + 60_000) })
      .execute();
    await owner.go('provider-keys');
    expect((await owner.rows('Provider keys'))[0]?.slice(3)).toEqual([
      'refused',
      expect.stringMatching(/UTC$/),
      expect.stringMatching(/^refused by the provider 2/),
    ]);
  });

  test('can be used with the keyboard only', async () => {
    await call('POST', '/alerts', {
      name: 'expiry',
      condition: { type: 'key_expiry', days: 14 },
      webhook: { url: receiver.url },
    });
    await owner.go('budgets');
    await pressTabUntil(owner.page, 'Delete expiry');
    await owner.page.keyboard.press('Enter');
    await owner.page.waitForURL(/\/delete$/);
    await pressTabUntil(owner.page, 'Delete the alert');
    await owner.page.keyboard.press('Enter');
    expect(await owner.notice()).toBe('The alert was deleted. Its history stays.');
  });
});

/** Moves the focus with the tab key to the control with this name. */
async function pressTabUntil(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    if ((await focused.getAttribute('aria-label')) === name || (await focused.textContent())?.trim() === name) return;
  }
  throw new Error(`No tab stop is named ${name}.`);
}
