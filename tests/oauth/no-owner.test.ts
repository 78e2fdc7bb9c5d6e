import { createTestDatabase } from '@tallyport/database/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../gateway/in-process.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { email, password } from './gateway.ts';

const noOwner =
  'This gateway has no owner yet. Open the link that npm start printed (in production, auth-svc logs it).';

describe('before there is an owner', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let drop: () => Promise<void>;
  let browser: Browser;
  beforeAll(async () => {
    const database = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    drop = database.drop;
    [gateway, browser] = await Promise.all([startGateway({ DATABASE_URL: database.url }), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await drop?.();
  });

  test.each([
    [1180, '/dashboard', 'Sign in'],
    [390, '/dashboard', 'Sign in'],
    [1180, '/sign-in', 'Sign in'],
    [390, '/sign-in', 'Sign in'],
    [1180, '/setup/of-an-earlier-start', 'This link does not work any more'],
    [390, '/setup/of-an-earlier-start', 'This link does not work any more'],
  ])('at %i pixels, %s says where the link for the first owner is', async (width, path, title) => {
    const context = await browser.newContext({ viewport: { width, height: 720 }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(gateway.baseUrl + path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    const text = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain(noOwner);
    expect(text).not.toContain('No account?');
    expect(await page.content()).not.toMatch(/setup\/(?!of-an-earlier-start)/);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await takePicture(page, `no-owner${path.replaceAll('/', '-')}-${width}`);
    await context.close();
  });

  test('with the link that was printed, there is one, and the pages no longer say so', async () => {
    const setupPath = gateway.setupPath() ?? '';
    const page = await browser.newPage();
    await page.goto(gateway.baseUrl + setupPath);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Become the owner' }).click();
    await page.waitForURL('**/dashboard/default/overview');
    const answers = ['/sign-in', setupPath].map(async (path) => {
      const answer = await fetch(gateway.baseUrl + path, { headers: { accept: 'text/html' } });
      return [
        answer.status,
        (await answer.text()).replaceAll(/<[^>]*>|\s+/g, ' ').match(/This link[^.]*\.|No account\?|no owner/)?.[0],
      ];
    });
    expect(await Promise.all(answers)).toEqual([
      [200, 'No account?'],
      [404, 'This link was used: the gateway has an owner.'],
    ]);
    await page.close();
  });
});
