import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenUpstream, openUpstream } from '../../services/mcp-svc/src/testing/open-upstream.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

const identity = `
providers:
  - id: acme
    name: Acme
    issuer: https://login.acme.example
    clientId: tallyport
    removeAfterDays: 30
    access:
      - { claim: groups, value: platform-team, account: default, role: owner }
      - { claim: groups, value: developers, account: default, role: member }
workloads:
  - id: research-bots
    issuer: https://oidc.eks.example/id/0123456789ABCDEF0123456789ABCDEF
    audience: tallyport
    claims: { kubernetes.io.namespace: research }
    account: default
    project: ranking
    allowedModels: [gpt-6-luna]
`;

describe('the pages of a security team', () => {
  let folder: string;
  let gateway: OAuthGateway;
  let browser: Browser;
  let upstream: OpenUpstream;
  let owner: Visitor;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'identity-'));
    await writeFile(join(folder, 'identity.yaml'), identity);
    [gateway, browser, upstream] = await Promise.all([
      startOneOAuthGateway({ IDENTITY_CONFIG: join(folder, 'identity.yaml'), ALLOW_LOCAL_TARGETS: 'true' }),
      startChromium(),
      openUpstream(),
    ]);
    owner = await openOwner(browser, gateway.baseUrl);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([gateway?.stop(), upstream?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const choose = async (label: string, value: string): Promise<void> => {
    await owner.page.getByLabel(label, { exact: true }).selectOption(value);
  };

  const chooseIn = async (group: string, label: string, value: string): Promise<void> => {
    await owner.page.getByRole('group', { name: group }).getByLabel(label, { exact: true }).selectOption(value);
  };
  const radio = async (rule: string, action: string): Promise<void> => {
    await owner.page
      .getByRole('radiogroup', { name: `${rule}: requests` })
      .getByLabel(action)
      .check();
  };

  test('a webhook and rules are added, and a text is tried against them', async () => {
    expect(await owner.go('guardrails')).toBe(200);
    await owner.follow('Add a webhook');
    await owner.fillExactly({
      Name: 'dlp',
      URL: 'https://10.0.0.1/',
      Secret: 'aSecretOfMoreThan32CharactersInIt',
    });
    await owner.press('Add the webhook');
    expect(
      await owner.page
        .getByText(
          'Must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
        )
        .count(),
    ).toBe(1);
    await owner.fillExactly({ URL: 'https://dlp.example/decide', Secret: 'aSecretOfMoreThan32CharactersInIt' });
    await owner.press('Add the webhook');
    expect(await owner.rows('Webhooks')).toMatchObject([
      ['dlp', 'https://dlp.example/decide', '…InIt', 'asked', expect.any(String)],
    ]);
    await owner.press('Test dlp');
    expect(await owner.page.getByRole('alert').textContent()).toMatch(/^The webhook \S.* .*\.$/);
    await owner.go('guardrails');

    await owner.follow('Edit the rules');
    await radio('Payment cards', 'block');
    await radio('E-mail addresses', 'redact');
    await chooseIn('Requests', 'Webhook', 'dlp');
    await chooseIn('Requests', 'If time runs out', 'allow');
    await owner.page.getByRole('group', { name: 'Requests' }).getByLabel('Decision model').fill('jev');
    await owner.page
      .getByRole('group', { name: 'Requests' })
      .getByLabel('Its policies')
      .fill('weapons block@0.8 It says how to build a weapon.\ntopic law=flag,other=allow What is it about?');
    await chooseIn('Requests', 'If the model does not decide', 'allow');
    await owner.page
      .getByRole('group', { name: 'Requests' })
      .getByLabel('Patterns')
      .fill('falcon block (?i)project falcon\nwrong');
    await owner.press('Save');
    expect(await owner.page.getByText('Line 2: Must be a name, redact or block, and a pattern.').count()).toBe(1);
    await owner.page
      .getByRole('group', { name: 'Requests' })
      .getByLabel('Patterns')
      .fill('falcon block (?i)project, falcon{2,3}');
    await owner.fillExactly({ Text: 'Mail ada@example.com' });
    await owner.press('Try these rules');
    expect(await owner.notice()).toMatch(/The text passes with placeholders\.[^]*email × 1[^]*Then asked: dlp, jev/);
    await takePicture(owner.page, 'dashboard-guardrails-edit');
    expect(await owner.page.getByRole('radio', { checked: true, name: 'block' }).count()).toBe(1);
    const saved = await owner.page.context().newPage();
    await saved.goto(`${gateway.baseUrl}/dashboard/default/guardrails`);
    expect(await saved.getByText('There are no rules.').count()).toBe(1);
    await saved.close();
    await owner.press('Save');
    expect(await owner.notice()).toContain('The rules were changed.');
    expect(await owner.rows('Rules of the account')).toEqual([
      ['Requests', 'card', 'Payment cards', 'block'],
      ['Requests', 'email', 'E-mail addresses', 'redact'],
      ['Requests', 'falcon', '(?i)project, falcon{2,3}', 'block'],
      ['Requests', 'time_limit', 'patterns that are not finished in time', 'allow'],
      ['Requests', 'webhook:dlp', 'what the webhook decides', 'without an answer: block'],
      ['Requests', 'decision:weapons', 'It says how to build a weapon. jev, without an answer: let pass', 'block'],
      ['Requests', 'decision:topic', 'What is it about? jev, without an answer: let pass', 'law=flag,other=allow'],
    ]);

    await owner.fillExactly({ Text: 'Mail ada@example.com' });
    await owner.press('Try');
    expect(await owner.page.getByRole('region', { name: 'The text after the rules' }).textContent()).toBe(
      'Mail [email]',
    );
    expect(await owner.notice()).toMatch(/The text passes with placeholders\.[^]*email × 1[^]*Then asked: dlp, jev/);
    expect(owner.page.url()).not.toContain('ada');
    await takePicture(owner.page, 'dashboard-guardrails');
    await owner.fillExactly({ Text: 'My card is 4111 1111 1111 1111' });
    await owner.press('Try');
    expect(await owner.notice()).toContain('The text is blocked.');
  });

  test('rules that are saved again stay as they are', async () => {
    await owner.go('guardrails/edit');
    await owner.press('Save');
    expect((await owner.rows('Rules of the account')).map(([, rule]) => rule)).toEqual([
      'card',
      'email',
      'falcon',
      'time_limit',
      'webhook:dlp',
      'decision:weapons',
      'decision:topic',
    ]);
    await owner.go('guardrails/edit');
    await chooseIn('Requests', 'If time runs out', '');
    await owner.press('Save');
    expect((await owner.rows('Rules of the account')).map(([, rule]) => rule)).not.toContain('time_limit');
  });

  test('a server is added and tested, and a key may use one of its tools', async () => {
    await owner.go('keys/new');
    await owner.fillExactly({ Name: 'agent' });
    await owner.press('Create the key');
    await owner.go('mcp-servers');
    await owner.follow('Add a server');
    await owner.fillExactly({ Name: 'docs', URL: upstream.url });
    const isShown = (label: string) => owner.page.getByLabel(label, { exact: true }).isVisible();
    expect([await isShown('Name of the header'), await isShown('Token URL')]).toEqual([false, false]);
    await choose('Authentication', 'header');
    expect([await isShown('Name of the header'), await isShown('Token URL')]).toEqual([true, false]);
    await owner.fillExactly({ 'Name of the header': 'x-docs-key', 'Value of the header': 'header-secret-4711' });
    await owner.press('Add the server');
    expect(await owner.rows('MCP servers')).toMatchObject([
      ['docs', upstream.url, 'a header', 'enabled', expect.any(String)],
    ]);
    await owner.page.getByRole('link', { name: 'Choose tools of agent' }).click();
    await choose('The key may use', 'listed');
    await owner.fillExactly({ 'Servers and tools': 'docs__other' });
    await owner.press('Save');
    expect((await owner.rows('Tools of keys')).find(([name]) => name === 'agent')).toEqual(['agent', 'docs__other']);
    await takePicture(owner.page, 'dashboard-mcp-servers');

    await owner.page.getByRole('button', { name: 'Test docs' }).click();
    expect(await owner.notice()).toMatch(/The server answered in \d+ ms with 1 tool\./);
    const [[tool, description, keys] = []] = await owner.rows('Tools');
    expect([tool, description]).toEqual(['docs__search', 'Finds pages.']);
    expect(keys).not.toContain('agent');
    expect(upstream.requests.at(-1)?.headers['x-docs-key']).toBe('header-secret-4711');
    await takePicture(owner.page, 'dashboard-mcp-server-test');
    upstream.behaviour.instead = (_request, response) => {
      response.writeHead(401).end();
      return true;
    };
    await owner.go('mcp-servers');
    await owner.page.getByRole('button', { name: 'Test docs' }).click();
    expect(await owner.page.getByRole('alert').textContent()).toContain("refused the gateway's credentials");
  });

  test('the rules of sign-in and of workloads are shown', async () => {
    await owner.go('identity');
    expect(await owner.rows('Identity providers')).toEqual([
      ['Acme', 'https://login.acme.example', 'tallyport', '8 hours', 'every 15 minutes', '30 days'],
    ]);
    expect(await owner.rows('Groups and roles')).toEqual([
      ['Acme', 'groups = platform-team', 'default', 'owner', 'none'],
      ['Acme', 'groups = developers', 'default', 'member', 'none'],
    ]);
    expect(await owner.rows('Workloads')).toMatchObject([
      [
        'research-bots',
        expect.stringContaining('kubernetes.io.namespace = research'),
        'default',
        'ranking',
        '600 s',
        'gpt-6-luna',
      ],
    ]);
    const problem = 'workload research-bots: the account "default" has no project "ranking".';
    expect(await owner.page.getByText(problem).isVisible()).toBe(true);
    await takePicture(owner.page, 'dashboard-identity');
  });

  test('a text is tried with the keyboard alone', async () => {
    await owner.go('guardrails');
    await owner.page.getByLabel('Text', { exact: true }).focus();
    await owner.page.keyboard.type('Mail ada@example.com');
    await owner.page.keyboard.press('Tab');
    await owner.page.keyboard.press('Tab');
    await owner.page.keyboard.press('Enter');
    await expect.poll(() => owner.page.getByRole('status').textContent()).toContain('placeholders');
  });
});
