import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';

let bench: BatchBench;
/** The keys of each call, also of those that fail. */
const forgotten: string[][] = [];
let failures = 0;
beforeAll(async () => {
  bench = await openBatchBench(
    {},
    {
      async forgetAnswers({ body }) {
        const { keys } = JSON.parse(Buffer.from(await body.bytes()).toString()) as { keys: string[] };
        forgotten.push(keys);
        if (failures > 0 && failures--) throw refused('unavailable');
        return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
      },
    },
  );
});
afterEach(async () => {
  bench.answerWith(echo);
  await bench.database.kysely.deleteFrom('batches').execute();
  bench.asked();
});
afterAll(() => bench.close());

const refused = (code: ConstructorParameters<typeof GatewayError>[0], retryAfterMs = 20) =>
  new GatewayError(code, 'Not now.', { retryAfterMs });
const batch = () => bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
const part = () => bench.database.kysely.selectFrom('batch_parts').selectAll().executeTakeFirst();
/** Asks until the part of the batch is left. */
async function tried(): Promise<void> {
  await waitUntil('a try', () => bench.asked().length > 0);
  await waitUntil('the part to be left', async () => (await part())?.holder === null);
}
const tryNow = (change: { tries?: number } = {}) =>
  bench.database.kysely
    .updateTable('batch_parts')
    .set({ not_before: sql<Date>`now()`, ...change })
    .execute();

test('what only time mends does not count as a failure of the provider', async () => {
  bench.answerWith(() => Promise.reject(refused('budget_exceeded', 300_000)));
  const { id } = await bench.create(lineOf('a'));
  await tried();
  await tryNow({ tries: 11 });
  await tried();
  bench.answerWith(() => Promise.reject(refused('all_providers_failed', 300_000)));
  await tryNow();
  await tried();
  expect(await bench.counts()).toEqual({ lines: 0, parts: 1 });
  bench.answerWith(echo);
  await tryNow();
  expect((await bench.ended(id))['request_counts']).toEqual({ total: 1, completed: 1, failed: 0 });
});

test('an answer that was not kept for the next replica is made again', async () => {
  const keys: unknown[] = [];
  bench.answerWith((line) => {
    keys.push(line.exchange.head.headers['idempotency-key']);
    if (keys.length === 1) throw refused('idempotency_conflict');
    return echo(line);
  });
  const { id } = await bench.create(lineOf('a'));
  expect((await bench.ended(id))['request_counts']).toEqual({ total: 1, completed: 1, failed: 0 });
  expect(new Set(keys).size).toBe(2);
});

test('what has been answered is stored if the rest of the input cannot be read', async () => {
  bench.answerWith(() => Promise.reject(refused('unavailable', 300_000)));
  const lines = [lineOf('a'), lineOf('b', { pad: 'x'.repeat(200_000) })];
  const { input_file_id: file } = await bench.create(lines.join('\n'));
  await tried();
  await truncate(`${bench.folder}/${String(file)}`, 150_000);
  bench.answerWith(echo);
  await tryNow();
  await waitUntil('the first line', async () => (await bench.counts()).lines === 1);
});

test('answers that were kept are deleted once their results are stored, if not at once, a moment later', async () => {
  forgotten.length = 0;
  failures = 1;
  const { id } = await bench.create(lineOf('a'));
  await bench.ended(id);
  const sent = bench.asked().map(({ exchange }) => exchange.head.headers['idempotency-key']);
  await waitUntil('another try', () => forgotten.length === 2);
  expect(forgotten).toEqual([sent, sent]);
});

test('a batch ends if its key is of another project', async () => {
  bench.answerWith(() => Promise.reject(refused('unavailable')));
  await bench.create(lineOf('a'));
  await tried();
  await bench.database.kysely.updateTable('batches').set({ project_id: 'other' }).execute();
  await waitUntil('the batch to end', async () => (await batch()).state === 'cancelled');
});

test('a batch whose input was deleted while it was created fails', async () => {
  const { id } = await bench.create(lineOf('a'));
  await bench.ended(id);
  await sql`update batches set state = 'validating', ended_at = null, ending = null, input_file_id = 'file-gone'`.execute(
    bench.database.kysely,
  );
  expect(await bench.ended(id)).toMatchObject({ status: 'failed', errors: { data: [{ code: 'file_not_found' }] } });
});

test('while the results of a batch are written, no replica that was suspended stores another one', async () => {
  const away = `${bench.folder}-away`;
  const { promise, resolve: open } = Promise.withResolvers<void>();
  bench.answerWith((line) => promise.then(() => echo(line)));
  const { id } = await bench.create(lineOf('a'));
  await waitUntil('the line to run', () => bench.asked().length > 0);
  await rename(bench.folder, away);
  await writeFile(bench.folder, '');
  await bench.read('cancelBatch', { path: String(id) });
  await waitUntil('results to be written in vain', async () => {
    await sql`update batch_parts set lease_until = now() where holder is not null`.execute(bench.database.kysely);
    const { holder, lease_until: until } = await batch();
    return holder === null && until !== null;
  });
  expect(await part()).toMatchObject({ holder: null });
  open();
  await rm(bench.folder);
  await rename(away, bench.folder);
  await sql`update batches set lease_until = now()`.execute(bench.database.kysely);
  const ended = await bench.ended(id);
  expect(ended).toMatchObject({ status: 'cancelled', request_counts: { completed: 0 }, output_file_id: null });
  expect(await bench.results(ended['error_file_id'])).toMatchObject({ a: { error: { code: 'batch_cancelled' } } });
});
