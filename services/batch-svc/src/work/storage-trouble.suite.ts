import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import type { StorageState } from '../testing/storage-proxy.ts';

/** A storage that a test can fill and take away. */
export interface TroubledStorage {
  /** For batch-svc. */
  environment: Record<string, string>;
  set(state: StorageState): Promise<void>;
  /** The names of all that is kept. */
  kept(): Promise<string[]>;
  close(): Promise<void>;
}

const messages = { away: /does not answer/, full: /is full/ };

type Trouble = Exclude<StorageState, 'open'>;
const ids = ['a', 'b', 'c'];
const content = ids.map((id) => lineOf(id)).join('\n');

/** How files and batches live through the trouble of a storage, which may last. */
export function storageTroubleSuite(open: () => Promise<TroubledStorage>, troubles: readonly Trouble[]): void {
  let storage: TroubledStorage;
  let bench: BatchBench;
  beforeAll(async () => {
    storage = await open();
    bench = await openBatchBench(storage.environment);
  });
  afterEach(async () => {
    await storage.set('open');
    await bench.database.kysely.deleteFrom('batches').execute();
    bench.asked();
  });
  afterAll(async () => {
    await bench.close();
    await storage.close();
  });

  const batch = () => bench.database.kysely.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
  const parts = () => bench.database.kysely.selectFrom('batch_parts').selectAll().execute();
  /** Ends the pauses between tries. */
  const tryNow = () =>
    sql`with parts as (update batch_parts set not_before = now() where holder is null)
      update batches set lease_until = now() where holder is null`.execute(bench.database.kysely);
  const uploads = async () =>
    (await bench.database.kysely.selectFrom('files').select('id').where('status', '=', 'uploading').execute()).length;

  /** Each line was asked once and has one result, and nothing else is kept than the input and the results. */
  async function isWhole(created: Record<string, unknown>): Promise<void> {
    const ended = await bench.ended(created['id']);
    expect(ended).toMatchObject({
      status: 'completed',
      error_file_id: null,
      request_counts: { total: 3, completed: 3, failed: 0 },
    });
    expect(Object.keys(await bench.results(ended['output_file_id']))).toEqual(ids);
    const visible = await bench.read('listFiles', { query: 'purpose=batch_output' });
    const written = (visible['data'] as { id: string }[]).map(({ id }) => id);
    expect(written.filter((id) => id === ended['output_file_id']).length).toBe(1);
    for (const id of [created['input_file_id'], ended['output_file_id']]) expect(await storage.kept()).toContain(id);
    for (const id of [...written, String(created['input_file_id'])]) await bench.ask('deleteFile', { path: id });
    expect(await storage.kept()).toEqual([]);
  }

  test.each(troubles)('an upload says that the storage is %s, and nothing is left of it', async (trouble) => {
    await storage.set(trouble);
    await expect(bench.store(content)).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
      message: expect.stringMatching(messages[trouble]),
    });
    await expect(bench.createMessages([{ custom_id: 'a', params: {} }])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(messages[trouble]),
    });
    await storage.set('open');
    expect([await uploads(), await storage.kept()]).toEqual([0, []]);
  });

  test('lines wait while the storage is away, and run once', async () => {
    bench.answerWith(() => Promise.reject(new GatewayError('unavailable', 'Not now.', { retryAfterMs: 300_000 })));
    const created = await bench.create(content);
    const isLeft = async (tries: number) =>
      (await parts()).some((part) => part.holder === null && part.tries === tries);
    await waitUntil('the part to be left', () => isLeft(1));
    bench.asked();
    bench.answerWith(echo);
    await storage.set('away');
    for (const tries of [2, 3]) {
      await tryNow();
      await waitUntil('a try', () => isLeft(tries));
    }
    expect(bench.asked()).toEqual([]);
    await storage.set('open');
    await tryNow();
    await bench.ended(created['id']);
    expect(bench.asked().length).toBe(3);
    await isWhole(created);
  });

  test.each(troubles)('results wait while the storage is %s, and are written once', async (trouble) => {
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    let waiting = 0;
    bench.answerWith(async (line) => {
      waiting += 1;
      await promise;
      return echo(line);
    });
    const created = await bench.create(content);
    await waitUntil('the lines to run', () => waiting === 3);
    await storage.set(trouble);
    answer();
    for (let tries = 0; tries < 3; tries += 1) {
      await waitUntil('a try', async () => {
        const { state, holder, lease_until: until } = await batch();
        return state === 'finalizing' && holder === null && until !== null && until > new Date();
      });
      if (tries < 2) await tryNow();
    }
    expect(await bench.counts()).toEqual({ lines: 3, parts: 1 });
    await storage.set('open');
    await tryNow();
    await isWhole(created);
    expect(bench.asked().length).toBe(3);
  });
}
