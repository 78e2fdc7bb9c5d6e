import type { StoredReconciliation } from '@tallyport/management';
import { sql } from '@tallyport/database';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../support/probe.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { adminKey, hostileName, map, startBilledGateway, today } from '../reconcile/billed-gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/ledger-svc/src/reconcile.

describe('the pages about vendor bills', () => {
  let billed: Awaited<ReturnType<typeof startBilledGateway<OAuthGateway>>>;
  let browser: Browser;
  let owner: Visitor;
  beforeAll(async () => {
    [billed, browser] = await Promise.all([startBilledGateway(startOneOAuthGateway), startChromium()]);
    owner = await openOwner(browser, billed.gateway.baseUrl);
    await untilPasses(async () => expect(await countOfRecords()).toBe(2));
  });
  afterAll(async () => {
    await browser?.close();
    await billed?.stop();
  });

  const countOfRecords = async (): Promise<number> => {
    const { kysely } = billed.gateway.database;
    const { rows } = await sql<{ count: string }>`select count(*) from usage_records`.execute(kysely);
    return Number(rows[0]?.count);
  };

  async function fillPeriod(vendor: string): Promise<void> {
    await owner.page.getByRole('combobox', { name: 'Vendor' }).fill(vendor);
    for (const label of ['From', 'To']) await owner.page.getByLabel(label, { exact: true }).fill(today);
  }

  test('a refused key is a problem of its field, and is not shown again', async () => {
    await owner.go('reconciliations');
    await owner.follow('Compare with a bill');
    await takePicture(owner.page, 'reconciliation-form');
    await fillPeriod('openai');
    await owner.fill({ 'Admin key': 'sk-wrong-key' });
    await owner.press('Compare');
    const key = owner.page.getByLabel('Admin key');
    expect([await key.getAttribute('aria-invalid'), await key.inputValue()]).toEqual(['true', '']);
    expect(await owner.page.getByText('OpenAI refused the key.').count()).toBe(1);
    expect(await owner.page.content()).not.toContain('sk-wrong-key');
    expect(await owner.page.getByLabel('From', { exact: true }).inputValue()).toBe(today);
  });

  test('a comparison names the reason of each difference', async () => {
    await owner.go('reconciliations/new');
    await fillPeriod('openai');
    await owner.page.getByLabel('Usage of').selectOption('installation');
    await owner.fill({ 'Admin key': adminKey, Names: JSON.stringify(map) });
    await owner.press('Compare');
    expect(await owner.heading()).toBe(`openai, ${today}`);
    expect(await owner.page.getByText('what all accounts used with the keys of the installation').count()).toBe(1);
    expect(await owner.rows('Reasons')).toEqual([
      ['traffic that did not pass the gateway', '$0.373456789'],
      ['a service tier that the ledger did not bill', expect.stringMatching(/^\$0\.\d+$/)],
    ]);
    const rows = await owner.rows('Rows that differ most');
    expect(rows.find(([, model]) => model === hostileName)).toEqual([
      today,
      hostileName,
      'input',
      expect.any(String),
      '$0',
      '$0.123456789',
      '$0.123456789',
      'traffic that did not pass the gateway',
    ]);
    expect(await owner.page.locator('main img').count()).toBe(0);
    expect(owner.page.url() + (await owner.page.content())).not.toContain(adminKey);
    await takePicture(owner.page, 'reconciliation');
  });

  test('the result can be downloaded as JSON, and is in the list', async () => {
    const link = owner.page.getByRole('link', { name: 'Download as JSON' });
    expect(await link.getAttribute('download')).toBe(`openai-${today}-${today}.json`);
    const response = await owner.page.request.get(
      new URL((await link.getAttribute('href')) ?? '', owner.page.url()).href,
    );
    const result = (await response.json()) as StoredReconciliation;
    expect(result).toMatchObject({
      vendor: 'openai',
      scope: 'installation',
      reasons: { outside_gateway: '0.373456789' },
    });
    await owner.go('reconciliations');
    const [newest] = await owner.rows('Comparisons');
    expect([newest?.[0], newest?.[2]]).toEqual([`openai ${today}`, 'the installation']);
    await takePicture(owner.page, 'reconciliations');
  });

  test('a bill as CSV is compared in the same way, and a wrong map is a problem of its field', async () => {
    await owner.go('reconciliations/new');
    await fillPeriod('<b>cloud</b>');
    await owner.fill({ 'Bill as CSV': `Day,Cost\n${today},1.5\n`, Names: '{' });
    await owner.press('Compare');
    expect(await owner.page.getByText('This is not JSON.').count()).toBe(1);
    expect(await owner.page.getByLabel('Bill as CSV').inputValue()).toBe(`Day,Cost\n${today},1.5\n`);
    await owner.fill({ Names: '{"columns":{"day":"Day","amount":"Cost"}}' });
    await owner.press('Compare');
    expect(await owner.heading()).toBe(`<b>cloud</b>, ${today}`);
    expect(await owner.page.getByText('what this account paid itself').count()).toBe(1);
  });

  test('a comparison of another account does not exist', async () => {
    const { kysely } = billed.gateway.database;
    await kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
    await sql`insert into reconciliations (id, account_id, vendor, ratio, result)
      select 'reconciliation_other', 'other', vendor, ratio, result from reconciliations limit 1`.execute(kysely);
    for (const path of ['reconciliations/reconciliation_other', 'reconciliations/reconciliation_other/json'])
      expect(await owner.go(path)).toBe(404);
  });
});
