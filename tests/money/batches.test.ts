import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { totalDollars } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import { inWhole } from '../support/wholly.ts';
import { readLedger } from './books.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

const models = ['gpt-6-luna', 'claude-opus-4-8', 'gemini-3.6-flash', 'mistral-small-2603', 'grok-4.3', 'sandbox-chat'];
const atVendors = 5;

let system: MoneySystem;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-batches-'));
  system = await startMoneySystem({
    replicas: { 'chat-svc': 2, 'batch-svc': 2 },
    environment: { FILES_DIR: folder },
    readyMs: 150_000,
  });
}, 180_000);
afterEach(() => system.simulator.batches.behave());
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true });
}, 60_000);

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
  output_file_id: string | null;
  error_file_id: string | null;
  request_counts: { total: number; completed: number };
}

async function ended(id: string, deadlineMs = 120_000): Promise<EndedBatch> {
  let batch: EndedBatch | undefined;
  const hasEnded = async () => {
    batch = await read<EndedBatch>(`/v1/batches/${id}`).catch(() => undefined);
    return batch?.status === 'completed' || batch?.status === 'cancelled';
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
  await expect.poll(async () => Math.abs((await paid()) - dollars()) < 1e-9, { timeout: 60_000 }).toBe(true);
}

/** The requests that vendors got in batches; each may be there once. */
function submitted(name: string): string[] {
  const lines = system.simulator.batches.opened.flatMap((batch) => batch.lines);
  return lines.map(({ body }) => JSON.stringify(body)).filter((text) => text.includes(`Hello ${name} `));
}

test(
  'lines of several models go partly to vendors, and one file has each answer once, at the price of the bill',
  { timeout: 180_000 },
  async () => {
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
  },
);

test(
  'replicas that are killed while vendors have lines answer and pay each line once',
  { timeout: 240_000 },
  async () => {
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
  },
);

test.runIf(inWhole('a batch of 50,000 lines whose replicas are killed'))(
  'a batch of 50,000 lines is answered and paid once though its replicas are killed ten times',
  { timeout: 1_800_000 },
  async () => {
    const total = 50_000;
    const kills = 10;
    const paidBefore = await paid();
    const billedBefore = dollars();
    const id = await createBatch('large', total / models.length);
    const completed = async (): Promise<number> => {
      const batch = await read<EndedBatch>(`/v1/batches/${id}`).catch(() => undefined);
      return batch?.request_counts.completed ?? 0;
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const reached = (total * kill) / (kills + 1);
      const isReached = async () => (await completed()) >= reached;
      await waitUntil(`${String(reached)} lines`, isReached, { deadlineMs: 600_000, everyMs: 250 });
      await system.gateway.kill('batch-svc', { index: kill % 2 });
      await system.gateway.restart('batch-svc', { index: kill % 2 });
    }
    const batch = await ended(id, 900_000);
    const results = await resultsOf(batch.output_file_id);
    expect(batch).toMatchObject({ error_file_id: null, request_counts: { total, completed: total } });
    expect([results.length, new Set(results.map((result) => result.custom_id)).size]).toEqual([total, total]);
    expect(submitted('large').length).toBe(new Set(submitted('large')).size);
    const difference = async () => Math.abs((await paid()) - paidBefore - (dollars() - billedBefore)) < 1e-7;
    await expect.poll(difference, { timeout: 120_000, interval: 2_000 }).toBe(true);
  },
);
