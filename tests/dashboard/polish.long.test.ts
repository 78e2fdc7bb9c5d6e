import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { email, type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src.

describe('what all pages of the dashboard share', () => {
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

  const open = async (options?: Parameters<typeof openOwner>[2]): Promise<Visitor> => {
    const visitor = await openOwner(browser, gateway.baseUrl, options);
    visitors.push(visitor);
    return visitor;
  };

  test('shows times in the chosen zone, and names it', async () => {
    await owner.go('audit');
    const inUtc = owner.page.locator('td time').first();
    const iso = (await inUtc.getAttribute('datetime')) ?? '';
    expect(await inUtc.textContent()).toBe(`${iso.slice(0, 16).replace('T', ' ')} UTC`);
    await owner.follow('Times in UTC');
    await owner.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await owner.press('Save');
    expect(await owner.notice()).toBe('Times are now shown in this zone.');
    await owner.follow('Times in Asia/Tokyo');
    expect(await owner.page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await owner.go('audit');
    const there = new Date(Date.parse(iso) + 9 * 3_600_000).toISOString();
    expect(await owner.page.locator(`td time[datetime="${iso}"]`).first().textContent()).toBe(
      `${there.slice(0, 16).replace('T', ' ')} UTC+9`,
    );
    await owner.go('time-zone');
    await owner.page.getByLabel('Time zone').selectOption('UTC');
    await owner.press('Save');
  });

  test('the audit log keeps its other filters when one changes', async () => {
    await owner.go('audit?zone=UTC&from=2026-01-02T10:30&to=2026-01-02T11:30');
    const parameters = () => Object.fromEntries(new URL(owner.page.url()).searchParams);
    const between = { from: '2026-01-02T10:30:00.000Z', to: '2026-01-02T11:30:00.000Z' };
    await owner.follow('Sign-ins');
    await owner.fill({ 'Search the audit log': 'xyz' });
    await owner.press('Search');
    expect(parameters()).toEqual({ ...between, kind: 'session', q: 'xyz' });
    await owner.follow('All time');
    expect(parameters()).toEqual({ kind: 'session', q: 'xyz' });
    await owner.follow('24 hours');
    expect(parameters()).toEqual({ period: '24h', kind: 'session', q: 'xyz' });
  });

  test('offers the zone of the browser first', async () => {
    const person = await open({ javaScriptEnabled: true, timezoneId: 'America/New_York' });
    await person.go('time-zone');
    await person.page.getByLabel('Time zone').selectOption({ label: 'This browser’s: America/New York' });
    await person.press('Save');
    await person.page.getByRole('link', { name: 'Times in America/New York' }).waitFor();
  });

  test('Ctrl-K jumps to a screen, a key or a request with the keyboard alone', async () => {
    const requestId = 'req_to_jump_to';
    await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
      },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    const person = await open({ javaScriptEnabled: true });
    await person.go('members');
    const places = person.page.getByRole('option');
    await person.page.keyboard.press('Control+K');
    await expect.poll(() => places.allInnerTexts()).toContain('Audit Log\nScreen');
    await person.page.keyboard.type('audit');
    await expect.poll(() => places.allInnerTexts()).toEqual(['Audit Log\nScreen']);
    await person.page.keyboard.press('Enter');
    await person.page.waitForURL('**/audit');

    await person.page.keyboard.press('Control+K');
    await person.page.keyboard.type('no such thing');
    await person.page.getByText('Nothing has this name or id.').waitFor();
    await person.page.keyboard.press('Escape');
    expect(await person.page.getByRole('dialog').count()).toBe(0);

    await person.page.getByRole('link', { name: 'Jump to…' }).click();
    await person.page.getByRole('combobox').fill(requestId);
    await expect.poll(() => places.allInnerTexts()).toEqual([expect.stringMatching(/^req_to_jump_to\nRequest, /)]);
  });

  test('Ctrl-K leads to models, members and actions, and asks before it revokes a key', async () => {
    const person = await open({ javaScriptEnabled: true });
    await person.go('keys/new');
    await person.fill({ Name: 'key to <i>revoke</i>' });
    await person.press('Create the key');
    await person.go('overview');
    const places = person.page.getByRole('dialog').getByRole('option');
    const find = async (text: string, expected: string) => {
      await person.page.keyboard.press('Control+K');
      await person.page.getByRole('combobox', { name: 'Jump to' }).fill(text);
      await expect.poll(async () => (await places.allInnerTexts())[0]).toEqual(expected);
      await person.page.keyboard.press('Enter');
    };
    await find('sandbox-fast', 'Sandbox Fast\nModel, sandbox-fast');
    await person.page.waitForURL('**/models/sandbox-fast');
    await find('invite member', 'Invite a member\nAction');
    await person.page.waitForURL('**/members/invite');
    await find(email, `${email}\nMember, owner`);
    await person.page.waitForURL(/\/members\/(?!invite)/);
    await find('revoke to', expect.stringMatching(/^Revoke key to <i>revoke<\/i>\nAction, \S+…$/) as string);
    await person.page.getByRole('heading', { name: 'Revoke key to <i>revoke</i>?' }).waitFor();
  });

  test('jumps without scripts, too', async () => {
    await owner.go('keys');
    await owner.follow('Jump to…');
    await owner.page.getByRole('searchbox', { name: 'Jump to' }).fill('provider');
    await owner.press('Search');
    expect(await owner.page.getByRole('main').getByRole('listitem').allInnerTexts()).toContain('Provider Keys Screen');
  });

  test('keeps no secret on the page of a session that ended', async () => {
    const person = await open();
    await person.go('provider-keys/new');
    await person.fill({ Provider: 'mistral', Label: 'research', Key: 'secret-of-research-1234' });
    await person.page.context().clearCookies();
    await person.press('Add the key');
    expect(await person.page.getByRole('heading').textContent()).toBe('Your session has ended');
    expect(await person.page.getByText('Secrets are not kept. Enter again: Key.').isVisible()).toBe(true);
    const content = await person.page.content();
    expect([content.includes('research'), content.includes('secret-of-research')]).toEqual([true, false]);
  });
});
