import { open, rm, truncate } from 'node:fs/promises';
import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench();
});
afterEach(async () => {
  bench.answerWith(echo);
  await bench.database.kysely.deleteFrom('batches').execute();
  bench.asked();
});
afterAll(() => bench.close());

/** Longer than a sealed segment: behind the damage, there are lines that can be read. */
const long = 'x'.repeat(200_000);
const damagedAt = 150_000;
const damages: [string, (path: string) => Promise<void>][] = [
  ['is gone', (path) => rm(path)],
  ['was cut', (path) => truncate(path, damagedAt)],
  ['was changed', change],
];

async function change(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, damagedAt);
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, damagedAt);
  } finally {
    await file.close();
  }
}

const pathOf = ({ input_file_id: id }: Record<string, unknown>) => `${bench.folder}/${String(id)}`;
const batch = () => bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
const parts = () => bench.database.kysely.selectFrom('batch_parts').selectAll().execute();
const tryParts = (change: { tries?: number } = {}) =>
  bench.database.kysely
    .updateTable('batch_parts')
    .set({ not_before: sql<Date>`now()`, ...change })
    .execute();
const left = () =>
  waitUntil('the parts to be left', async () => (await parts()).every(({ holder }) => holder === null));

/** Only the first line has its answer, and the others wait. */
async function answerFirst(lines: readonly string[]): Promise<Record<string, unknown>> {
  bench.answerWith((line) => {
    if (line.body['prompt'] === 'a') return echo(line);
    throw new GatewayError('unavailable', 'Not now.', { retryAfterMs: 300_000 });
  });
  const created = await bench.create(lines.join('\n'));
  await waitUntil('the first line', async () => (await bench.counts()).lines === 1);
  await left();
  return created;
}

const damage = { code: 'input_damaged', line: null, param: 'input_file_id' };

describe.each(damages)('an input that %s', (_name, damageFile) => {
  test('is tried for a quarter of an hour, and then its batch ends with the results that it has', async () => {
    const created = await answerFirst([lineOf('a'), lineOf('b', { pad: long })]);
    await damageFile(pathOf(created));
    await tryParts({ tries: 11 });
    await waitUntil('a try', async () => (await parts()).every(({ tries }) => tries === 12));
    expect(await batch()).toMatchObject({ state: 'in_progress', errors: null });
    await tryParts();
    const ended = await bench.ended(created['id']);
    expect(ended).toMatchObject({
      status: 'cancelled',
      request_counts: { total: 2, completed: 1, failed: 0 },
      errors: { data: [damage] },
      error_file_id: null,
    });
    expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(['a']);
  });

  test('fails its batch if it was never checked', async () => {
    const created = await bench.create([lineOf('a'), lineOf('b', { pad: long })].join('\n'));
    await bench.ended(created['id']);
    await damageFile(pathOf(created));
    await sql`update batches set state = 'validating', ended_at = null, ending = null`.execute(bench.database.kysely);
    await waitUntil('a try', async () => (await batch()).lease_until !== null && (await batch()).holder === null);
    expect(await batch()).toMatchObject({ state: 'validating' });
    await sql`update batches set created_at = now() - interval '16 minutes', lease_until = now()`.execute(
      bench.database.kysely,
    );
    expect(await bench.ended(created['id'])).toMatchObject({ status: 'failed', errors: { data: [damage] } });
  });
});

test('of a batch that is cancelled, lines that cannot be read are left out of its errors', async () => {
  const others = Array.from({ length: 98 }, (_, at) => lineOf(`b${at}`));
  const created = await answerFirst([lineOf('a'), lineOf('b', { pad: long }), ...others, lineOf('z')]);
  await change(pathOf(created));
  await bench.ask('cancelBatch', { path: String(created['id']) });
  await waitUntil('a try', async () => (await batch()).lease_until !== null && (await batch()).holder === null);
  expect(await batch()).toMatchObject({ state: 'cancelling', errors: null });
  await sql`update batches set cancelling_at = now() - interval '16 minutes', lease_until = now()`.execute(
    bench.database.kysely,
  );
  const ended = await bench.ended(created['id']);
  expect(ended).toMatchObject({ status: 'cancelled', errors: { data: [damage] } });
  expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(['a']);
  expect(await bench.results(ended['error_file_id'])).toMatchObject({ z: { error: { code: 'batch_cancelled' } } });
  expect(Object.keys(await bench.results(ended['error_file_id']))).toEqual(['z']);
});

test('a batch whose lines are longer than a limit that was lowered ends as any other', async () => {
  const created = await answerFirst([lineOf('a'), lineOf('b', { pad: long })]);
  await bench.stop(1_000);
  const lowered = await bench.join({ MAX_BODY_BYTES: '1024' });
  await bench.ask('cancelBatch', { path: String(created['id']) });
  const ended = await bench.ended(created['id']);
  expect(await bench.results(ended['error_file_id'])).toMatchObject({ b: { error: { code: 'batch_cancelled' } } });
  await lowered.stop?.(1_000);
});
