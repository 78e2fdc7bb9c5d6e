import { readFileSync } from 'node:fs';
// Pause: Kubernetes waits between the removal of an endpoint and SIGTERM.
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockAfter, blocksOf } from '../docs/markdown.ts';
import { serviceNames } from '../../scripts/distributed/settings.ts';
import { fault } from '../observability/traffic.ts';
import { startTraffic } from '../rolling/traffic.ts';
import { startChromium } from '../support/chromium.ts';
import { findPrograms } from '../support/programs.ts';
import { waitUntil } from '../support/probe.ts';
import { type Installation, install } from './installation.ts';
import { type Receiver, startReceiver } from './receiver.ts';

// Long: it installs, updates and repairs a whole installation.
// About: deploy, scripts/distributed.

// Each test is a step of docs/walk.md and continues where the one before ended.

const guide = readFileSync('docs/walk.md', 'utf8');
const block = (name: string): string => {
  const texts = ['', 'sh', 'yaml'].map((language) => blockAfter(guide, `walk: ${name}`, language));
  const text = texts.join('');
  if (text === '') throw new Error(`docs/walk.md has no block "${name}".`);
  return text;
};

let installation: Installation;
let receiver: Receiver;
let browser: Browser;
let page: Page;
let opsKey: string;
const projects: Record<string, string> = {};
const keys: Record<string, string> = {};

beforeAll(async () => {
  [installation, receiver, browser] = await Promise.all([
    install(({ company, cluster }) =>
      block('identity.yaml')
        .replace('https://login.acme.example', company)
        .replace('https://kubernetes.acme.example', cluster),
    ),
    startReceiver(),
    startChromium(),
  ]);
  page = await browser.newPage({ javaScriptEnabled: false });
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([installation?.stop(), receiver?.stop()]);
});

const api = (path: string, key = opsKey) =>
  fetch(`${installation.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
let questions = 0;
/** Each question is new, because an answer from the cache costs nothing. */
const chat = (key: string, model = 'sandbox-chat') =>
  fetch(`${installation.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 10,
      messages: [{ role: 'user', content: `Question ${++questions}` }],
    }),
  });
const heading = () => page.getByRole('heading', { level: 1 }).textContent();

test('people sign in with the company, and their groups decide', async () => {
  const { company, url } = installation;
  company.employees['eve'] = { email: 'eve@acme.example', groups: ['sales'] };
  company.employees['ada'] = { email: 'ada@acme.example', groups: ['platform'] };
  const signIn = async (name: string): Promise<void> => {
    await page.context().clearCookies();
    await page.goto(`${url}/dashboard`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  };
  await signIn('eve');
  expect(new URL(page.url()).pathname).not.toMatch(/^\/dashboard/);
  await signIn('ada');
  expect(new URL(page.url()).pathname).toMatch(/^\/dashboard/);
  opsKey = await installation.createAdminKey();
  const members = (await (await api('/api/v1/members')).json()) as { members: object[] };
  expect(members.members).toMatchObject([{ email: 'ada@acme.example', role: 'owner' }]);
});

test('a project that has spent its budget is refused, and the other one is not', async () => {
  const created = await installation.run(block('projects'), { OPS_KEY: opsKey });
  for (const line of created.trim().split('\n')) {
    const { id, name }: { id: string; name: string } = JSON.parse(line);
    projects[name] = id;
    const made = await installation.run(block('project key'), { OPS_KEY: opsKey, PROJECT: id });
    keys[name] = (JSON.parse(made) as { key: string }).key;
  }
  expect(Object.keys(projects)).toEqual(['search', 'support']);
  const spend = async () => (await chat(keys['search'] ?? '')).status;
  await expect.poll(spend, { interval: 10 }).toBe(402);
  expect((await chat(keys['support'] ?? '')).status).toBe(200);
});

test('a workload gets a key for its token', async () => {
  const now = Math.floor(Date.now() / 1000);
  const TOKEN = await installation.cluster.sign({
    iss: installation.cluster.issuer,
    aud: 'tallyport',
    sub: 'system:serviceaccount:search:bot',
    iat: now,
    exp: now + 3_600,
    'kubernetes.io': { namespace: 'search' },
  });
  const { access_token: key } = JSON.parse(await installation.run(block('exchange'), { TOKEN }));
  expect((await chat(key)).status).toBe(200);
});

test('a broken provider reaches the people on call, and no client', async () => {
  const { webhookSecret } = JSON.parse(await installation.run(block('alert'), { OPS_KEY: opsKey, HOOK: receiver.url }));
  await fault(installation.running, 'sandbox-a', 'status:503');
  const key = keys['support'] ?? '';
  const fired = async () => {
    expect((await chat(key)).status).toBe(200);
    await chat(key, 'sandbox-a/sandbox-chat').then((response) => response.text());
    return receiver.received.map(({ body, isSignedWith }) => [
      body.type,
      body.data.subject.id,
      isSignedWith(webhookSecret),
    ]);
  };
  await expect.poll(fired, { interval: 250 }).toContainEqual(['alert.fired', 'sandbox-a', true]);
  await fetch(`${installation.running.sandboxUrl}/control/faults`, { method: 'DELETE' });
});

test('every service is replaced while streams run, without an error of a client', async () => {
  const { running, url, balancerOf } = installation;
  const streams = 10;
  const traffic = startTraffic({ url, apiKey: running.apiKey }, { streams, words: 24, everyMs: 500 });
  await expect.poll(() => traffic.openStreams()).toBe(streams);
  const endings: string[] = [];
  for (const service of serviceNames.toReversed()) {
    const [old] = running.replicas(service);
    const next = await running.add(service);
    const balancer = balancerOf(service);
    balancer?.add(next);
    await waitUntil('the new replica to get connections', () => balancer === undefined || balancer.ready() === 2);
    if (old) balancer?.remove(old);
    // As the hook `preStop` in deploy/k8s: until all clients know that the replica leaves.
    await pause(1_000);
    endings.push((await running.drain(service, { index: 0, deadlineMs: 30_000 })) ?? 'still runs');
  }
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
  expect(endings).toEqual(endings.map(() => 'ended with exit code 0'));
  expect(traffic.counts['stream']).toBeGreaterThanOrEqual(streams);
  await page.reload();
  expect(new URL(page.url()).pathname).toMatch(/^\/dashboard/);
  expect(await heading()).not.toBe('');
});

test('a backup is restored, and what was there at its time works', async () => {
  const { running, run } = installation;
  const [dump = '', restore = ''] = await backupCommands();
  await run(dump);
  const late = await run(block('project key'), { OPS_KEY: opsKey, PROJECT: projects['support'] ?? '' });
  const { key: lateKey } = JSON.parse(late) as { key: string };
  expect((await chat(lateKey)).status).toBe(200);

  const users = ['auth-svc', 'ledger-svc', 'catalog-svc'] as const;
  for (const service of users) await running.kill(service, { index: 1, signal: 'SIGTERM' });
  await run(restore);
  for (const service of users.toReversed()) await running.restart(service, { index: 1 });
  await expect.poll(async () => (await chat(lateKey)).status).toBe(401);
  expect((await chat(keys['support'] ?? '')).status).toBe(200);
  expect((await chat(keys['search'] ?? '')).status).toBe(402);
  // The balancer looks for the new auth-svc a few times a second; until it knows it, the answer is 503.
  const listed = async () => ((await (await api('/api/v1/projects')).json()) as { projects?: unknown }).projects;
  await expect.poll(listed).toMatchObject([{ name: 'search', budget: { amount: '1' } }, { name: 'support' }]);
});

/** The blocks of docs/operate.md, with the programs where they are on this machine. */
async function backupCommands(): Promise<string[]> {
  const names = ['pg_dump', 'pg_restore', 'psql'];
  const programs = await findPrograms(names);
  if (programs === undefined) throw new Error(`This test needs ${names.join(', ')}: install postgresql-client.`);
  const blocks = blocksOf(readFileSync('docs/operate.md', 'utf8')).map(({ text }) => text);
  const written = [/^pg_dump /, /^psql .*\npg_restore /].map(
    (pattern) => blocks.find((text) => pattern.test(text)) ?? '',
  );
  return written.map((text) => text.replaceAll(/^\w+/gm, (name) => `'${programs[names.indexOf(name)]}'`));
}
