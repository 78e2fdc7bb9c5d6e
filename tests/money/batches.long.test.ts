import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { totalDollars } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import { wholly } from '../support/scale.ts';
import { readHeld, readLedger, readSpent } from './books.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it kills replicas in the middle of batches.
// About: services/batch-svc/src, services/chat-svc/src/vendor-batches, packages/dispatch/src/batches, packages/serving/src/metering.

const models = ['gpt-6-luna', 'claude-opus-4-8', 'gemini-3.6-flash', 'mistral-small-2603', 'grok-4.3', 'sandbox-chat'];
const atVendors = 5;

let system: MoneySystem;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-batches-'));
  system = await startMoneySystem({
    replicas: { 'chat-svc': 2, 'batch-svc': 2 },
    environment: { FILES_DIR: folder },
  });
});
afterEach(() => {
  system.simulator.batches.behave();
  system.simulator.faults.clear();
});
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true });
});

interface Result {
  custom_id: string;
  response: { status_code: number; body: { usage: { cost: number } } };
}

const headers = () => ({ authorization: `Bearer ${system.gateway.apiKey}` });
const read = async <Document>(path: string, options: RequestInit = {}): Promise<Document> => {
  const response = await fetch(system.gateway.baseUrl + path, {
    ...options,
    headers: { ...headers(), ...options.headers },
  });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Document;
};

/** A batch of so many lines for each model. */
async function createBatch(name: string, count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, at) =>
    models.map((model) => {
      const messages = [{ role: 'user', content: `Hello ${name} ${model} ${at}` }];
      return {
        custom_id: `${model}-${at}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model, max_tokens: 20, messages },
      };
    }),
  ).flat();
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'in.jsonl'));
  const { id: input } = await read<{ id: string }>('/v1/files', { method: 'POST', body: form });
  const request = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const body = JSON.stringify(request);
  const posted = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  return (await read<{ id: string }>('/v1/batches', posted)).id;
}

interface EndedBatch {
  status: string;
  errors: { data: { code: string; message: string }[] } | null;
  output_file_id: string | null;
  error_file_id: string | null;
  request_counts: { total: number; completed: number };
  answered_by: { provider: string; price: string; lines: number; cost: number; saved: number }[];
}

async function ended(id: string, deadlineMs = 120_000): Promise<EndedBatch> {
  let batch: EndedBatch | undefined;
  const hasEnded = async () => {
    batch = await read<EndedBatch>(`/v1/batches/${id}`).catch(() => undefined);
    return ['completed', 'cancelled', 'failed'].includes(batch?.status ?? '');
  };
  await waitUntil('the batch to end', hasEnded, { deadlineMs });
  if (batch === undefined) throw new Error('There is no batch.');
  return batch;
}

async function resultsOf(fileId: string | null): Promise<Result[]> {
  const response = await fetch(`${system.gateway.baseUrl}/v1/files/${String(fileId)}/content`, { headers: headers() });
  const rows = (await response.text()).trim().split('\n');
  return rows.map((row) => JSON.parse(row) as Result);
}

const dollars = (): number => Number(totalDollars(system.simulator.bill.lines()));
const paid = async (): Promise<number> =>
  (await readLedger(system)).reduce((sum, { cost }) => sum + Number(cost ?? Number.NaN), 0);

/** Everything that vendors billed is in the ledger, to the cent of a cent. */
async function moneyEqualsBill(): Promise<void> {
  await expect.poll(async () => Math.abs((await paid()) - dollars()) < 1e-9).toBe(true);
}

/** The requests that vendors got in batches; each may be there once. */
function submitted(name: string): string[] {
  const lines = system.simulator.batches.opened.flatMap((batch) => batch.lines);
  return lines.map(({ body }) => JSON.stringify(body)).filter((text) => text.includes(`Hello ${name} `));
}

test('lines of several models go partly to vendors, and one file has each answer once, at the price of the bill', async () => {
  const count = 20;
  const batch = await ended(await createBatch('hybrid', count));
  expect(batch).toMatchObject({ status: 'completed', error_file_id: null });
  const results = await resultsOf(batch.output_file_id);
  const ids = models.flatMap((model) => Array.from({ length: count }, (_, at) => `${model}-${at}`));
  expect(results.map((result) => result.custom_id).toSorted()).toEqual(ids.toSorted());
  expect(new Set(results.map(({ response }) => response.status_code))).toEqual(new Set([200]));
  expect(new Set(submitted('hybrid')).size).toBe(count * atVendors);
  expect(submitted('hybrid').length).toBe(count * atVendors);
  await moneyEqualsBill();
  const lines = (await readLedger(system)).filter(({ tier }) => tier === 'batch');
  expect(lines.length).toBe(count * atVendors);
  const shown = results.reduce((sum, { response }) => sum + response.body.usage.cost, 0);
  expect(shown).toBeCloseTo(await paid(), 9);
});

test('while vendors fail for a moment, no line leaves them, and each has the price of their batches', async () => {
  const count = 5;
  const away = ['openai', 'mistral'].map((provider) => ({ provider, fault: 'status:503', times: 4 }));
  for (const fault of away) system.simulator.faults.set(fault);
  const id = await createBatch('away', count);
  const batch = await ended(id);
  expect(system.simulator.requests.filter(({ status }) => status === 503).length).toBe(8);
  const byPrice = Map.groupBy(batch.answered_by, ({ price }) => price);
  const linesAt = (price: string) => byPrice.get(price)?.reduce((sum, { lines }) => sum + lines, 0);
  expect([linesAt('batch'), linesAt('standard')]).toEqual([count * atVendors, count]);
  expect(submitted('away').length).toBe(count * atVendors);
  await moneyEqualsBill();
  const records = (await readLedger(system)).filter(({ mark }) => mark.startsWith(id));
  expect(records.filter(({ tier }) => tier === 'batch').length).toBe(count * atVendors);
});

/** In billionths of a dollar: what the lines of a batch may cost, and those that have not ended. */
async function estimateOf(id: string): Promise<{ estimate: number; reserved: number }> {
  const row = await system.database.kysely.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
  return { estimate: Number(row?.estimate ?? 0), reserved: Number(row?.reserved ?? 0) };
}

const plenty = 1e14;
const allowBudget = async (nanodollars: number): Promise<void> => {
  const amount = (nanodollars / 1e9).toFixed(9);
  await system.database.kysely
    .updateTable('accounts')
    .set({ budget: JSON.stringify({ amount, period: 'total' }) })
    .execute();
};
const soon = { interval: 200 };
const nothingHeld = () => expect.poll(() => readHeld(system), soon).toBe(0);

test('of two batches that need what is left of the budget one runs, which holds what vendors have, and the other fails at once', async () => {
  await nothingHeld();
  const count = 5;
  const first = await createBatch('first', count);
  await ended(first);
  const { estimate } = await estimateOf(first);
  expect(estimate).toBeGreaterThan(0);
  await nothingHeld();
  system.simulator.batches.behave({ looks: 6 });
  const spent = (await readSpent(system)) ?? Number.NaN;
  await allowBudget(spent + Math.floor(estimate * 1.5));
  const ids = await Promise.all(['other', 'third'].map((name) => createBatch(name, count)));
  const isRunning = async (id: string) => (await estimateOf(id)).estimate > 0;
  await waitUntil('one batch to begin', async () => (await isRunning(ids[0] ?? '')) || (await isRunning(ids[1] ?? '')));
  const atVendor = async () => {
    const running = (await isRunning(ids[0] ?? '')) ? ids[0] : ids[1];
    const { reserved } = await estimateOf(running ?? '');
    return { isLess: reserved > 0 && reserved < estimate, isHeld: (await readHeld(system)) === reserved };
  };
  await expect.poll(atVendor, soon).toEqual({ isLess: true, isHeld: true });
  const both = await Promise.all(ids.map((id) => ended(id)));
  expect(both.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed']);
  const refused = both.find(({ status }) => status === 'failed');
  expect(refused?.errors?.data).toMatchObject([{ code: 'budget_exceeded' }]);
  expect(refused?.errors?.data[0]?.message).toMatch(
    /^This account's budget of \$[\d.]+ does not allow this batch: .* reserved by running requests and batches, and its lines may cost \$[\d.]+\. Send fewer lines, allow fewer tokens of output, or raise the budget\.$/,
  );
  await nothingHeld();
  await moneyEqualsBill();
});

test('a batch that is cancelled releases what it holds', async () => {
  await allowBudget(plenty);
  system.simulator.batches.behave({ looks: 1_000 });
  const id = await createBatch('cancelled', 5);
  await waitUntil('the batch to begin', async () => (await estimateOf(id)).estimate > 0);
  await read(`/v1/batches/${id}/cancel`, { method: 'POST' });
  expect(await ended(id)).toMatchObject({ status: 'cancelled' });
  await nothingHeld();
});

test('a killed replica of batch-svc neither doubles nor keeps what its batch holds', async () => {
  await allowBudget(plenty);
  system.simulator.batches.behave({ looks: 4 });
  const id = await createBatch('held', 20);
  let [isEnded, most] = [false, 0];
  const over = ended(id).finally(() => (isEnded = true));
  const look = async () => {
    most = Math.max(most, (await readHeld(system)) ?? 0);
    return isEnded;
  };
  const looking = waitUntil('the batch to end', look);
  for (let kills = 0; kills < 3 && !isEnded; kills += 1) {
    await system.gateway.kill('batch-svc', { index: kills % 2 });
    await system.gateway.restart('batch-svc', { index: kills % 2 });
  }
  expect(await over).toMatchObject({ status: 'completed' });
  await looking;
  const { estimate } = await estimateOf(id);
  expect({ isMore: most > estimate, isHeld: most > 0 }).toEqual({ isMore: false, isHeld: true });
  await nothingHeld();
});

test('replicas that are killed while vendors have lines answer and pay each line once', async () => {
  const count = 20;
  system.simulator.batches.behave({ looks: 4 });
  const id = await createBatch('killed', count);
  const isOver = ended(id);
  let hasEnded = false;
  void isOver.finally(() => (hasEnded = true));
  for (let kills = 0; kills < 6 && !hasEnded; kills += 1) {
    const service = kills % 2 === 0 ? 'batch-svc' : 'chat-svc';
    const index = kills % 4 < 2 ? 0 : 1;
    await system.gateway.kill(service, { index });
    await system.gateway.restart(service, { index });
  }
  const batch = await isOver;
  const results = await resultsOf(batch.output_file_id);
  expect(batch.request_counts).toMatchObject({ total: count * models.length, completed: count * models.length });
  expect(new Set(results.map((result) => result.custom_id)).size).toBe(count * models.length);
  expect(submitted('killed').length).toBe(new Set(submitted('killed')).size);
});

test.runIf(wholly)(
  'a batch of 50,000 lines is answered and paid once though its replicas are killed ten times',
  async () => {
    const perModel = Math.floor(50_000 / models.length);
    const total = perModel * models.length;
    const kills = 10;
    const paidBefore = await paid();
    const billedBefore = dollars();
    const id = await createBatch('large', perModel);
    const completed = async (): Promise<number> => {
      const batch = await read<EndedBatch>(`/v1/batches/${id}`).catch(() => undefined);
      return batch?.request_counts.completed ?? 0;
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const reached = (total * kill) / (kills + 1);
      const isReached = async () => (await completed()) >= reached;
      await waitUntil(`${String(reached)} lines`, isReached, { everyMs: 250 });
      await system.gateway.kill('batch-svc', { index: kill % 2 });
      await system.gateway.restart('batch-svc', { index: kill % 2 });
    }
    const batch = await ended(id, 900_000);
    const results = await resultsOf(batch.output_file_id);
    expect(batch).toMatchObject({ error_file_id: null, request_counts: { total, completed: total } });
    expect([results.length, new Set(results.map((result) => result.custom_id)).size]).toEqual([total, total]);
    expect(submitted('large').length).toBe(new Set(submitted('large')).size);
    const difference = async () => Math.abs((await paid()) - paidBefore - (dollars() - billedBefore)) < 1e-7;
    await expect.poll(difference, { interval: 2_000 }).toBe(true);
  },
);
