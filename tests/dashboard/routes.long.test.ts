import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../services/auth-svc/src/projects/create-project.ts';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src.

describe('the pages about routes', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let key: string;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
    ({ key } = await createKey(gateway.database, operator, { name: 'routes', admin: true }));
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const stored = async () => {
    const response = await fetch(`${gateway.baseUrl}/api/v1/routes`, { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { routes: object[] }).routes;
  };
  const problems = () => owner.page.locator('.wrong').allTextContents();

  test('add a route, with each problem at its line, and without replacing another one', async () => {
    await owner.go('routes');
    await owner.follow('Add a route');
    const fields = {
      Name: 'fast',
      Description: 'what the bot uses',
      Targets: 'sandbox-chat 90\nsandbox-fast 10',
      Then: 'openai/gone',
      Conditions: 'sandbox-fast, openai/gone if request.tokens >',
    };
    await owner.fill({ ...fields, Targets: 'sandbox-chat 90\nsandbox-fast ten' });
    await owner.press('Add the route');
    expect(await problems()).toEqual(['Line 2: Must be a model and its weight, for example gpt-5.4-mini 90.']);
    await owner.fill({ Targets: fields.Targets });
    await owner.press('Add the route');
    expect(await problems()).toEqual([expect.stringMatching(/^Line 1: /)]);
    await owner.fill({ Conditions: 'sandbox-fast, openai/gone if request.tokens > 1000' });
    await owner.press('Add the route');
    expect(await owner.notice()).toBe('The route was added. It can be called everywhere within a second.');
    expect(await owner.rows('Routes of the account')).toEqual([
      [
        'fast what the bot uses',
        expect.stringMatching(/^sandbox-chat 90 % sandbox-fast 10 % 0 requests by weight since \d{4}-\d\d-\d\d$/),
        'sandbox-fast, openai/gone if request.tokens > 1000 then openai/gone',
        'in part openai/gone: unknown model',
      ],
    ]);
    await takePicture(owner.page, 'dashboard-routes');
    await owner.go('routes/new');
    await owner.fill({ ...fields, Conditions: '' });
    await owner.press('Add the route');
    expect(await problems()).toEqual(['The account has a route of this name.']);
    expect(await stored()).toMatchObject([{ name: 'fast', when: [{ if: 'request.tokens > 1000' }] }]);
  });

  test('change all of a route, and explain it', async () => {
    await owner.go('routes');
    await owner.page.getByRole('link', { name: 'Edit fast' }).click();
    await takePicture(owner.page, 'dashboard-route');
    await owner.fill({ Description: '', Targets: 'sandbox-chat', Then: 'sandbox-fast', Conditions: '' });
    await owner.page.getByLabel('If a content filter refuses').selectOption('next');
    await owner.fill({ Model: 'sandbox-fast', Share: '2.5', 'Project that pays': 'trial' });
    await owner.press('Save');
    expect(await problems()).toEqual([expect.stringContaining("has no project 'trial'")]);
    await createProject(gateway.database, { accountId: 'default', actor: 'operator' }, { name: 'trial' });
    await owner.press('Save');
    expect(await stored()).toEqual([
      {
        name: 'fast',
        targets: [{ model: 'sandbox-chat', weight: 1 }],
        then: ['sandbox-fast'],
        when: [],
        onContentFilter: 'next',
        shadow: { model: 'sandbox-fast', percent: 2.5, project: 'trial' },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    await owner.page.getByRole('link', { name: 'Explain fast' }).click();
    await owner.follow('Edit fast');
    expect(new URL(owner.page.url()).pathname).toBe('/dashboard/default/routes/fast');
    expect(await owner.page.getByLabel('Targets').inputValue()).toBe('sandbox-chat 1');
  });

  test('change the weights of the account where the scores are, which count at once', async () => {
    const weights = (values: readonly string[]) =>
      Object.fromEntries(['Uptime', 'Throughput', 'Price', 'Latency'].map((name, at) => [name, values[at] ?? '']));
    const scored = () =>
      owner.page
        .getByText(/Scored with the weights/)
        .first()
        .textContent();
    const form = () => owner.page.locator('#weights');
    const save = async (...values: string[]) => {
      for (const [label, text] of Object.entries(weights(values))) await form().getByLabel(label).fill(text);
      await owner.press('Save the weights');
    };
    await owner.go('routing?model=sandbox-chat&kind=chat&stream=yes');
    expect(await form().getByLabel('Uptime').getAttribute('placeholder')).toBe('0.5 (default)');
    expect(await scored()).toContain('of the operator: uptime 0.5, throughput 0.2, price 0.2, latency 0.1.');
    await save('0', '0', '0', '0');
    expect(await problems()).toEqual(['Must have a weight above 0.']);
    await save('1', '', '2', '3');
    expect(await problems()).toEqual(['Is missing.']);
    await save('1', '0', '1000.1', '3');
    expect(await problems()).toEqual([expect.stringMatching(/1000/)]);
    await save('1', '0', '1000', '0.5');
    // The figures of the sliders are of the same role.
    const notice = owner.page.getByText('The weights were changed. This takes effect everywhere within a second.');
    expect(await notice.count()).toBe(1);
    expect(new URL(owner.page.url()).search).toBe('?model=sandbox-chat&kind=chat&stream=yes');
    expect(await scored()).toContain('of this account: uptime 1, throughput 0, price 1000, latency 0.5.');
    await takePicture(owner.page, 'dashboard-weights');
    await save();
    expect(await scored()).toContain('of the operator');
  });

  test('delete a route after a question', async () => {
    await owner.go('routes');
    await owner.page.getByRole('link', { name: 'Delete fast' }).click();
    await owner.press('Delete the route');
    expect(await stored()).toEqual([]);
    expect(await owner.go('routes/fast')).toBe(404);
  });
});
