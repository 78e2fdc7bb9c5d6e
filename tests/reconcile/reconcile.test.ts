import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import { keyLabel, type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';

const gatewayKey = 'sk-of-the-gateway';
const adminKeys = { OPENAI_ADMIN_KEY: 'sk-admin-secret', ANTHROPIC_ADMIN_KEY: 'sk-ant-admin-secret' };
const wrongKey = 'sk-wrong-secret';
const claude = 'claude-sonnet-4-6';
/** One for each kind of difference. */
const kinds = ['equal', 'midnight', 'unpriced', 'tier', 'price', 'failed', 'estimated', 'unexplained'] as const;
const modelOf = (kind: string): string => `chat-${kind}`;

const dayMs = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const today = dayOf(Date.now());
const yesterday = dayOf(Date.now() - dayMs);
const from = dayOf(Date.now() - 2 * dayMs);

const ourPrices = { prompt: '0.000001', completion: '0.001' };
const theirPrices = { tokens: { input: '1', output: '1000', reasoning: '1000' } };
const offered = (kind: string): object => ({
  contextLength: 32_768,
  features: ['streaming', 'sampling'],
  offers: { openai: { model: modelOf(kind), pricing: kind === 'unpriced' ? { prompt: ourPrices.prompt } : ourPrices } },
});

type BillLine = ReturnType<SimulatedVendors['bill']['lines']>[number];

/** What the vendors report instead of their bill. */
const reported = (lines: readonly BillLine[]): BillLine[] =>
  lines.map((line) => {
    if (line.model === modelOf('midnight')) return { ...line, day: yesterday };
    if (line.model === modelOf('tier')) return { ...line, tier: 'ultrafast', dollars: doubled(line.dollars) };
    return line.model === claude ? { ...line, dollars: line.dollars?.replace(/(\.\d{5})\d+$/, '$1') } : line;
  });

const doubled = (dollars = '0'): string => (Number(dollars) * 2).toFixed(6);

let place: TestDatabase;
let database: Database;
let simulator: SimulatedVendors;
let gateway: Gateway;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-reconcile-'));
  const config = join(folder, 'tallyport.yaml');
  await writeFile(
    config,
    JSON.stringify({ models: Object.fromEntries(kinds.map((kind) => [modelOf(kind), offered(kind)])) }),
  );
  await writeFile(join(folder, 'map.json'), JSON.stringify({ keys: { [keyLabel(gatewayKey)]: '' } }));
  const dearer = { tokens: { input: '1.5', output: '1500', reasoning: '1500' } };
  const prices = kinds.map((kind) => [modelOf(kind), kind === 'price' ? dearer : theirPrices]);
  simulator = await startSimulator({ chunksPerSecond: 0, prices: { openai: Object.fromEntries(prices) }, reported });
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url });
  gateway = await startGateway({
    DATABASE_URL: place.url,
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    TALLYPORT_CONFIG: config,
    OPENAI_API_KEY: gatewayKey,
    OPENAI_BASE_URL: simulator.baseUrl('openai'),
    ANTHROPIC_API_KEY: gatewayKey,
    ANTHROPIC_BASE_URL: simulator.baseUrl('anthropic'),
  });
});

afterAll(async () => {
  await gateway?.stop();
  await simulator?.close();
  await database?.close();
  await place?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function ask(model: string, content: string): Promise<number> {
  const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

const costOf = async (model: string): Promise<string> => {
  const { rows } = await sql<{ cost: string }>`
    select trim_scale(coalesce(sum(cost), 0))::text as cost from usage_records where model = ${model}`.execute(
    database.kysely,
  );
  return rows[0]?.cost ?? '';
};

/** All that the command has written. */
const written: string[] = [];

interface CommandRun {
  code: number | null;
  out: string;
  err: string;
}

async function reconcile(
  words: readonly string[],
  environment: Record<string, string> = adminKeys,
): Promise<CommandRun> {
  const command = ['services/ledger-svc/src/commands/reconcile.ts', '--from', from, '--to', today, ...words];
  const child = spawn(process.execPath, command, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: place.url,
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      OPENAI_BASE_URL: simulator.baseUrl('openai'),
      ANTHROPIC_BASE_URL: simulator.baseUrl('anthropic'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  written.push(out, err);
  return { code, out, err };
}

interface Row {
  model: string;
  key: string;
  difference: string;
  reasons: Record<string, string>;
}

/** The reasons of each model, added up. */
function reasonsByModel(rows: readonly Row[]): Record<string, Record<string, number>> {
  const found: Record<string, Record<string, number>> = {};
  for (const { model, reasons } of rows) {
    for (const [reason, amount] of Object.entries(reasons)) {
      const own = (found[model] ??= {});
      own[reason] = Number(((own[reason] ?? 0) + Number(amount)).toFixed(12));
    }
  }
  return found;
}

const billed = (model: string): number =>
  reported(simulator.bill.lines())
    .filter((line) => line.model === model)
    .reduce((total, { dollars = '0' }) => total + Number(dollars), 0);

test('equal bills are equal', async () => {
  expect(await ask(modelOf('equal'), '[words:4] one two')).toBe(200);
  expect(await ask(claude, '[words:4] three')).toBe(200);
  await expect.poll(() => costOf(claude)).not.toBe('0');
  const equal = await reconcile(['--installation', '--vendor', 'openai']);
  expect(equal).toMatchObject({ code: 0, err: '' });
  expect(equal.out).toContain(`openai, ${from} to ${today} (UTC): equal\n`);
});

/** Sends a request of each kind, and adds to the bills what the gateway does not know. */
async function injectDifferences(): Promise<void> {
  for (const kind of kinds) {
    if (kind === 'estimated') simulator.faults.set({ model: modelOf(kind), fault: 'no-usage', times: 1 });
    expect(await ask(modelOf(kind), `[words:4] ${kind}`)).toBe(200);
  }
  simulator.faults.set({ model: modelOf('failed'), fault: 'reset' });
  expect(await ask(modelOf('failed'), '[words:4] failed again')).toBeGreaterThanOrEqual(500);
  const line = {
    day: today,
    vendor: 'openai',
    key: keyLabel(gatewayKey),
    of: 'input',
    tier: 'default',
    geo: undefined,
  } as const;
  simulator.bill.add({ ...line, model: modelOf('failed'), count: 70, requests: 1, dollars: '0.00007' });
  // As if the estimate had one token less than the answer.
  simulator.bill.add({ ...line, of: 'output', model: modelOf('estimated'), count: 1, requests: 0, dollars: '0.001' });
  simulator.bill.add({ ...line, model: modelOf('unexplained'), count: 9, requests: 0, dollars: '0.000009' });
  simulator.bill.add({ ...line, model: 'never-called', count: 9, requests: 1, dollars: '0.123456789' });
  simulator.bill.add({ ...line, model: modelOf('equal'), key: 'key_other', count: 5, requests: 1, dollars: '0.25' });
  await expect.poll(() => countOfRecords()).toBe(11);
  // A request that began yesterday cannot be waited for.
  await sql`update usage_records set duration_ms = ${dayMs} where model = ${modelOf('midnight')}`.execute(
    database.kysely,
  );
}

test('every injected difference is named with its amount', async () => {
  await injectDifferences();
  const map = join(folder, 'map.json');
  const run = await reconcile(['--installation', '--vendor', 'openai,anthropic', '--map', map, '--json']);
  expect(run).toMatchObject({ code: 1, err: '' });
  const [openai, anthropic] = (JSON.parse(run.out) as { results: (Row & { rows: Row[] })[] }).results;
  const [midnight, tier, price] = [modelOf('midnight'), modelOf('tier'), modelOf('price')].map(billed);
  const estimated = billed(modelOf('estimated')) - Number(await costOf(modelOf('estimated')));
  expect(reasonsByModel(openai?.rows ?? [])).toEqual({
    [modelOf('midnight')]: { other_day: 0 },
    [modelOf('unpriced')]: { unpriced: close(billed(modelOf('unpriced'))) },
    [modelOf('tier')]: { unknown_tier: close((tier ?? 0) / 2) },
    [modelOf('price')]: { other_price: close((price ?? 0) / 3) },
    [modelOf('failed')]: { failed_after_count: 0.000_07 },
    [modelOf('estimated')]: { estimated: close(estimated) },
    [modelOf('unexplained')]: { unexplained: 0.000_009 },
    [modelOf('equal')]: { outside_gateway: 0.25 },
    'never-called': { outside_gateway: 0.123_456_789 },
  });
  expect(midnight).toBeGreaterThan(0);
  const ofMidnight = openai?.rows.filter(({ model }) => model === modelOf('midnight')) ?? [];
  const moved = ofMidnight.reduce((total, { difference }) => total + Math.abs(Number(difference)), 0);
  expect(moved).toBeCloseTo(2 * (midnight ?? 0), 9);
  const rounded = billed(claude) - Number(await costOf(claude));
  expect(rounded).toBeLessThan(0);
  expect(reasonsByModel(anthropic?.rows ?? [])).toEqual({ [claude]: { rounding: close(rounded) } });
});

const close = (amount: number): unknown => expect.closeTo(amount, 9);

const countOfRecords = async (): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) from usage_records`.execute(database.kysely);
  return Number(rows[0]?.count);
};

async function listAs(accountId: string) {
  const { key } = await createKey(database, { ...operator, accountId }, { name: 'admin', admin: true });
  const response = await fetch(`${gateway.baseUrl}/api/v1/reconciliations?limit=2`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  written.push(text);
  expect(response.status).toBe(200);
  return JSON.parse(text).reconciliations as { vendor: string; scope: string; reasons: object }[];
}

test('the results are listed for operators, newest first', async () => {
  await database.kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  expect(await listAs('other')).toEqual([]);
  const kept = await listAs('default');
  expect(kept.map(({ vendor, scope }) => [vendor, scope])).toEqual([
    ['anthropic', 'installation'],
    ['openai', 'installation'],
  ]);
  expect(Object.keys(kept[1]?.reasons ?? {}).toSorted()).toEqual([
    'estimated',
    'failed_after_count',
    'other_price',
    'outside_gateway',
    'unexplained',
    'unknown_tier',
    'unpriced',
  ]);
});

test('failures have exit code 2 and a sentence without the key', async () => {
  const words = ['--installation', '--vendor', 'openai'];
  expect(await reconcile(words, {})).toEqual({
    code: 2,
    out: '',
    err: 'Set OPENAI_ADMIN_KEY to an admin key (sk-admin-…) that may read usage of OpenAI, for this run only.\n',
  });
  expect(await reconcile(words, { OPENAI_ADMIN_KEY: wrongKey })).toEqual({
    code: 2,
    out: '',
    err: 'OpenAI refused the key. Its reports need an admin key (sk-admin-…) that may read usage.\n',
  });
  const usage = await reconcile(['--installation', '--vendor', 'unknown']);
  expect([usage.code, usage.err.startsWith('Usage:')]).toEqual([2, true]);
});

test('a bill as CSV is compared in the same way', async () => {
  const lines = simulator.bill.lines().filter(({ model }) => model === modelOf('equal'));
  const rows = lines.map(({ day, model, of, dollars }) => `${day},"${model}",${of},${dollars}`);
  await writeFile(join(folder, 'bill.csv'), `Day,Model,Class,Cost\n${rows.join('\n')}\n`);
  const columns = { day: 'Day', model: 'Model', class: 'Class', amount: 'Cost' };
  await writeFile(join(folder, 'csv.json'), JSON.stringify({ columns }));
  const files = ['--csv', join(folder, 'bill.csv'), '--map', join(folder, 'csv.json')];
  const run = await reconcile(['--installation', '--vendor', 'openai', ...files, '--json'], {});
  const [result] = (JSON.parse(run.out) as { results: { rows: Row[] }[] }).results;
  const equal = result?.rows.filter(({ model }) => model === modelOf('equal'));
  expect(reasonsByModel(equal ?? [])).toEqual({ [modelOf('equal')]: { unexplained: 0.25 } });
});

test('the admin keys are in no output and no result', async () => {
  const { rows } = await sql<{ text: string }>`select reconciliations::text as text from reconciliations`.execute(
    database.kysely,
  );
  const all = [gateway.output(), ...written, ...rows.map(({ text }) => text)].join('\n');
  for (const part of ['"message":"catalogue loaded"', 'OpenAI refused the key.', ...kinds]) expect(all).toContain(part);
  for (const key of [...Object.values(adminKeys), wrongKey]) expect(all).not.toContain(key);
});
