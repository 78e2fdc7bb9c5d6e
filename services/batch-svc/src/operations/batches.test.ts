import { GatewayError } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mostOpen } from '../batches/add-batch.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import { keyIdOf } from '../testing/open-batch.ts';

const maxLineBytes = 20_000;

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench({ MAX_BODY_BYTES: String(maxLineBytes) });
});
afterEach(async () => {
  bench.answerWith(echo);
  bench.revoked.clear();
  await bench.database.kysely.deleteFrom('batches').execute();
  bench.asked();
});
afterAll(() => bench.close());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line-${at}`);
const linesOf = (ids: readonly string[]) => ids.map((id) => lineOf(id)).join('\n');

describe('a batch of OpenAI’s API', () => {
  test('answers each line of its file once, in a file of output and one of errors', async () => {
    bench.answerWith((line) => {
      if (line.body['prompt'] === 'b') throw new GatewayError('invalid_parameters', 'Bad.', { param: 'prompt' });
      return echo(line);
    });
    const created = await bench.create(`${['a', 'b', 'c'].map((id) => lineOf(id)).join('\n\n')}\n`, {
      metadata: { purpose: 'test' },
    });
    const { id, input_file_id: input, created_at: createdAt } = created;
    expect(created).toEqual({
      id: expect.stringMatching(/^batch_[0-9a-f]{32}$/),
      object: 'batch',
      endpoint: '/v1/chat/completions',
      errors: null,
      input_file_id: input,
      completion_window: '24h',
      status: 'validating',
      output_file_id: null,
      error_file_id: null,
      created_at: createdAt,
      expires_at: Number(createdAt) + 86_400,
      request_counts: { total: 0, completed: 0, failed: 0 },
      usage: {
        input_tokens: 0,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 0,
      },
      answered_by: [],
      metadata: { purpose: 'test' },
    });
    const ended = await bench.ended(id);
    const time = expect.any(Number);
    expect(ended).toEqual({
      ...created,
      status: 'completed',
      model: 'm',
      output_file_id: expect.stringMatching(/^file-/),
      error_file_id: expect.stringMatching(/^file-/),
      in_progress_at: time,
      finalizing_at: time,
      completed_at: time,
      request_counts: { total: 3, completed: 2, failed: 1 },
      usage: {
        input_tokens: 6,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 10,
      },
    });
    const hex = String(id).slice('batch_'.length);
    const resultOf = (line: number, status: number, body: unknown) => ({
      id: `batch_req_${hex}_${line}`,
      response: { status_code: status, request_id: `${String(id)}-${line}`, body },
      error: null,
    });
    const answerOf = (prompt: string) => echo({ exchange: {} as never, text: '', body: { prompt } });
    expect(await bench.results(ended['output_file_id'])).toEqual({
      a: resultOf(1, 200, answerOf('a')),
      c: resultOf(5, 200, answerOf('c')),
    });
    const error = { message: 'Bad.', type: 'invalid_request_error', param: 'prompt', code: 'invalid_parameters' };
    expect(await bench.results(ended['error_file_id'])).toEqual({ b: resultOf(3, 400, { error }) });
    const file = await bench.read('getFile', { path: String(ended['output_file_id']) });
    expect(file).toMatchObject({ purpose: 'batch_output', filename: `${String(id)}_output.jsonl` });
    // The line that failed.
    await expect.poll(() => bench.counts()).toEqual({ lines: 1, parts: 0 });
    const row = await bench.database.kysely.selectFrom('batches').select('cost').executeTakeFirstOrThrow();
    expect(Number(row.cost)).toBe(0.5);
  });

  test('runs its lines as requests of its key, each with a key of its own', async () => {
    const { id } = await bench.create(linesOf(['a', 'b']));
    await bench.ended(id);
    const heads = bench.asked().map(({ exchange }) => exchange.head);
    const rows = bench.database.kysely.selectFrom('batches').select('in_progress_at');
    const begun = await rows.where('id', '=', String(id)).executeTakeFirst();
    expect(heads.map(({ principal, batch, requestId, headers }) => ({ principal, batch, requestId, headers }))).toEqual(
      [1, 2].map((line) => ({
        principal: { accountId: 'default', keyId: keyIdOf('default') },
        batch: { id, line, mayDefer: true, recordAt: begun?.in_progress_at?.toISOString() },
        requestId: `${String(id)}-${line}`,
        headers: { 'content-type': 'application/json', 'idempotency-key': expect.stringMatching(/^batch-[\w-]{43}$/) },
      })),
    );
    expect(new Set(heads.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  test('has bodies as they were sent, and results on one line each', async () => {
    bench.answerWith(() => ({ text: 'two\nlines', number: 1 }));
    const body = '{"model":"m","n":12345678901234567890,"prompt":"x"}';
    const { id } = await bench.create(`{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${body}}`);
    const { output_file_id: output } = await bench.ended(id);
    expect((await bench.results(output))['a']).toMatchObject({ response: { body: { text: 'two\nlines' } } });
    expect(bench.asked()[0]?.text).toBe(body);
  });

  test('with more lines than a part has every line', async () => {
    const ids = numbered(250);
    const { id } = await bench.create(linesOf(ids));
    const ended = await bench.ended(id);
    expect(ended).toMatchObject({ error_file_id: null, request_counts: { total: 250, completed: 250, failed: 0 } });
    expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(ids);
    expect(bench.asked().length).toBe(250);
  });
});

describe('an input is checked line by line', () => {
  const errorsOf = async (content: string) => {
    const { id } = await bench.create(content);
    const { status, errors, request_counts: counts } = await bench.ended(id);
    expect([status, counts, bench.asked()]).toEqual(['failed', { total: 0, completed: 0, failed: 0 }, []]);
    return (errors as { data: Record<string, unknown>[] }).data;
  };

  test('every error has its line', async () => {
    const wrong = (members: Record<string, unknown>) => lineOf('x', {}, members);
    const errors = await errorsOf(
      [
        lineOf('a'),
        lineOf('a'),
        'no JSON',
        '[1]',
        wrong({ custom_id: '' }),
        wrong({ custom_id: 7 }),
        wrong({ custom_id: 'x'.repeat(513) }),
        wrong({ custom_id: 'nul\0' }),
        wrong({ method: 'GET' }),
        wrong({ url: '/v1/embeddings' }),
        wrong({ body: 'text' }),
        lineOf('b', { stream: true }),
        lineOf('c', { background: true }),
        lineOf('d', { stream: false }),
        wrong({ custom_id: 'x'.repeat(512) }),
      ].join('\n'),
    );
    expect(errors.map(({ line, code, param }) => [line, code, param])).toEqual([
      [2, 'duplicate_custom_id', 'custom_id'],
      [3, 'invalid_json_line', null],
      [4, 'invalid_json_line', null],
      [5, 'invalid_custom_id', 'custom_id'],
      [6, 'invalid_custom_id', 'custom_id'],
      [7, 'invalid_custom_id', 'custom_id'],
      [8, 'invalid_custom_id', 'custom_id'],
      [9, 'invalid_method', 'method'],
      [10, 'mismatched_endpoint', 'url'],
      [11, 'missing_required_parameter', 'body'],
      [12, 'unsupported_parameter', 'body.stream'],
      [13, 'unsupported_parameter', 'body.background'],
    ]);
  });

  test('a line that is too long ends it', async () => {
    const long = lineOf('long', { text: 'x'.repeat(maxLineBytes) });
    expect(await errorsOf([lineOf('a'), 'wrong', long, 'wrong'].join('\n'))).toMatchObject([
      { line: 2, code: 'invalid_json_line' },
      { line: 3, code: 'line_too_long' },
    ]);
  });

  test('of very many errors, the first hundred are kept', async () => {
    const errors = await errorsOf('x\n'.repeat(5_000));
    expect([errors.length, errors.at(-1)?.['line']]).toEqual([100, 100]);
  });

  test('a file has at most 50,000 lines', async () => {
    const line = (at: number) => `{"custom_id":"${at}","method":"POST","url":"/v1/chat/completions","body":{}}\n`;
    const content = Array.from({ length: 50_001 }, (_, at) => line(at)).join('');
    expect(await errorsOf(content)).toMatchObject([{ line: 50_001, code: 'too_many_lines' }]);
  });

  test.each([
    ['bytes', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 31) % 251)).toString('latin1')],
    ['a JSON document', JSON.stringify({ a: [1, 2] }, undefined, 2)],
  ])('a file with %s is no JSONL', async (_name, content) => {
    expect((await errorsOf(content))[0]).toMatchObject({ line: 1, code: 'invalid_json_line' });
  });

  test('a file without a line is refused', async () => {
    expect(await errorsOf('\n \n')).toMatchObject([{ line: null, code: 'empty_file' }]);
  });
});

describe('a request for a batch is refused', () => {
  const asked = (body: unknown) => bench.read('createBatch', { body: Buffer.from(JSON.stringify(body)) });
  const valid = async () => ({
    input_file_id: await bench.store(lineOf('a')),
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });

  test.each([
    ['another endpoint', { endpoint: '/v1/messages' }, 'endpoint'],
    ['another window', { completion_window: '1h' }, 'completion_window'],
    ['metadata of another type', { metadata: { a: 1 } }, 'metadata.a'],
    ['metadata that cannot be stored', { metadata: { a: 'nul\0' } }, 'metadata.a'],
    [
      'a short expiry',
      { output_expires_after: { anchor: 'created_at', seconds: 3_599 } },
      'output_expires_after.seconds',
    ],
  ])('with %s', async (_name, wrong, param) => {
    await expect(asked({ ...(await valid()), ...wrong })).rejects.toMatchObject({ code: 'invalid_parameters', param });
  });

  test('with a member that is not known', async () => {
    await expect(asked({ ...(await valid()), priority: 'high' })).rejects.toMatchObject({ code: 'invalid_parameters' });
  });

  test('with a file that is not there, or not for a batch', async () => {
    const files = ['file-0', 'nul\0', await bench.store(lineOf('a'), { accountId: 'other' })];
    for (const id of files)
      await expect(asked({ ...(await valid()), input_file_id: id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('with a token, which ends before the batch', async () => {
    const request = await valid();
    bench.revoked.add(keyIdOf('default'));
    await expect(asked(request)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  test('if its account has very many that have not ended', async () => {
    bench.answerWith(() => Promise.reject(new GatewayError('unavailable', 'Not now.', { retryAfterMs: 60_000 })));
    const request = await valid();
    for (let at = 0; at < mostOpen; at += 1) await asked(request);
    await expect(asked(request)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });
});

test('batches of other accounts and projects are not found on any route', async () => {
  const openai = await bench.ended((await bench.create(lineOf('a')))['id']);
  const { id } = await bench.createMessages([{ custom_id: 'a', params: {} }]);
  await bench.endedMessages(id);
  const others = [{ accountId: 'other' }, { projectId: 'p' }];
  for (const owner of others) {
    for (const exchange of ['getBatch', 'cancelBatch'] as const)
      await expect(bench.ask(exchange, { ...owner, path: String(openai['id']) })).rejects.toMatchObject({
        code: 'not_found',
      });
    const ofMessages = ['getMessageBatch', 'cancelMessageBatch', 'deleteMessageBatch', 'messageBatchResults'] as const;
    for (const exchange of ofMessages)
      await expect(bench.ask(exchange, { ...owner, path: String(id) })).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      bench.ask('fileContent', { ...owner, path: `${String(openai['output_file_id'])}/content` }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(bench.ask('listBatches', { ...owner, query: `after=${String(openai['id'])}` })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await bench.read('listBatches', owner)).toMatchObject({ data: [], has_more: false });
    expect(await bench.read('listMessageBatches', owner)).toMatchObject({ data: [], has_more: false });
  }
  // Each API knows its own.
  await expect(bench.ask('getBatch', { path: String(id) })).rejects.toMatchObject({ code: 'not_found' });
  await expect(bench.ask('getMessageBatch', { path: String(openai['id']) })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(bench.ask('getBatch', { path: 'nul\0' })).rejects.toMatchObject({ code: 'not_found' });
});

test('lists are in pages, the newest first', async () => {
  const ids: unknown[] = [];
  for (const name of ['a', 'b', 'c']) ids.unshift((await bench.create(lineOf(name)))['id']);
  const page = async (query: string) => {
    const { data, has_more: hasMore } = await bench.read('listBatches', { query });
    return [(data as { id: string }[]).map(({ id }) => id), hasMore];
  };
  expect(await page('limit=2')).toEqual([ids.slice(0, 2), true]);
  expect(await page(`limit=2&after=${String(ids[1])}`)).toEqual([ids.slice(2), false]);
  await expect(page('limit=101')).rejects.toMatchObject({ param: 'limit' });
});
