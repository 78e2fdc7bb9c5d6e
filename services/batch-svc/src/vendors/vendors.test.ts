import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BatchBench, lineOf, openBatchBench } from '../testing/batch-bench.ts';

/** A batch that the vendor of these tests has. */
interface OpenedAtVendor {
  name: string;
  lines: { id: string; body: string }[];
  looks: number;
  cancelled: boolean;
}

type VendorCall = 'open' | 'find' | 'look' | 'results' | 'settle';

let bench: BatchBench;
let opened: OpenedAtVendor[] = [];
/** Fails the next calls of these names, after they were carried out. */
let failing: VendorCall[] = [];
/** The vendor refuses every batch. */
let isRefusing = false;
/** How often the vendor, or chat-svc, is asked in vain to open a batch, and the names that it had. */
let troubles: ('vendor' | 'chat-svc' | 'death')[] = [];
let named: string[] = [];
/** The vendor does not end what is cancelled. */
let isStubborn = false;
/** The ids of lines whose answers the vendor loses. */
let lost: string[] = [];
let looksToEnd = 2;
/** The lines that were answered live, and those that were settled. */
let live: string[] = [];
let settled: string[] = [];
/** The times of their records, by the line. */
let times: Record<string, (string | undefined)[]> = {};

const failIf = (call: VendorCall): void => {
  const at = failing.indexOf(call);
  if (at < 0) return;
  failing.splice(at, 1);
  throw new GatewayError('unavailable', 'The connection was lost.');
};
const json = (document: object, status = 200, headers: Record<string, string> = {}) => ({
  head: { status, headers: { 'content-type': 'application/json', ...headers } },
  body: Buffer.from(JSON.stringify(document)),
});
const textOf = async ({ body }: Parameters<ExchangeHandler>[0]): Promise<string> =>
  Buffer.from(await body.bytes()).toString();
const askedOf = async (exchange: Parameters<ExchangeHandler>[0]) =>
  JSON.parse(await textOf(exchange)) as Record<string, string>;
const findOpened = (id: string | undefined) => opened.find(({ name }) => `vendor ${name}` === id);

const complete: ExchangeHandler = async (exchange) => {
  const { mayDefer, answered } = exchange.head.batch ?? {};
  const text = await textOf(exchange);
  if (answered !== undefined) {
    const bytes = Buffer.from(text);
    const { prompt } = JSON.parse(bytes.subarray(0, bytes.length - answered.bytes).toString()) as { prompt: string };
    settled.push(prompt);
    (times[prompt] ??= []).push(exchange.head.batch?.recordAt);
    failIf('settle');
    const choices = [{ message: { content: bytes.subarray(-answered.bytes).toString() } }];
    return json({ choices }, 200, { ...byAcme, 'x-tallyport-cost': '0.25', 'x-tallyport-saved': '0.75' });
  }
  const { prompt, model } = JSON.parse(text) as { prompt: string; model: string };
  if (mayDefer && model.startsWith('vendor'))
    return json({ providerId: 'acme', key: 'service-1', model, endpoint: '/chat', body: text }, 202);
  live.push(prompt);
  return json({ choices: [{ message: { content: 'live' } }] }, 200, { ...byAcme, 'x-tallyport-cost': '1' });
};
const byAcme = { 'x-tallyport-provider': 'acme' };

const chat: Record<string, ExchangeHandler> = {
  complete,
  async openVendorBatch(exchange) {
    const [order = '{}', ...rows] = (await textOf(exchange)).trimEnd().split('\n');
    if (isRefusing) return json({ kind: 'refused' });
    const { name } = JSON.parse(order) as { name: string };
    named.push(name);
    const trouble = troubles.shift();
    if (trouble === 'vendor') return json({ kind: 'none' });
    if (trouble === 'chat-svc') throw new GatewayError('overloaded', 'There is no memory.');
    if (trouble === 'death') throw new GatewayError('unavailable', 'The replica has died.');
    const lines = rows.map((row) => JSON.parse(row) as { id: string; body: string });
    opened.push({ name, lines, looks: 0, cancelled: false });
    failIf('open');
    return json({ kind: 'open', id: `vendor ${name}` });
  },
  async findVendorBatch(exchange) {
    const { name } = await askedOf(exchange);
    failIf('find');
    const found = opened.some((each) => each.name === name);
    return json(found ? { kind: 'open', id: `vendor ${name}` } : { kind: 'none' });
  },
  async lookVendorBatch(exchange) {
    const batch = findOpened((await askedOf(exchange))['id']);
    if (batch === undefined) throw new GatewayError('not_found', 'There is no such batch.');
    batch.looks += 1;
    failIf('look');
    return json({ isOver: (batch.cancelled && !isStubborn) || batch.looks >= looksToEnd });
  },
  async cancelVendorBatch(exchange) {
    const batch = findOpened((await askedOf(exchange))['id']);
    if (batch !== undefined) batch.cancelled = true;
    return json({});
  },
  async vendorBatchResults(exchange) {
    const { lines = [], cancelled } = findOpened((await askedOf(exchange))['id']) ?? {};
    const answered = cancelled ? lines.slice(0, 1) : lines;
    const rows = answered.toReversed().map(({ id, body }) => {
      const { prompt } = JSON.parse(body) as { prompt: string };
      return { id, ...(!lost.includes(prompt) && { body: JSON.stringify(`vendor ${prompt}`) }) };
    });
    failIf('results');
    return { ...json({}), body: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')) };
  },
};

beforeAll(async () => {
  bench = await openBatchBench({}, chat);
});
afterEach(() => {
  [opened, failing, lost, live, settled, times] = [[], [], [], [], [], {}];
  [isRefusing, isStubborn, looksToEnd] = [false, false, 2];
  [troubles, named] = [[], []];
});
afterAll(() => bench.close());

const atVendor = (id: string, model = 'vendor-1') => lineOf(id, { model });
const contentOf = (result: Record<string, unknown> | undefined): unknown =>
  (result as { response: { body: { choices: { message: { content: unknown } }[] } } }).response.body.choices[0]?.message
    .content;

async function run(lines: readonly string[]) {
  const batch = await bench.ended((await bench.create(lines.join('\n')))['id']);
  const results = await bench.results(batch['output_file_id']);
  return { batch, answers: Object.fromEntries(Object.entries(results).map(([id, line]) => [id, contentOf(line)])) };
}

const states = async () =>
  (await bench.database.kysely.selectFrom('vendor_batches').select('state').orderBy('opened_at').execute()).map(
    ({ state }) => state,
  );

test('lines go to a batch for each model, the others run here, and each has one answer', async () => {
  const { batch, answers } = await run([atVendor('a'), lineOf('b'), atVendor('c'), atVendor('d', 'vendor-2')]);
  expect(batch['request_counts']).toEqual({ total: 4, completed: 4, failed: 0 });
  expect(answers).toEqual({ a: '"vendor a"', b: 'live', c: '"vendor c"', d: '"vendor d"' });
  expect(opened.map(({ lines }) => lines.length).toSorted()).toEqual([1, 2]);
  expect(live).toEqual(['b']);
  const byPrice = (batch['answered_by'] as { price: string }[]).toSorted((a, b) => a.price.localeCompare(b.price));
  expect(byPrice).toEqual([
    { provider: 'acme', price: 'batch', lines: 3, cost: 0.75, saved: 2.25 },
    { provider: 'acme', price: 'standard', lines: 1, cost: 1, saved: 0 },
  ]);
});

test('a batch that the vendor refuses, and lines that it loses, run here', async () => {
  isRefusing = true;
  expect((await run([atVendor('a')])).answers).toEqual({ a: 'live' });
  isRefusing = false;
  lost = ['b'];
  expect((await run([atVendor('a'), atVendor('b')])).answers).toEqual({ a: '"vendor a"', b: 'live' });
  expect(opened.length).toBe(1);
});

test.each<VendorCall>(['open', 'find', 'look', 'results', 'settle'])(
  'after the answer to `%s` was lost, the vendor is asked once and each line has one answer',
  async (call) => {
    failing = call === 'find' ? ['open', 'find'] : [call];
    const { answers } = await run([atVendor('a'), atVendor('b')]);
    expect(answers).toEqual({ a: '"vendor a"', b: '"vendor b"' });
    expect(opened.length).toBe(1);
    expect(live).toEqual([]);
  },
);

test('a line that is settled again after a death has the time at which its answer was first there', async () => {
  failing = ['settle', 'settle', 'settle'];
  await run([atVendor('a')]);
  const { rows } = await sql<{
    at: Date;
  }>`select answered_at as at from vendor_batches order by opened_at desc limit 1`.execute(bench.database.kysely);
  expect(times).toEqual({ a: Array.from({ length: 4 }, () => rows[0]?.at.toISOString()) });
});

test('a batch that cannot be opened for a moment is opened again with its name, and none of its lines runs here', async () => {
  troubles = ['vendor', 'chat-svc', 'vendor'];
  const { answers } = await run([atVendor('a'), atVendor('b'), lineOf('c')]);
  expect(answers).toEqual({ a: '"vendor a"', b: '"vendor b"', c: 'live' });
  expect([named.length, new Set(named).size, opened.length, live]).toEqual([4, 1, 1, ['c']]);
});

test('lines whose batch cannot be opened until the last hour of the window run here', async () => {
  troubles = Array.from({ length: 100 }, () => 'vendor');
  const { id } = await bench.create([atVendor('a'), atVendor('b')].join('\n'));
  const names = named;
  await expect.poll(() => names.length).toBeGreaterThan(1);
  expect(live).toEqual([]);
  await sql`update batches set expires_at = now() + interval '50 minutes'`.execute(bench.database.kysely);
  await bench.ended(id);
  expect(live.toSorted()).toEqual(['a', 'b']);
});

test('a batch that waits to be opened again does not keep a cancelled one from ending', async () => {
  troubles = Array.from({ length: 100 }, () => 'vendor');
  const { id } = await bench.create(atVendor('a'));
  const names = named;
  await expect.poll(() => names.length).toBeGreaterThan(1);
  await bench.read('cancelBatch', { path: `${String(id)}/cancel` });
  expect(await bench.ended(id)).toMatchObject({ status: 'cancelled', request_counts: { completed: 0 } });
  expect(live).toEqual([]);
});

test('a batch that the vendor never had is opened again, once it cannot appear any more', async () => {
  troubles = ['death'];
  const { id } = await bench.create(atVendor('a'));
  const names = named;
  await expect.poll(() => names.length).toBe(1);
  await expect.poll(states).toContain('opening');
  await sql`update vendor_batches set opened_at = now() - interval '10 minutes'`.execute(bench.database.kysely);
  const batch = await bench.ended(id);
  expect(contentOf((await bench.results(batch['output_file_id']))['a'])).toBe('"vendor a"');
  expect([named.length, new Set(named).size, live]).toEqual([2, 1, []]);
});

test('a cancelled batch is cancelled at the vendor, and what that has answered is settled', async () => {
  looksToEnd = Infinity;
  const { id } = await bench.create([atVendor('a'), atVendor('b')].join('\n'));
  await expect.poll(() => opened.length).toBe(1);
  await bench.read('cancelBatch', { path: `${String(id)}/cancel` });
  const batch = await bench.ended(id);
  expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 2, completed: 1 } });
  expect(settled).toEqual(['a']);
  expect(opened[0]?.cancelled).toBe(true);
});

test('a batch whose key is revoked is cancelled at the vendor, and what that has answered is paid for', async () => {
  looksToEnd = Infinity;
  const { id } = await bench.create(atVendor('a'));
  await expect.poll(() => opened.length).toBe(1);
  bench.revoked.add('key-of-default');
  try {
    expect(await bench.ended(id)).toMatchObject({ status: 'cancelled', request_counts: { completed: 0 } });
  } finally {
    bench.revoked.clear();
  }
  expect(settled).toEqual(['a']);
});

test('lines of a batch that the vendor does not know any more run here', async () => {
  looksToEnd = Infinity;
  const { id } = await bench.create(atVendor('a'));
  await expect.poll(() => opened.length).toBe(1);
  await expect.poll(() => opened[0]?.looks ?? 0).toBeGreaterThan(0);
  opened = [];
  const batch = await bench.ended(id);
  expect(contentOf((await bench.results(batch['output_file_id']))['a'])).toBe('live');
});

test('a vendor that never ends a cancelled batch does not keep it from ending', async () => {
  looksToEnd = Infinity;
  isStubborn = true;
  const { id } = await bench.create(atVendor('a'));
  await expect.poll(() => opened.length).toBe(1);
  await bench.read('cancelBatch', { path: `${String(id)}/cancel` });
  await expect.poll(() => opened[0]?.cancelled).toBe(true);
  expect(await bench.read('getBatch', { path: String(id) })).toMatchObject({ status: 'cancelling' });
  await sql`update batches set cancelling_at = now() - interval '2 hours' where id = ${id}`.execute(
    bench.database.kysely,
  );
  expect(await bench.ended(id)).toMatchObject({ status: 'cancelled', request_counts: { completed: 0 } });
});
