import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { addDemoDay } from '../../services/ledger-svc/src/demo-data/add-demo-day.ts';
import { prepareDemo } from '../../services/ledger-svc/src/demo-data/prepare-demo.ts';
import { createLedger } from '../../services/ledger-svc/src/usage/keep-ledger.ts';
import { silentLedger } from '../../services/ledger-svc/src/usage/testing/silent-ledger.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { openOwner, type Visitor } from './visitor.ts';

/** The table of the tasks in the documents, with the clicks of each. */
const table = [...readFileSync('docs/dashboard.md', 'utf8').matchAll(/^\| (.+?) +\| yes +\| (\d) +\|/gm)].map(
  ([, task = '', clicks]) => [task, Number(clicks)] as const,
);

/** Counts the clicks of a person who begins at Overview. */
interface Walk extends Pick<Visitor, 'page' | 'heading'> {
  clicks: number;
  link(name: string | RegExp): Promise<void>;
  button(name: string): Promise<void>;
  fill: Visitor['fillExactly'];
  /** A choice of a list is two clicks. */
  choose(label: string, option: string): Promise<void>;
}

function walkOf({ page, heading, fillExactly }: Visitor): Walk {
  const click = async (role: 'link' | 'button', name: string | RegExp): Promise<void> => {
    walk.clicks += 1;
    await page
      .getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) })
      .first()
      .click();
    await page.waitForLoadState();
  };
  const walk: Walk = {
    page,
    heading,
    fill: fillExactly,
    clicks: 0,
    link: (name) => click('link', name),
    button: (name) => click('button', name),
    async choose(label, option) {
      walk.clicks += 2;
      await page.getByLabel(label, { exact: true }).selectOption(option);
    },
  };
  return walk;
}

const isShown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** The way of each task, as the table has it. */
const ways: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  async 'find out why a request failed over'({ page, link }) {
    await link('Rescued by failover');
    await link(/^\d{4}-\d\d-\d\d /);
    expect(await page.getByRole('table', { name: /Offers|Attempts/ }).count()).toBe(1);
  },
  async 'see what a key cost this month'({ page, link }) {
    await link('API Keys');
    const row = page.getByRole('row').filter({ hasText: 'code review' });
    expect(await row.locator('[data-title="This month"]').textContent()).toMatch(/\$\d/);
  },
  async 'find the model that got slower since yesterday'({ page, link }) {
    await link('Latency p95');
    expect(await page.getByRole('table', { name: 'Usage by model' }).locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await page.locator('.chooser [aria-current]').allTextContents()).toContain('Growth of p95');
  },
  async 'create a key with a budget'({ page, link, button, fill }) {
    await link('API Keys');
    await link('Create a key');
    await fill({ Name: 'checkout' });
    await page.getByLabel('Amount').first().fill('25');
    await button('Create the key');
    expect(await page.getByRole('region', { name: 'Your key' }).textContent()).toMatch(/^sk-tp-/);
  },
  async 'invite a member'({ page, link, button, fill }) {
    await link('Members');
    await link('Invite a member');
    await fill({ 'E-mail': 'bo@example.com' });
    await button('Create the link');
    expect(await page.getByRole('region', { name: 'Invitation link' }).textContent()).toMatch(/^http/);
  },
  async 'revoke a key'({ page, link, button }) {
    await link('API Keys');
    await link('Revoke experiments');
    await button('Revoke the key');
    expect(await page.getByRole('status').first().textContent()).toMatch(/revoked/);
  },
  async 'add an own key at a provider'({ page, link, button, fill }) {
    await link('Provider Keys');
    await link('Add a key');
    await fill({ Provider: 'mistral', Label: 'research', Key: 'a-key-of-research-1234' });
    await button('Add the key');
    await page.getByRole('button', { name: /^Test / }).waitFor();
  },
  async 'register an MCP server'({ page, link, button, fill }) {
    await link('MCP Servers');
    await link('Add a server');
    await fill({ Name: 'docs', URL: 'https://docs.example/mcp' });
    await button('Add the server');
    await page.getByRole('cell', { name: 'https://docs.example/mcp' }).waitFor();
  },
  async 'add a guardrail and test it'(walk) {
    const { page, link, button, fill } = walk;
    await link('Guardrails');
    await link('Edit the rules');
    walk.clicks += 1;
    await page.getByRole('radiogroup', { name: 'E-mail addresses: requests' }).getByLabel('redact').check();
    await fill({ Text: 'Mail ada@example.com' });
    await button('Try these rules');
    await isShown(page, /The text passes with placeholders/);
    await button('Save');
    await isShown(page, 'The rules were changed.');
  },
  async 'create an alert and see it fire'({ page, link, button, fill }) {
    await link('Budgets and Alerts');
    await link('A key expires');
    await fill({ Name: 'rotate', Webhook: 'https://pager.example/' });
    await button('Create the alert');
    const overview = page.url().replace(/\/default\/.*/, '/default/overview');
    const firing = page.getByRole('link', { name: 'Budgets and Alerts 1 firing' });
    const isFiring = () => page.goto(overview).then(() => firing.count());
    await expect.poll(isFiring, { interval: 500 }).toBe(1);
  },
  async 'compare three models in two turns'({ page, link, choose }) {
    await link('Playground');
    await page.getByLabel('Model', { exact: true }).selectOption('sandbox-chat');
    await choose('Second model', 'sandbox-fast');
    await choose('Third model', 'sandbox-reasoner');
    for (const turn of [1, 2]) {
      await page.getByLabel('Message').fill(`Which is turn ${turn}?`);
      await page.keyboard.press('Control+Enter');
      for (const model of ['sandbox-chat', 'sandbox-fast', 'sandbox-reasoner'])
        await page
          .getByRole('region', { name: `Answer ${turn} of ${model}` })
          .locator('dl')
          .waitFor();
    }
    expect(await page.getByText(/^Against sandbox-chat: /).count()).toBe(4);
  },
  async 'explain a route, and find the weights that change it'({ page, link, fill }) {
    await link('Routing');
    await fill({ Model: 'sandbox-chat' });
    await page.keyboard.press('Enter');
    await isShown(page, 'sandbox-a');
    await page.getByRole('button', { name: 'Save the weights' }).waitFor();
    await isShown(page, /ROUTING_\w+_WEIGHT/);
  },
  async 'download the usage as CSV'(walk) {
    await walk.link('Analytics');
    walk.clicks += 1;
    const download = walk.page.waitForEvent('download');
    await walk.page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^requests.*\.csv$/);
  },
  async 'find an entry of the audit log'({ page, link }) {
    await link('Audit Log');
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('legacy importer');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=legacy/);
    expect(await page.getByRole('table').locator('tbody tr').count()).toBe(1);
  },
  async 'open the public status page'({ heading, link }) {
    await link('Status page');
    expect(await heading()).toMatch(/status|providers/i);
  },
};

describe('the tasks of a person who runs a platform', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway({ STATUS_PAGE: 'true' }), startChromium()]);
    const { database } = gateway;
    const ledger = createLedger(database, { retentionDays: 90, events: silentLedger });
    const { accountId } = await prepareDemo(database);
    for (const daysAgo of [0, 1])
      await addDemoDay({ database, ledger, now: new Date() }, { accountId, seed: 1, daysAgo });
    await createKey(database, operator, {
      name: 'legacy importer',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    owner = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  test('are those of the table, with a median of three clicks', () => {
    expect(table.map(([task]) => task)).toEqual(Object.keys(ways));
    const clicks = table.map(([, count]) => count).toSorted((one, other) => one - other);
    expect(clicks[7]).toBeLessThanOrEqual(3);
  });

  test.each(table)('one can %s with %i clicks', async (task, clicks) => {
    await owner.go('overview');
    const walk = walkOf(owner);
    await ways[task]?.(walk);
    expect(walk.clicks).toBe(clicks);
  });
});
