import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SimulatedVendors, startSimulator } from '../index.ts';

let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['key'] });
});
afterEach(() => simulator.batches.behave());
afterAll(() => simulator.close());

interface Job {
  id: string;
  status: string;
  output_file: string | null;
  error_file: string | null;
  errors: { message: string }[];
}

const send = (path: string, options: RequestInit = {}) =>
  fetch(simulator.baseUrl('mistral') + path, {
    ...options,
    headers: { authorization: 'Bearer key', ...options.headers },
  });
const read = async <Document>(path: string, options?: RequestInit) => {
  const response = await send(path, options);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Document;
};
const posting = (document: object) => ({ method: 'POST', body: JSON.stringify(document) });

const body = { messages: [{ role: 'user', content: 'Hello' }] };
const line = (id: string, changes: object = {}) => JSON.stringify({ custom_id: id, body, ...changes });

async function create(lines: readonly string[], changes: object = {}): Promise<Job> {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new File([lines.join('\n')], 'in.jsonl'));
  const { id } = await read<{ id: string }>('/files', { method: 'POST', body: form });
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const job = { input_files: [id], endpoint: '/v1/chat/completions', model: 'mistral-small-2603', ...changes };
  return read('/batch/jobs', posting(job));
}

async function ended({ id }: Job) {
  const statuses: string[] = [];
  for (;;) {
    const job = await read<Job>(`/batch/jobs/${id}`);
    statuses.push(job.status);
    if (!/QUEUED|RUNNING|REQUESTED/.test(job.status)) return { job, statuses };
  }
}

interface Row {
  custom_id: string;
  response: { status_code: number } | null;
}

const rowsOf = async (file: string | null): Promise<[string, number | undefined][]> => {
  const text = await (await send(`/files/${String(file)}/content`)).text();
  const rows = text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as Row);
  return rows.map(({ custom_id: id, response }) => [id, response?.status_code]);
};

test('a job goes through its states, answers in another order, and is billed at half', async () => {
  simulator.batches.behave({ fails: ({ customId }) => customId === 'b' });
  const created = await create([line('a'), line('b'), line('c')]);
  expect(created).toMatchObject({ status: 'QUEUED', output_file: null });
  const { job, statuses } = await ended(created);
  expect(statuses).toEqual(['RUNNING', 'RUNNING', 'SUCCESS']);
  expect(await rowsOf(job.output_file)).toEqual([
    ['c', 200],
    ['a', 200],
  ]);
  expect(await rowsOf(job.error_file)).toEqual([['b', 500]]);
  const [input] = simulator.bill.lines().filter(({ vendor, of }) => vendor === 'mistral' && of === 'input');
  expect(input).toMatchObject({ model: 'mistral-small-2603', tier: 'batch', requests: 2 });
  expect(Number(input?.dollars)).toBeCloseTo((input?.count ?? 0) * 0.000000075, 12);
});

test('a job is cancelled, or ends after its time, with half of its answers', async () => {
  const created = await create([line('a'), line('b')]);
  expect((await read<Job>(`/batch/jobs/${created.id}/cancel`, { method: 'POST' })).status).toBe(
    'CANCELLATION_REQUESTED',
  );
  const { job: cancelled } = await ended(created);
  expect([cancelled.status, await rowsOf(cancelled.output_file)]).toEqual(['CANCELLED', [['a', 200]]]);
  simulator.batches.behave({ ending: 'expired' });
  const { job: late } = await ended(await create([line('a'), line('b')]));
  expect([late.status, await rowsOf(late.output_file)]).toEqual(['TIMEOUT_EXCEEDED', [['a', 200]]]);
});

test('a job with a wrong line fails, and one without a model is refused', async () => {
  expect(await create([line('a'), line('a')])).toMatchObject({ status: 'FAILED', output_file: null });
  expect((await create(['no JSON'])).errors).toEqual([{ message: 'Line 1 is invalid.', count: 1 }]);
  const refused = await send('/batch/jobs', posting({ input_files: [], endpoint: '/v1/chat/completions' }));
  expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ object: 'error' })]);
});

test('the newest jobs come first if that is asked for', async () => {
  const [older, newer] = [await create([line('a')]), await create([line('b')])];
  const list = await read<{ data: Job[]; total: number }>('/batch/jobs?page_size=2&order_by=-created');
  expect(list.data.map(({ id }) => id)).toEqual([newer.id, older.id]);
  const rest = await read<{ data: Job[] }>(`/batch/jobs?page=1&page_size=1&order_by=-created`);
  expect(rest.data.map(({ id }) => id)).toEqual([older.id]);
  expect((await send('/batch/jobs', { headers: { authorization: 'Bearer another' } })).status).toBe(401);
});
