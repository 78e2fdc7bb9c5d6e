import { GatewayError } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '@tallyport/database';
import { type BatchBench, openBatchBench } from '../testing/batch-bench.ts';

const maxLineBytes = 5_000;

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench({ MAX_BODY_BYTES: String(maxLineBytes) });
});
afterEach(async () => {
  bench.answerWith(message);
  await bench.database.kysely.deleteFrom('batches').execute();
  await bench.database.kysely.deleteFrom('secrets').where('purpose', '=', 'file').execute();
  bench.asked();
});
afterAll(() => bench.close());

const message = () => ({
  type: 'message',
  content: [{ type: 'text', text: 'Hello' }],
  usage: { input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 4 },
});
const request = (id: string, params: Record<string, unknown> = {}) => ({
  custom_id: id,
  params: { model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: id }], ...params },
});
const rows = async () => {
  const { rows: counted } = await sql<{ files: string; secrets: string }>`select
    (select count(*) from files where status <> 'deleted') as files,
    (select count(*) from secrets where purpose = 'file') as secrets`.execute(bench.database.kysely);
  return counted[0];
};

test('a batch of Anthropic’s API answers each request once', async () => {
  bench.answerWith(({ body }) => {
    const [first] = body['messages'] as { content: string }[];
    if (first?.content === 'b') throw new GatewayError('invalid_parameters', 'Bad.');
    return message();
  });
  const created = await bench.createMessages(['a', 'b', 'c'].map((id) => request(id)));
  const { id, created_at: createdAt } = created;
  const expiresAt = new Date(Date.parse(String(createdAt)) + 86_400_000).toISOString();
  expect(created).toEqual({
    id: expect.stringMatching(/^msgbatch_[0-9a-f]{32}$/),
    type: 'message_batch',
    processing_status: 'in_progress',
    request_counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    answered_by: [],
    created_at: createdAt,
    expires_at: expiresAt,
    ended_at: null,
    cancel_initiated_at: null,
    archived_at: null,
    results_url: null,
  });
  expect(await bench.endedMessages(id)).toEqual({
    ...created,
    processing_status: 'ended',
    request_counts: { processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 },
    ended_at: expect.any(String),
    results_url: `/v1/messages/batches/${String(id)}/results`,
  });
  const { head } = await bench.ask('messageBatchResults', { path: `${String(id)}/results` });
  expect(head).toEqual({
    status: 200,
    headers: { 'content-type': 'application/x-jsonl', 'content-length': expect.any(String) },
  });
  const error = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'Bad.' },
    request_id: `${String(id)}-2`,
  };
  expect(await bench.messageResults(id)).toEqual({
    a: { result: { type: 'succeeded', message: message() } },
    b: { result: { type: 'errored', error } },
    c: { result: { type: 'succeeded', message: message() } },
  });
  const row = await bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
  expect([row.model, Number(row.input_tokens), Number(row.cached_tokens), Number(row.output_tokens)]).toEqual([
    'claude',
    14,
    10,
    8,
  ]);
  expect(await bench.read('listFiles', { anthropic: true })).toMatchObject({ data: [] });
  expect(await bench.read('deleteMessageBatch', { path: String(id) })).toEqual({ id, type: 'message_batch_deleted' });
  await expect(bench.ask('getMessageBatch', { path: String(id) })).rejects.toMatchObject({ code: 'not_found' });
  expect(await rows()).toMatchObject({ files: '0' });
});

test.each([
  ['a custom_id twice', [request('a'), request('a')], 'requests[1].custom_id'],
  ['no custom_id', [request('a'), { params: {} }], 'requests[1].custom_id'],
  ['a long custom_id', [request('x'.repeat(65))], 'requests[0].custom_id'],
  ['no params', [{ custom_id: 'a' }], 'requests[0].params'],
  ['a stream', [request('a', { stream: true })], 'requests[0].params.stream'],
  ['another member', [{ ...request('a'), method: 'POST' }], 'requests[0].method'],
  ['no request', [], 'requests'],
])('a batch with %s is refused at once, and nothing is stored', async (_name, requests, param) => {
  await expect(bench.createMessages(requests)).rejects.toMatchObject({ code: 'invalid_parameters', param });
  expect(await rows()).toEqual({ files: '0', secrets: '0' });
  expect(bench.asked()).toEqual([]);
});

test.each([
  ['JSON', '{"requests":[{"custom_id":"a","params":{}},{"custom_id":}]}', 'invalid_parameters'],
  ['the form of it', '[1,2]', 'invalid_json'],
  [
    'a bounded request',
    `{"requests":[{"custom_id":"a","params":{"x":"${'x'.repeat(maxLineBytes)}"}}]}`,
    'request_too_large',
  ],
])('a body without %s is refused, and nothing is stored', async (_name, text, code) => {
  await expect(bench.read('createMessageBatch', { body: Buffer.from(text) })).rejects.toMatchObject({ code });
  expect(await rows()).toEqual({ files: '0', secrets: '0' });
});

test('a batch that is cancelled has a result for each request', async () => {
  bench.answerWith(() => Promise.reject(new GatewayError('unavailable', 'Not now.', { retryAfterMs: 60_000 })));
  const { id } = await bench.createMessages([request('a'), request('b')]);
  expect(await bench.read('cancelMessageBatch', { path: String(id) })).toMatchObject({
    processing_status: 'canceling',
    cancel_initiated_at: expect.any(String),
  });
  expect(await bench.endedMessages(id)).toMatchObject({
    request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 2, expired: 0 },
  });
  expect(await bench.messageResults(id)).toEqual({
    a: { result: { type: 'canceled' } },
    b: { result: { type: 'canceled' } },
  });
});

test('a batch that has not ended has no results, and cannot be deleted', async () => {
  bench.answerWith(() => Promise.reject(new GatewayError('unavailable', 'Not now.', { retryAfterMs: 60_000 })));
  const { id } = await bench.createMessages([request('a')]);
  await expect(bench.ask('messageBatchResults', { path: `${String(id)}/results` })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(bench.ask('deleteMessageBatch', { path: String(id) })).rejects.toMatchObject({ code: 'conflict' });
});

test('lists have pages in both directions', async () => {
  const ids: unknown[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.unshift((await bench.createMessages([request(name)]))['id']);
  const page = async (query: string) => {
    const { data, has_more: hasMore } = await bench.read('listMessageBatches', { query });
    return [(data as { id: string }[]).map(({ id }) => id), hasMore];
  };
  expect(await page('limit=3')).toEqual([ids.slice(0, 3), true]);
  expect(await page(`limit=3&after_id=${String(ids[2])}`)).toEqual([ids.slice(3), false]);
  expect(await page(`limit=1&before_id=${String(ids[2])}`)).toEqual([ids.slice(1, 2), true]);
  await expect(page(`after_id=${String(ids[0])}&before_id=${String(ids[1])}`)).rejects.toMatchObject({
    param: 'before_id',
  });
});
