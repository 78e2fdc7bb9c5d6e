import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SimulatedVendors, startSimulator } from '../index.ts';

let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['key'] });
});
afterEach(() => simulator.batches.behave());
afterAll(() => simulator.close());

const messages = [{ role: 'user' as const, content: 'Hello' }];
const openAi = () => new OpenAI({ baseURL: simulator.baseUrl('openai'), apiKey: 'key', maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: simulator.baseUrl('anthropic'), apiKey: 'key', maxRetries: 0 });

const lineOf = (id: string, changes: object = {}) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', messages },
    ...changes,
  });

async function createAtOpenAi(lines: readonly string[]) {
  const file = await openAi().files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'a.jsonl'),
    purpose: 'batch',
  });
  return openAi().batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { name: 'mine' },
  });
}

const rowsOf = async (fileId: string | null | undefined) =>
  fileId == null
    ? []
    : (await (await openAi().files.content(fileId)).text())
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row) as { custom_id: string; response: { status_code: number } | null });

test('a batch of OpenAI goes through its states, answers in another order, and is billed at half', async () => {
  const created = await createAtOpenAi([lineOf('a'), lineOf('b')]);
  expect(created).toMatchObject({ status: 'validating', metadata: { name: 'mine' }, request_counts: { total: 2 } });
  const states = [];
  let batch = created;
  while (batch.output_file_id == null) {
    batch = await openAi().batches.retrieve(created.id);
    states.push(batch.status);
  }
  expect(states).toEqual(['in_progress', 'finalizing', 'completed']);
  const rows = await rowsOf(batch.output_file_id);
  expect(rows.map((row) => [row.custom_id, row.response?.status_code])).toEqual([
    ['b', 200],
    ['a', 200],
  ]);
  const [input] = simulator.bill.lines().filter(({ vendor, of }) => vendor === 'openai' && of === 'input');
  expect(input).toMatchObject({
    tier: 'batch',
    requests: 2,
    dollars: ((input?.count ?? 0) * 0.000000075).toFixed(9).replace(/0+$/, ''),
  });
  expect((await openAi().batches.list()).data.map(({ id }) => id)).toEqual([created.id]);
});

test('lines of OpenAI that are wrong fail the batch before it begins', async () => {
  const other = lineOf('c', { body: { model: 'gpt-4o', messages } });
  const batch = await createAtOpenAi([
    'no JSON',
    lineOf('a'),
    lineOf('a'),
    lineOf('b', { url: '/v1/responses' }),
    other,
  ]);
  expect(batch.status).toBe('failed');
  expect(batch.errors?.data?.map(({ code, line }) => [code, line])).toEqual([
    ['invalid_json_line', 1],
    ['duplicate_custom_id', 3],
    ['mismatched_endpoint', 4],
    ['mismatched_model', 5],
  ]);
});

test('a cancelled batch of OpenAI has half of its answers, and errors for the rest', async () => {
  const { id } = await createAtOpenAi([lineOf('a'), lineOf('b')]);
  expect((await openAi().batches.cancel(id)).status).toBe('cancelling');
  const batch = await openAi().batches.retrieve(id);
  expect(batch.status).toBe('cancelled');
  expect((await rowsOf(batch.output_file_id)).map((row) => row.custom_id)).toEqual(['a']);
  expect(await rowsOf(batch.error_file_id)).toMatchObject([
    { custom_id: 'b', response: null, error: { code: 'batch_cancelled' } },
  ]);
});

test('a batch of Anthropic ends with a result for each request', async () => {
  const params = { model: 'claude-opus-4-8', max_tokens: 10, messages };
  simulator.batches.behave({ fails: ({ customId }) => customId === 'b' });
  const wrong = { ...params, max_tokens: 0 };
  const requests = [params, params, wrong].map((each, at) => ({ custom_id: 'abc'[at] ?? '', params: each }));
  const created = await anthropic().messages.batches.create({ requests });
  expect(created).toMatchObject({
    processing_status: 'in_progress',
    request_counts: { processing: 3 },
    results_url: null,
  });
  while ((await anthropic().messages.batches.retrieve(created.id)).processing_status !== 'ended');
  const types: Record<string, string> = {};
  const tiers: unknown[] = [];
  for await (const { custom_id: id, result } of await anthropic().messages.batches.results(created.id)) {
    types[id] = result.type;
    if (result.type === 'succeeded') tiers.push(result.message.usage.service_tier);
  }
  expect(tiers).toEqual(['batch']);
  expect(types).toEqual({ a: 'succeeded', b: 'errored', c: 'errored' });
});

test('an expired batch of Anthropic has answered half, and an id that repeats is refused', async () => {
  const params = { model: 'claude-opus-4-8', max_tokens: 10, messages };
  simulator.batches.behave({ ending: 'expired', looks: 1 });
  const requests = ['a', 'b'].map((id) => ({ custom_id: id, params }));
  const { id } = await anthropic().messages.batches.create({ requests });
  expect((await anthropic().messages.batches.retrieve(id)).request_counts).toMatchObject({ succeeded: 1, expired: 1 });
  const repeated = ['a', 'a'].map((each) => ({ custom_id: each, params }));
  await expect(anthropic().messages.batches.create({ requests: repeated })).rejects.toMatchObject({ status: 400 });
});
