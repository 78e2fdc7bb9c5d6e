import { randomUUID } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDemoDay } from '../../services/ledger-svc/src/demo-data/add-demo-day.ts';
import { prepareDemo } from '../../services/ledger-svc/src/demo-data/prepare-demo.ts';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { createLedger } from '../../services/ledger-svc/src/usage/keep-ledger.ts';
import { silentLedger } from '../../services/ledger-svc/src/usage/testing/silent-ledger.ts';
import { dashboard } from '../../services/console-svc/src/dashboard.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints } from '../support/pages.ts';
import { partOf, wholly } from '../support/scale.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src.

/** What has a page of its own and is not in the demo data: operations of the management API. */
const examples: readonly (readonly [call: string, body: object])[] = [
  ['POST /provider-keys', { provider: 'mistral', label: 'research', key: 'a-key-of-research-1234' }],
  ['POST /provider-keys', { provider: 'mistral', label: 'spare', key: 'a-spare-key-5678' }],
  ['POST /invitations', { email: 'bo@example.com', role: 'member' }],
  ['POST /oauth-clients', { name: 'Reports', redirectUris: ['https://reports.example/callback'] }],
  ['POST /projects', { name: 'search' }],
  [
    'POST /guard-webhooks',
    { name: 'dlp', url: 'https://dlp.example/decide', secret: '0123456789abcdef0123456789abcdef' },
  ],
  [
    'PUT /routes/fast',
    {
      description: 'what the support bot uses',
      targets: [
        { model: 'sandbox-chat', weight: 90 },
        { model: 'sandbox-fast', weight: 10 },
      ],
      when: [{ if: 'request.tokens > 1000', use: ['gone', 'sandbox-chat'] }],
    },
  ],
  ['POST /mcp-servers', { name: 'docs', url: 'https://docs.example/mcp' }],
  [
    'POST /reconciliations',
    {
      vendor: 'example-cloud',
      from: '2026-11-01',
      to: '2026-11-02',
      csv: 'Day,Model,Cost\n2026-11-01,example-model,1.25\n',
      map: { columns: { day: 'Day', model: 'Model', amount: 'Cost' } },
    },
  ],
  [
    'POST /alerts',
    { name: 'spend', condition: { type: 'budget', percent: 90 }, webhook: { url: 'https://pager.example/' } },
  ],
];

/** Pages of what only other tests make: a batch that runs, an application that a user allowed, a project with a member. */
const elsewhere = ['/batches/:id/cancel', '/oauth-grants/:id/end', '/projects/:id/members/:userId/remove'];

/** Pages with filters and faults in their address. */
const states = [
  '/analytics?period=24h',
  '/analytics?period=90d&by=key',
  '/analytics?from=2026-01-01&to=2025-01-01&latency=groups&table=Requests&sort=%3Cb%3E.change',
  `/analytics?period=7d&end_user=${encodeURIComponent(`<b>"${'long'.repeat(40)}`)}`,
  '/audit?period=7d&kind=key',
  `/end-users/named?name=${encodeURIComponent(`<b>"${'long'.repeat(40)}`)}`,
  '/keys?sort=cost',
  '/requests?operation=speech',
  '/requests?status=1',
  '/requests?outcome=ok&sort=cost&columns=time.outcome.project.id',
  '/routing?model=sandbox-chat&stream=yes',
  '/routing?model=unknown',
  '/routing?model=fast',
  '/models?show=all&compare=gpt-6-luna,claude-opus-4-8',
  '/models?q=nothing',
  '/providers/sandbox-b?period=last-month',
  '/playground?models=sandbox-chat,sandbox-fast',
  '/keys?project=none',
];

/** Pages with parts that open. */
const withDetails = [
  'requests?outcome=failed&project=none',
  'analytics',
  'playground?models=sandbox-chat,sandbox-fast',
  'models/sandbox-chat',
  'budgets',
];

/** Forms whose fields are refused by the server. */
const wrongForms: readonly (readonly [path: string, button: string, fields: Readonly<Record<string, string>>])[] = [
  ['routing?model=sandbox-chat', 'Save the weights', { Latency: '1' }],
  ['keys/new', 'Create the key', { Name: 'wrong', Addresses: 'nonsense' }],
  ['provider-keys/new', 'Add the key', { Provider: 'nothing', Label: 'wrong', Key: 'a-wrong-key-1234' }],
  ['mcp-servers/new', 'Add the server', { Name: 'wrong', URL: 'https://10.0.0.1/' }],
  [
    'alerts/new/budget',
    'Create the alert',
    { Name: 'wrong', 'Part that is spent': '200', Webhook: 'https://a.example/' },
  ],
  [
    'reconciliations/new',
    'Compare',
    { Vendor: 'example', From: '2026-11-01', To: '2026-11-02', 'Bill as CSV': 'wrong' },
  ],
];

const mostBytes = 60 * 1024;

/** How each page is looked at. `npm test` takes one look at each page: another one at the next page. */
const looks = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, rules: ['color-contrast'] },
  { name: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' }, rules: ['color-contrast'] },
] as const;

const emptyAccount = `account_${randomUUID().replaceAll('-', '')}`;

/** The paths of pages below an account, with parameters as `:id`. */
const paths = dashboard.flatMap(({ method, path }) => (method === 'get' ? [path] : []));

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

describe('every page of the dashboard', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let looked = 0;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway({ STATUS_PAGE: 'true' }), startChromium()]);
    await fill(gateway);
    owner = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true, bypassCSP: true });
  });
  afterAll(async () => {
    await owner?.close();
    await browser?.close();
    await gateway?.stop();
  });

  test('has no violation in light, dark and forced colours, does not scroll sideways, and is small', async () => {
    const found: string[] = [];
    const look = async (path: string) => found.push(...(await problemsOf(owner.page, path, looked++)));
    const left = await visitAll('default', look);
    for (const state of states) {
      await owner.go(state.slice(1));
      await look(state);
    }
    expect(found).toEqual([]);
    expect(left.toSorted(), 'No page leads to these. Add what they show to the examples of this test.').toEqual(
      elsewhere.toSorted(),
    );
  });

  test('has none in the API reference either', async () => {
    const { tags } = (await (await fetch(`${gateway.baseUrl}/openapi.json`)).json()) as { tags: { name: string }[] };
    await owner.page.goto(`${gateway.baseUrl}/docs`);
    const areas = await owner.page
      .locator('#menu a[href^="/docs/"]:not(.jump)')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(areas).toHaveLength(tags.length);
    const found = await problemsOf(owner.page, '/docs', looked++);
    const some = partOf(areas, { one: 4 });
    for (const path of ['/docs/search?q=key', '/docs/search?q=nothing', ...some]) {
      await owner.page.goto(gateway.baseUrl + path);
      found.push(...(await problemsOf(owner.page, path, looked++)));
    }
    expect(found).toEqual([]);
  });

  test('has none in a conversation of several turns with two models', async () => {
    await owner.go('playground?models=sandbox-chat,sandbox-fast');
    for (const turn of [1, 2]) {
      await owner.fill({ Message: `Hello ${turn} `.repeat(40) });
      await owner.press('Send');
      await owner.page.getByRole('region', { name: `Answer ${turn} of sandbox-fast` }).waitFor();
      await owner.page.getByText('Done.').waitFor();
    }
    expect(await owner.page.getByRole('region', { name: /^Answer \d of / }).count()).toBe(4);
    expect(await problemsOf(owner.page, 'conversation', looked++)).toEqual([]);
  });

  test('has none with all details open, in forms with errors, in Ctrl-K, or in the menu of a phone', async () => {
    const { page } = owner;
    const found: string[] = [];
    for (const path of withDetails) {
      await owner.go(path);
      await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
      found.push(...(await problemsOf(page, `${path} with open details`, looked++)));
    }
    for (const [path, button, fields] of wrongForms) {
      await owner.go(path);
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).first().fill(text);
      await owner.press(button);
      await page.locator('[aria-invalid="true"], [role="alert"]').first().waitFor();
      found.push(...(await problemsOf(page, `${path} with an error`, looked++)));
    }
    await owner.go('overview');
    await page.keyboard.press('Control+K');
    await page.getByRole('option').first().waitFor();
    found.push(...(await problemsOf(page, 'Ctrl-K', looked++)));
    await page.keyboard.type('nothing has this name');
    await page.getByText('Nothing has this name or id.').waitFor();
    found.push(...(await complaints(page)).map((text) => `Ctrl-K without a result: ${text}`));
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Overview' }).click();
    await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    found.push(...(await complaints(page)).map((text) => `the menu of a phone: ${text}`));
    expect(found).toEqual([]);
  });

  test.runIf(wholly)('has none in an account without any data either', async () => {
    const found: string[] = [];
    await visitAll(emptyAccount, async (path) => found.push(...(await problemsOf(owner.page, path, looked++))));
    expect(found).toEqual([]);
  });

  test('has none where a page does not exist, is public, may not be seen, or outlived its session', async () => {
    const found: string[] = [];
    for (const path of ['/dashboard/default/nothing', '/dashboard/other/keys', '/sign-in', '/', '/status']) {
      await owner.page.goto(gateway.baseUrl + path);
      found.push(...(await problemsOf(owner.page, path, looked++)));
    }
    await owner.go('keys/new');
    await owner.page.context().clearCookies();
    await owner.fill({ Name: 'late' });
    await owner.press('Create the key');
    found.push(...(await problemsOf(owner.page, 'session ended', looked++)));
    expect(found).toEqual([]);
  });

  /** Opens one page for each path, found through links, and returns the paths to which none leads. */
  async function visitAll(account: string, look: (path: string) => Promise<unknown>): Promise<string[]> {
    const waiting = new Map(paths.filter((path) => !path.includes(':')).map((path) => [path, path]));
    const left = new Set(paths);
    const base = `/dashboard/${account}`;
    for (let next = take(waiting); next !== undefined; next = take(waiting)) {
      const [path, place] = next;
      left.delete(path);
      const response = await owner.page.goto(gateway.baseUrl + base + place);
      if (!response?.headers()['content-type']?.startsWith('text/html')) continue;
      await look(path);
      for (const link of await linksIn(owner.page, base)) {
        const leadsTo = [...left].find((each) => patternOf(each).test(link) && !paths.includes(link));
        if (leadsTo !== undefined && !waiting.has(leadsTo)) waiting.set(leadsTo, link);
      }
    }
    return [...left];
  }
});

function take(waiting: Map<string, string>): [path: string, place: string] | undefined {
  const [next] = waiting;
  if (next) waiting.delete(next[0]);
  return next;
}

const linksIn = async (page: Page, base: string): Promise<string[]> => {
  const links = await page
    .locator(`a[href^="${base}/"]`)
    .evaluateAll((found) => found.map((link) => (link.getAttribute('href') ?? '').replace(/[?#].*/, '')));
  return links.map((link) => link.slice(base.length));
};

/** Violations in the looks at this page, by all rules in light colours; widths at which it scrolls, and its size. */
async function problemsOf(page: Page, path: string, number: number): Promise<string[]> {
  const found: string[] = [];
  const bytes = brotliCompressSync(await page.content(), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
  if (bytes > mostBytes) found.push(`${path}: ${bytes} bytes compressed`);
  await page.setViewportSize({ width: 1_440, height: 900 });
  for (const { name, media, ...look } of partOf(looks, {
    one: looks.length,
    from: number,
  })) {
    await page.emulateMedia(media);
    const rules = 'rules' in look ? look.rules : undefined;
    found.push(...(await complaints(page, rules)).map((text) => `${path} in ${name}: ${text}`));
  }
  for (const width of [390, 1_400]) {
    await page.setViewportSize({ width, height: 900 });
    const actual = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (actual > width) found.push(`${path}: ${actual} pixels wide at ${width}`);
  }
  const cut = page
    .locator('.scroll:not(.charts *)')
    .evaluateAll((tables) =>
      tables
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(
          (table) => `${table.getAttribute('aria-label')} is ${table.scrollWidth} of ${table.clientWidth} pixels wide`,
        ),
    );
  found.push(...(await cut).map((text) => `${path}: ${text}`));
  return found;
}

/** Demo data in the first account, an account without data, and the examples. */
async function fill({ baseUrl, database }: OAuthGateway): Promise<void> {
  const ledger = createLedger(database, { retentionDays: 90, events: silentLedger });
  const { accountId } = await prepareDemo(database);
  for (const daysAgo of [0, 1, 2, 9]) {
    await addDemoDay({ database, ledger, now: new Date() }, { accountId, seed: 1, daysAgo });
  }
  await database.kysely.insertInto('accounts').values({ id: emptyAccount, name: 'Empty' }).execute();
  const owners = database.kysely.selectFrom('memberships').select('user_id').where('role', '=', 'owner');
  const { user_id } = await owners.executeTakeFirstOrThrow();
  await database.kysely
    .insertInto('memberships')
    .values({ account_id: emptyAccount, user_id, role: 'owner' })
    .execute();
  await database.kysely
    .insertInto('batches')
    .values({
      id: 'batch_example',
      account_id: accountId,
      key_id: 'key_example',
      api: 'batches',
      endpoint: '/v1/chat/completions',
      headers: '{}',
      state: 'completed',
      model: 'sandbox-chat',
      input_file_id: 'file-example',
      output_file_id: 'file-results',
      total: 2,
      completed: 2,
      expires_at: new Date(),
      ended_at: new Date(),
    })
    .execute();
  const { key } = await createKey(database, operator, { name: 'examples', admin: true });
  for (const [call, body] of examples) {
    const [method = '', path = ''] = call.split(' ');
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([call, response.ok ? '' : await response.text()]).toEqual([call, '']);
  }
}
