import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

describe('the pages about projects', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let key: string;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const chat = () =>
    fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
    });

  test('create a project with a limit, and a key in it, whose second request is refused', async () => {
    await owner.go('projects');
    await owner.follow('Create a project');
    await owner.fill({ Name: 'search', Amount: '25', 'Chat requests': '1' });
    await owner.press('Create the project');
    await owner.go('keys/new');
    await owner.fill({ Name: 'search bot' });
    await owner.page.getByLabel('Project').selectOption({ label: 'search' });
    await owner.press('Create the key');
    key = (await owner.page.getByRole('region', { name: 'Your key' }).textContent()) ?? '';
    expect((await chat()).status).toBe(200);
    const refused = await chat();
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { message: expect.stringMatching(/^This project's limit of 1 chat requests per minute is reached\./) } },
    ]);
  });

  test('list projects with their spending, and lead to their keys', async () => {
    await owner.go('projects');
    expect(await owner.rows('Projects')).toMatchObject([
      ['search', expect.stringContaining('of $25 per month'), '1', '0', expect.any(String)],
    ]);
    await owner.follow('search');
    await owner.follow('1 working');
    expect((await owner.rows('API keys')).map(([name]) => name)).toEqual([expect.stringContaining('search bot')]);
  });

  test('fit phones and screens, and pass the checks of axe in light, dark and forced colours', async () => {
    const found: unknown[] = [];
    for (const width of [390, 1_440]) {
      const options = { viewport: { width, height: 900 }, javaScriptEnabled: true, bypassCSP: true };
      const watcher = await openOwner(browser, gateway.baseUrl, options);
      for (const path of ['projects', 'projects/new', 'keys?project=none']) {
        expect([path, await watcher.go(path)]).toEqual([path, 200]);
        const sideways = await watcher.page.evaluate('document.documentElement.scrollWidth');
        if (sideways !== width) found.push([path, width, sideways]);
        await takePicture(watcher.page, `dashboard-${path.replaceAll(/\W/g, '-')}-${width}`);
        found.push(...(await complaints(watcher.page)).map((text) => [path, width, text]));
        for (const colours of [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
          await watcher.page.emulateMedia(colours);
          const wrong = await complaints(watcher.page, ['color-contrast']);
          found.push(...wrong.map((text) => [path, width, colours, text]));
        }
        await watcher.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      }
      await watcher.close();
    }
    expect(found).toEqual([]);
  }, 120_000);
});
