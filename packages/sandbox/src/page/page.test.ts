import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox } from '../sandbox.ts';
import type { Simulator } from '../simulation.ts';
import { ask } from '../testing/raw-client.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSandbox({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.reset());

const page = () => ask({ url: `${simulator.url}/control`, method: 'GET' });

const send = (action: string, members: Record<string, string>, headers: Record<string, string> = {}) =>
  ask({
    url: `${simulator.url}/control/${action}`,
    body: new URLSearchParams(members).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const chat = (model: string, provider = 'sandbox-a') =>
  ask({
    url: `${simulator.baseUrl(provider)}/chat/completions`,
    body: { model, messages: [{ role: 'user', content: 'Hi' }] },
  });

/** The visible text of one provider. */
async function card(id: string): Promise<string> {
  const { text } = await page();
  const section = text.split('<section').find((part) => part.includes(`id="${id}"`)) ?? '';
  return section
    .replaceAll(/<button.*?<\/button>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('shows each sandbox provider, healthy and without requests', async () => {
  const { status, headers, text } = await page();
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect([...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['sandbox-a', 'sandbox-b', 'sandbox-c']);
  expect(await card('sandbox-a')).toContain('sandbox-a healthy sandbox-chat · sandbox-fast No requests yet.');
});

test('breaks and heals providers with forms alone', async () => {
  const broken = await send('break', { provider: 'sandbox-a', fault: 'status:503' });
  expect([broken.status, broken.headers.location]).toEqual([303, '/control']);
  expect([(await chat('sandbox-chat')).status, (await chat('sandbox-chat', 'sandbox-b')).status]).toEqual([503, 200]);
  expect(await card('sandbox-a')).toMatch(/broken: status:503 .* sandbox-chat 503 \d+ ms now/);
  expect(await card('sandbox-b')).toMatch(/healthy .* sandbox-chat 200 \d+ ms now/);
  await send('heal', { provider: 'sandbox-a' });
  expect([await card('sandbox-a'), (await chat('sandbox-chat')).status]).toEqual([
    expect.stringContaining('healthy'),
    200,
  ]);
});

test('heals all providers and clears scripts', async () => {
  simulator.scripts.set({ provider: 'sandbox-b', steps: [{ forMs: 60_000, uptime: 0.6, latencyMs: 20 }] });
  simulator.faults.set({ fault: 'hang', provider: 'sandbox-a' });
  expect(await card('sandbox-b')).toContain('script: 60 % up, +20 ms');
  await send('heal', {});
  expect([simulator.faults.list(), simulator.scripts.list()]).toEqual([[], []]);
});

test('shows the six newest requests, with escaped names', async () => {
  for (let index = 0; index < 7; index += 1) await chat(index === 6 ? '<script>alert(1)</script>' : 'sandbox-chat');
  const { text } = await page();
  expect(text.match(/<tr><td>/g)).toHaveLength(6);
  expect(text).toContain('<td>&lt;script&gt;alert(1)&lt;/script&gt;</td><td class="bad">404</td>');
  expect(text).not.toContain('<script>alert');
});

test('refuses invalid faults and pages of other sites', async () => {
  expect((await send('break', { provider: 'sandbox-a', fault: 'nonsense' })).status).toBe(400);
  const foreign = await send('break', { provider: 'sandbox-a', fault: 'hang' }, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, simulator.faults.list()]).toEqual([403, []]);
});

test('serves its style and script', async () => {
  const type = async (name: string) =>
    (await ask({ url: `${simulator.url}/control/${name}`, method: 'GET' })).headers['content-type'];
  expect([await type('page.css'), await type('page.js')]).toEqual([
    'text/css; charset=utf-8',
    'text/javascript; charset=utf-8',
  ]);
});

test('asks only the gateway that uses the simulator, and sends no form without scripts', async () => {
  expect((await page()).text).not.toContain('Ask the gateway');
  const withGateway = await startSandbox({ gatewayUrl: () => 'https://gateway.example:8443/path' });
  const { headers, text } = await ask({ url: `${withGateway.url}/control`, method: 'GET' });
  await withGateway.close();
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://gateway.example:8443");
  expect(text).toContain(
    '<form class="ask" aria-label="Ask the gateway" method="dialog" data-gateway="https://gateway.example:8443"',
  );
});
