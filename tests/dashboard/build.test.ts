import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@switchyard/database';
import { createTestDatabase, type TestDatabase } from '@switchyard/database/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { email, password } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { addProviderRows } from './provider-rows.ts';
import { openOwner, type Visitor } from './visitor.ts';

describe('the screens to build with', () => {
  let place: TestDatabase;
  let database: Database;
  let gateway: OneProcess;
  let browser: Browser;
  /** Without scripts. */
  let owner: Visitor;
  let scripted: Visitor;
  beforeAll(async () => {
    place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    const environment = {
      DATABASE_URL: place.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ADMIN_EMAIL: email,
      BOOTSTRAP_ADMIN_PASSWORD: password,
    };
    [gateway, browser] = await Promise.all([startOneProcess(environment), startChromium()]);
    database = await openDatabase({ url: place.url });
    await addProviderRows(database);
    owner = await openOwner(browser, gateway.baseUrl);
    scripted = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true, bypassCSP: true });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await database?.close();
    await place?.drop();
  });

  test('models: search, filter, and what is missing to call one', async () => {
    await owner.go('models');
    const callable = await owner.rows('Models');
    expect(callable.every(([, , , , , state]) => state?.startsWith('callable sandbox-'))).toBe(true);
    await owner.page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-5.1');
    await owner.press('Show');
    expect(await owner.page.getByText('No model that can be called now fits.').isVisible()).toBe(true);
    await owner.follow('Search all models');
    const [first] = (await owner.rows('Models')).filter(([name]) => name?.endsWith(' gpt-5.1'));
    expect(first?.[5]).toMatch(/^not callable needs a key for .*openai/);
    expect(new URL(owner.page.url()).search).toBe('?q=gpt-5.1&show=all');

    await owner.go('models?show=all');
    await owner.page.getByLabel('Capability').selectOption('Reasoning');
    await owner.page.getByLabel('Provider').selectOption('anthropic');
    await owner.page.getByLabel('Order').selectOption('Lowest price');
    await owner.press('Show');
    expect(await owner.page.getByRole('status').textContent()).toMatch(/^\d+ models$/);
    expect((await owner.rows('Models')).length).toBeGreaterThan(3);
    await takePicture(owner.page, 'models');
  });

  test('models: up to four side by side, one in detail', async () => {
    await owner.go('models?show=all&q=claude');
    for (const _ of Array.from({ length: 4 })) {
      await owner.page
        .getByRole('link', { name: /^Compare / })
        .first()
        .click();
    }
    expect(await owner.page.getByRole('link', { name: /^Compare / }).count()).toBe(0);
    const rows = await owner.rows('Comparison of models');
    expect(rows.map(([title, ...values]) => [title, values.length])).toContainEqual(['Context', 4]);
    await takePicture(owner.page, 'models-compared');
    await owner.page
      .getByRole('region', { name: 'Comparison of models' })
      .getByRole('link', { name: /^Remove / })
      .first()
      .click();
    expect(await owner.page.getByRole('link', { name: /^Compare / }).count()).toBeGreaterThan(0);

    expect(await owner.go('models/sandbox-chat')).toBe(200);
    expect((await owner.rows('Offers')).map(([provider]) => provider)).toContain('sandbox-a');
    await takePicture(owner.page, 'model');
    expect(await owner.go('models/nothing-like-it')).toBe(404);
    expect(await owner.go(`models/${encodeURIComponent('deepseek-ai/DeepSeek-V4-Pro-0813')}`)).toBe(200);
  });

  test('models: a click copies an id', async () => {
    await scripted.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await scripted.go('models?q=sandbox-chat');
    await scripted.press('Copy: sandbox-chat');
    await scripted.page.getByText('Copied').first().waitFor();
    expect(await scripted.page.evaluate('navigator.clipboard.readText()')).toBe('sandbox-chat');
  });

  const chat = (model: string) =>
    fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });

  test('providers: ninety days of uptime, the state now, and incidents', async () => {
    await owner.go('providers');
    const rows = await owner.rows('Providers');
    const row = rows.find(([name]) => name === 'sandbox-b');
    expect(row?.[1]).toMatch(/^healthy \d+ models?$/);
    expect(row?.[2]).toBe('99.21 %');
    expect([row?.[3], row?.[4]]).toEqual(['811 ms', '2.25 s']);
    const bars = owner.page.getByRole('img', { name: /lowest 77.5 %/ });
    expect(await bars.getAttribute('aria-label')).toMatch(/^Uptime by day: calls on 85 of 90 days/);
    expect(await bars.locator('rect.none').count()).toBe(5);
    const [incident] = await owner.rows('Incidents');
    expect([incident?.[0], incident?.[3], incident?.[4]]).toEqual(['sandbox-b', '3 hours', '77.5 %']);
    await takePicture(owner.page, 'providers');

    await owner.follow('7 days');
    expect(await owner.page.getByText('There was no incident in this period.').isVisible()).toBe(true);
    await owner.follow('sandbox-b');
    expect((await owner.rows('Models of the provider'))[0]?.[0]).toBe('sandbox-chat');
    expect(await owner.go('providers/unknown')).toBe(404);
  });

  test('providers: the last error of an offer', async () => {
    await fetch(`${gateway.sandboxUrl}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox-a', fault: 'status:500' }),
    });
    try {
      const found = async () => {
        await chat('sandbox-a/sandbox-chat');
        await owner.go('providers/sandbox-a');
        return (await owner.rows('Models of the provider')).find(([name]) => name === 'sandbox-chat')?.[6];
      };
      await expect.poll(found, { timeout: 20_000 }).toMatch(/^\S+ 2\d{3}-\d\d-\d\d \d\d:\d\d UTC$/);
    } finally {
      await fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' });
    }
  });

  const states = [
    'models',
    'models?show=all&compare=gpt-5.1,claude-opus-4-5',
    'models?q=nothing',
    'models/sandbox-chat',
    'providers',
    'providers/sandbox-b?days=30',
  ];

  test.each(['light', 'dark', 'forced'] as const)('nothing to complain about in %s colours', async (colours) => {
    await scripted.page.emulateMedia(
      colours === 'forced' ? { forcedColors: 'active' } : { colorScheme: colours, forcedColors: 'none' },
    );
    for (const path of states) {
      await scripted.go(path);
      expect([path, await complaints(scripted.page)]).toEqual([path, []]);
    }
    await scripted.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  });

  test.each([390, 1_440])('no screen of %i pixels scrolls sideways', async (width) => {
    await scripted.page.setViewportSize({ width, height: 844 });
    for (const path of states) {
      await scripted.go(path);
      expect([path, await scripted.page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      await takePicture(scripted.page, `${path.replaceAll(/\W+/g, '-').slice(0, 30)}-${width}`);
    }
    await scripted.page.setViewportSize({ width: 1_180, height: 720 });
  });
});
