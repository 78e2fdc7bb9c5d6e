import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/auth-svc/src/projects.

describe('the pages about projects', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let key: string;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  });
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
      [
        'search',
        expect.stringContaining('of $25 per month'),
        expect.any(String),
        expect.stringMatching(/^\$\d/),
        expect.stringMatching(/^\$\d/),
        '1',
        '0',
      ],
    ]);
    await owner.follow('search');
    await owner.follow('1 working');
    expect((await owner.rows('API keys')).map(([name]) => name)).toEqual([expect.stringContaining('search bot')]);
  });
});
