import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

describe('the screens to build with', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  /** Without scripts. */
  let owner: Visitor;
  let scripted: Visitor;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
    scripted = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true, bypassCSP: true });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
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

  const states = [
    'models',
    'models?show=all&compare=gpt-5.1,claude-opus-4-5',
    'models?q=nothing',
    'models/sandbox-chat',
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
