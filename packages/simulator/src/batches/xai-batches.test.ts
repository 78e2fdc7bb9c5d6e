import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SimulatedVendors, startSimulator } from '../index.ts';

let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['key'] });
});
afterEach(() => simulator.batches.behave());
afterAll(() => simulator.close());

interface Batch {
  batch_id: string;
  cancel_time: string | null;
  cancel_by_xai_message: string | null;
  state: { num_requests: number; num_pending: number; num_success: number; num_error: number; num_cancelled: number };
}

interface Row {
  batch_request_id: string;
  batch_result: {
    response?: { chat_get_completion: { usage: { cost_in_usd_ticks: number } } };
    error: { code: number };
  };
}

const send = (path: string, options: RequestInit = {}) =>
  fetch(simulator.baseUrl('xai') + path, { ...options, headers: { authorization: 'Bearer key' } });
const read = async <Document>(path: string, options?: RequestInit) => {
  const response = await send(path, options);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Document;
};

const line = (id: string, model = 'grok-4.3') =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  });

function formOf(fields: Readonly<Record<string, string | File>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return { method: 'POST', body: form };
}

async function create(lines: readonly string[]): Promise<Batch> {
  const file = new File([lines.join('\n')], 'in.jsonl');
  const { id } = await read<{ id: string }>('/files', formOf({ expires_after: '86400', file }));
  return read('/batches', { method: 'POST', body: JSON.stringify({ name: 'mine', input_file_id: id }) });
}

async function ended({ batch_id: id }: Batch): Promise<Batch> {
  for (;;) {
    const batch = await read<Batch>(`/batches/${id}`);
    if (batch.state.num_pending === 0 && (batch.state.num_requests > 0 || batch.cancel_time !== null)) return batch;
  }
}

async function resultsOf({ batch_id: id }: Batch): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = [];
  let token: string | null = '0';
  let pages = 0;
  for (; token !== null; pages += 1) {
    const page: { results: Row[]; pagination_token: string | null } = await read(
      `/batches/${id}/results?limit=20&pagination_token=${token}`,
    );
    rows.push(...page.results);
    token = page.pagination_token;
  }
  return { rows, pages };
}

test('a batch answers in pages and another order, at the cost that is billed', async () => {
  simulator.batches.behave({ fails: ({ customId }) => customId === 'b' });
  const created = await create(['a', 'b', 'c'].map((id) => line(id)));
  expect(created).toMatchObject({ name: 'mine', cancel_time: null, state: { num_requests: 0, num_pending: 0 } });
  const batch = await ended(created);
  expect(batch.state).toEqual({ num_requests: 3, num_pending: 0, num_success: 2, num_error: 1, num_cancelled: 0 });
  const { rows, pages } = await resultsOf(batch);
  expect(pages).toBe(2);
  expect(rows.map(({ batch_request_id: id, batch_result: { error } }) => [id, error.code])).toEqual([
    ['c', 0],
    ['b', 3],
    ['a', 0],
  ]);
  const ticks = rows.reduce(
    (sum, { batch_result: { response } }) => sum + (response?.chat_get_completion.usage.cost_in_usd_ticks ?? 0),
    0,
  );
  const billed = simulator.bill.lines().filter(({ vendor }) => vendor === 'xai');
  expect(new Set(billed.map(({ tier }) => tier))).toEqual(new Set(['batch']));
  expect(ticks / 10_000_000_000).toBeCloseTo(
    billed.reduce((sum, { dollars }) => sum + Number(dollars), 0),
    9,
  );
  expect(ticks).toBeGreaterThan(0);
});

test('a batch that is cancelled has half of its answers', async () => {
  const created = await create(['a', 'b'].map((id) => line(id)));
  expect(await read<Batch>(`/batches/${created.batch_id}:cancel`, { method: 'POST' })).toMatchObject({
    cancel_time: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    cancel_by_xai_message: null,
  });
  const batch = await ended(created);
  expect(batch.state).toMatchObject({ num_success: 1, num_cancelled: 1 });
  const { rows } = await resultsOf(batch);
  expect(rows.map(({ batch_request_id: id, batch_result: { error } }) => [id, error.code])).toEqual([
    ['b', 1],
    ['a', 0],
  ]);
});

test('a file with a wrong line, or a model without batches, is cancelled by the vendor', async () => {
  for (const wrong of [[line('a'), line('a')], [line('a', 'grok-4.6')]])
    expect(await ended(await create(wrong))).toMatchObject({
      cancel_time: expect.any(String),
      cancel_by_xai_message: expect.stringMatching(/^JSONL file validation failed: /),
      state: { num_requests: 0 },
    });
});

test('an expiry after the file, and a batch without a name, are refused', async () => {
  const file = new File([line('a')], 'in.jsonl');
  expect((await send('/files', formOf({ file, expires_after: '86400' }))).status).toBe(400);
  expect((await send('/batches', { method: 'POST', body: '{"input_file_id":"file_1"}' })).status).toBe(400);
  expect((await send('/batches/batch_other')).status).toBe(404);
});
