import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
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

const google = () => new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: simulator.baseUrl('google') } });

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

/** Uploads the lines as one request, which Google's SDK does in several. */
async function createAtGoogle(lines: readonly object[]) {
  const boundary = 'a-boundary';
  const parts = [
    JSON.stringify({ file: { displayName: 'mine' } }),
    lines.map((line) => JSON.stringify(line)).join('\n'),
  ];
  const uploaded = await fetch(`${simulator.baseUrl('google')}/upload/v1beta/files`, {
    method: 'POST',
    headers: {
      'x-goog-api-key': 'key',
      'x-goog-upload-protocol': 'multipart',
      'content-type': `multipart/related; boundary=${boundary}`,
    },
    body: `${parts.map((part) => `--${boundary}\r\ncontent-type: text/plain\r\n\r\n${part}\r\n`).join('')}--${boundary}--`,
  });
  const { file } = (await uploaded.json()) as { file: { name: string } };
  return google().batches.create({ model: 'gemini-3.6-flash', src: file.name, config: { displayName: 'mine' } });
}

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const nameOf = ({ name = '' }: { name?: string }) => ({ name });

test('a batch of Google goes through its states, and its file has an answer or an error for each key', async () => {
  simulator.batches.behave({ fails: ({ customId }) => customId === 'b' });
  const created = await createAtGoogle(['a', 'b'].map((key) => ({ key, request: { contents } })));
  expect(created).toMatchObject({ state: 'JOB_STATE_PENDING', displayName: 'mine', model: 'models/gemini-3.6-flash' });
  const states: unknown[] = [];
  let batch = created;
  while (batch.dest === undefined) {
    batch = await google().batches.get(nameOf(created));
    states.push(batch.state);
  }
  expect(states).toEqual(['JOB_STATE_RUNNING', 'JOB_STATE_RUNNING', 'JOB_STATE_SUCCEEDED']);
  const { fileName = '' } = batch.dest;
  const path = `${simulator.baseUrl('google')}/download/v1beta/${fileName}:download?alt=media`;
  const file = await fetch(path, { headers: { 'x-goog-api-key': 'key' } });
  const rows = (await file.text()).trim().split('\n');
  expect(rows.map((row) => JSON.parse(row) as object)).toEqual([
    { key: 'b', error: { code: 13, message: 'Internal server error' } },
    { key: 'a', response: expect.objectContaining({ usageMetadata: expect.any(Object) }) as object },
  ]);
  const [input] = simulator.bill.lines().filter(({ vendor, of }) => vendor === 'google' && of === 'input');
  expect(input).toMatchObject({ tier: 'batch', requests: 1 });
});

test('batches of Google that are cancelled or expire answer nothing, and are on pages', async () => {
  const lines = [{ key: 'a', request: { contents } }];
  const billed = simulator.bill.lines();
  const cancelled = await createAtGoogle(lines);
  await google().batches.cancel(nameOf(cancelled));
  simulator.batches.behave({ ending: 'expired', looks: 1 });
  const expired = await createAtGoogle(lines);
  const ends = [await google().batches.get(nameOf(cancelled)), await google().batches.get(nameOf(expired))];
  expect(ends.map(({ state, dest }) => [state, dest])).toEqual([
    ['JOB_STATE_CANCELLED', undefined],
    ['JOB_STATE_EXPIRED', undefined],
  ]);
  expect(simulator.bill.lines()).toEqual(billed);
  const listed: unknown[] = [];
  for await (const { name } of await google().batches.list({ config: { pageSize: 1 } })) listed.push(name);
  expect(listed.slice(0, 2)).toEqual([expired.name, cancelled.name]);
});

test('a batch of Google with a line that is none fails, and needs a file of its key', async () => {
  const failed = await createAtGoogle([{ key: 'a' }]);
  expect(failed).toMatchObject({ state: 'JOB_STATE_FAILED' });
  const foreign = { model: 'gemini-3.6-flash', src: 'files/unknown', config: { displayName: 'mine' } };
  await expect(google().batches.create(foreign)).rejects.toMatchObject({ status: 403 });
});
