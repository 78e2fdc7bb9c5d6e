import { rename, rm, writeFile } from 'node:fs/promises';
import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import { workLeaseMs } from './lease.ts';
import { keyIdOf } from '../testing/open-batch.ts';

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench();
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
const refused = (code: ConstructorParameters<typeof GatewayError>[0], retryAfterMs = 20) =>
  new GatewayError(code, 'Not now.', { retryAfterMs });
const state = async () =>
  (await bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow()).state;
const read = async <Found>(query: string): Promise<Found> => {
  const { rows } = await sql.raw<Found>(query).execute(bench.database.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('There is no row.');
  return row;
};
/** Every replica knows how the batch is now. */
async function leasesRenewed(): Promise<void> {
  const { now } = await read<{ now: Date }>('select now()');
  const leases = `select min(lease_until) - interval '1 millisecond' * ${workLeaseMs} as renewed from batch_parts`;
  await waitUntil('every lease to be renewed', async () => (await read<{ renewed: Date }>(leases)).renewed > now);
}
const begun = () => waitUntil('the batch to run', async () => (await state()) === 'in_progress');

/** Answers nothing until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    open: resolve,
    waiting: () => waiting,
    answer: async (line: Parameters<typeof echo>[0]) => {
      waiting += 1;
      await promise;
      return echo(line);
    },
  };
}

describe('a line waits', () => {
  test.each([
    'rate_limit_exceeded',
    'providers_rate_limited',
    'unavailable',
    'overloaded',
    'budget_exceeded',
    'client_closed_request',
  ] as const)('while it is refused with %s, and then it has its answer', async (code) => {
    let refusals = 2;
    bench.answerWith((line) => {
      if (refusals > 0 && refusals--) throw refused(code);
      return echo(line);
    });
    const { id } = await bench.create(linesOf(['a', 'b']));
    const ended = await bench.ended(id);
    expect(ended).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 2, failed: 0 } });
    const keys = bench.asked().map(({ exchange, body }) => [body['prompt'], exchange.head.headers['idempotency-key']]);
    expect(keys.length).toBe(4);
    expect(new Set(keys.map(String)).size).toBe(2);
  });

  test('for a provider that fails, and has its error once that has been tried often enough', async () => {
    bench.answerWith(() => Promise.reject(refused('all_providers_failed')));
    const { id } = await bench.create(lineOf('a'));
    await begun();
    await waitUntil('a try', () => bench.asked().length > 0);
    expect(await state()).toBe('in_progress');
    await bench.database.kysely
      .updateTable('batch_parts')
      .set({ tries: 12, not_before: sql<Date>`now()` })
      .execute();
    const ended = await bench.ended(id);
    expect(ended['request_counts']).toEqual({ total: 1, completed: 0, failed: 1 });
    expect((await bench.results(ended['error_file_id']))['a']).toMatchObject({ response: { status_code: 502 } });
  });
});

describe('a replica that dies', () => {
  test('leaves its part, whose lines have one result each', async () => {
    const ids = numbered(20);
    const { id } = await bench.create(linesOf(ids));
    bench.answerWith((line) => {
      if (line.body['prompt'] === 'line-7') throw refused('unavailable', 300_000);
      return echo(line);
    });
    await waitUntil('all but one line', async () => (await bench.counts()).lines === 19);
    await waitUntil('the part to be left', async () => {
      const part = await bench.database.kysely.selectFrom('batch_parts').selectAll().executeTakeFirstOrThrow();
      return part.holder === null;
    });
    const first = bench.asked().find(({ body }) => body['prompt'] === 'line-7');
    // As a killed replica leaves it.
    await sql`update batch_parts set holder = 'dead', lease_until = now() + interval '300 milliseconds', not_before = now()`.execute(
      bench.database.kysely,
    );
    bench.answerWith(echo);
    const ended = await bench.ended(id);
    expect(ended).toMatchObject({ request_counts: { total: 20, completed: 20, failed: 0 } });
    expect(Object.keys(await bench.results(ended['output_file_id'])).toSorted()).toEqual(ids.toSorted());
    const again = bench.asked();
    expect(again.map(({ body }) => body['prompt'])).toEqual(['line-7']);
    expect(again[0]?.exchange.head.headers['idempotency-key']).toBe(first?.exchange.head.headers['idempotency-key']);
  });

  test('and comes back late, does not count its lines again', async () => {
    const { open, answer, waiting } = gate();
    bench.answerWith(answer);
    const { id } = await bench.create(linesOf(['a', 'b']));
    await waitUntil('both lines to run', () => waiting() === 2);
    await sql`update batch_parts set lease_until = now() - interval '1 second', holder = 'suspended'`.execute(
      bench.database.kysely,
    );
    bench.answerWith(echo);
    expect((await bench.ended(id))['request_counts']).toEqual({ total: 2, completed: 2, failed: 0 });
    open();
    await waitUntil('the late answers', () => bench.asked().length === 4);
    expect(await bench.read('getBatch', { path: String(id) })).toMatchObject({
      request_counts: { total: 2, completed: 2, failed: 0 },
    });
  });

  test('while it checks an input or writes results, has its work taken over', async () => {
    const dropped = () => expect.poll(() => bench.counts()).toEqual({ lines: 0, parts: 0 });
    const { id } = await bench.create(lineOf('a'));
    await bench.ended(id);
    await dropped();
    await sql`update batches set state = 'finalizing', ended_at = null, holder = 'dead', output_file_id = null,
      lease_until = now() + interval '300 milliseconds', completed = 0, total = 0`.execute(bench.database.kysely);
    expect(await bench.ended(id)).toMatchObject({ status: 'completed', output_file_id: null });
    await dropped();
    await sql`update batches set state = 'validating', ended_at = null, ending = null, holder = 'dead',
      lease_until = now() + interval '300 milliseconds'`.execute(bench.database.kysely);
    expect(await bench.ended(id)).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
  });
});

describe('a batch that is cancelled', () => {
  test('finishes the lines that run, and has all others in its errors', async () => {
    const { open, answer, waiting } = gate();
    bench.answerWith(answer);
    const { id } = await bench.create(linesOf(numbered(450)));
    await waitUntil('as many lines as run at once', () => waiting() === 200);
    expect(await bench.read('cancelBatch', { path: String(id) })).toMatchObject({ status: 'cancelling' });
    expect(await bench.read('cancelBatch', { path: String(id) })).toMatchObject({ status: 'cancelling' });
    await leasesRenewed();
    open();
    const ended = await bench.ended(id);
    const { completed } = ended['request_counts'] as { completed: number };
    expect(completed).toBe(200);
    expect(ended).toMatchObject({
      status: 'cancelled',
      cancelling_at: expect.any(Number),
      cancelled_at: expect.any(Number),
    });
    const [output, errors] = [
      await bench.results(ended['output_file_id']),
      await bench.results(ended['error_file_id']),
    ];
    expect(Object.keys({ ...output, ...errors }).length).toBe(450);
    expect(Object.keys(output).length).toBe(completed);
    expect(Object.values(errors)[0]).toMatchObject({ response: null, error: { code: 'batch_cancelled' } });
  });

  test('cannot be cancelled once it has ended', async () => {
    const { id } = await bench.create(lineOf('a'));
    await bench.ended(id);
    await expect(bench.ask('cancelBatch', { path: String(id) })).rejects.toMatchObject({ code: 'conflict' });
  });
});

test('a batch whose window ends has the lines that never ran in its errors', async () => {
  bench.answerWith((line) => {
    if (line.body['prompt'] === 'b') throw refused('unavailable', 300_000);
    return echo(line);
  });
  const { id } = await bench.create(linesOf(['a', 'b']));
  await waitUntil('the first line', async () => (await bench.counts()).lines === 1);
  await sql`update batches set expires_at = now()`.execute(bench.database.kysely);
  const ended = await bench.ended(id);
  expect(ended).toMatchObject({ status: 'expired', request_counts: { total: 2, completed: 1, failed: 0 } });
  expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(['a']);
  expect(await bench.results(ended['error_file_id'])).toMatchObject({ b: { error: { code: 'batch_expired' } } });
});

test('once its key is revoked, a batch begins no further line, also of parts that run', async () => {
  const { open, answer, waiting } = gate();
  bench.answerWith(answer);
  const { id } = await bench.create(linesOf(numbered(450)));
  await waitUntil('as many lines as run at once', () => waiting() === 200);
  bench.revoked.add(keyIdOf('default'));
  await waitUntil('the batch to end', async () => (await state()) === 'cancelling');
  await leasesRenewed();
  open();
  const ended = await bench.ended(id);
  expect(ended).toMatchObject({ status: 'cancelled', errors: { data: [{ code: 'invalid_api_key' }] } });
  expect(ended['request_counts']).toEqual({ total: 450, completed: 200, failed: 0 });
  expect(bench.asked().length).toBe(200);
});

test('a batch ends with its key', async () => {
  bench.answerWith(() => Promise.reject(refused('unavailable')));
  const { id } = await bench.create(lineOf('a'));
  await begun();
  bench.revoked.add(keyIdOf('default'));
  const ended = await bench.ended(id);
  expect(ended).toMatchObject({ status: 'cancelled', errors: { data: [{ code: 'invalid_api_key', line: null }] } });
});

test('an input that is deleted is read until its batch has ended', async () => {
  bench.answerWith(() => Promise.reject(refused('unavailable')));
  const created = await bench.create(lineOf('a'));
  await begun();
  await bench.ask('deleteFile', { path: String(created['input_file_id']) });
  bench.answerWith(echo);
  expect(await bench.ended(created['id'])).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
});

test('while the storage is away, a batch waits', async () => {
  const away = `${bench.folder}-away`;
  const { open, answer, waiting } = gate();
  bench.answerWith(answer);
  const { id } = await bench.create(lineOf('a'));
  await waitUntil('the line to run', () => waiting() === 1);
  await rename(bench.folder, away);
  await writeFile(bench.folder, '');
  open();
  await waitUntil('the results to be written', async () => (await state()) === 'finalizing');
  await waitUntil('a try that fails', async () => {
    const row = await bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
    return row.holder === null && row.lease_until !== null;
  });
  await rm(bench.folder);
  await rename(away, bench.folder);
  await sql`update batches set lease_until = now()`.execute(bench.database.kysely);
  const ended = await bench.ended(id);
  expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(['a']);
});

test('two replicas share the lines of a batch', async () => {
  const other = await bench.join();
  const { id } = await bench.create(linesOf(numbered(600)));
  expect((await bench.ended(id))['request_counts']).toEqual({ total: 600, completed: 600, failed: 0 });
  expect(bench.asked().length).toBe(600);
  await other.stop?.(1_000);
});

test('a replica that stops leaves its lines to another one', async () => {
  const { answer, waiting } = gate();
  const stopping = await openBatchBench();
  stopping.answerWith(answer);
  const { id } = await stopping.create(linesOf(['a', 'b']));
  await waitUntil('both lines to run', () => waiting() === 2);
  stopping.answerWith(echo);
  const other = await stopping.join();
  await stopping.stop(100);
  expect((await stopping.ended(id))['request_counts']).toEqual({ total: 2, completed: 2, failed: 0 });
  await other.stop?.(1_000);
  await stopping.close();
});
