import { GatewayError, type Role } from '@tallyport/contracts';
import type { Batch, BatchDetail } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { untilFound } from '../../../../tests/support/probe.ts';
import { mostShownFailures } from '../results/shown-failures.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import { keyIdOf } from '../testing/open-batch.ts';

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench();
});
afterEach(async () => {
  bench.answerWith(echo);
  await bench.database.kysely.deleteFrom('batches').execute();
});
afterAll(() => bench.close());

const callerOf = (role: Role, userId: string, accountId = 'default'): ApiCaller => ({
  actor: `user:${userId}`,
  accountId,
  userId,
  role,
  operator: false,
});
const owner = callerOf('owner', 'user_ada');
const list = async (caller: ApiCaller, page: object = {}) =>
  (await bench.manage('listAccountBatches', page, caller)) as { batches: Batch[]; nextCursor?: string };
const read = async (id: unknown, caller = owner) =>
  (await bench.manage('readAccountBatch', { id }, caller)) as BatchDetail;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

test('a batch has its progress, its cost, and the reasons of the lines that failed', async () => {
  bench.answerWith((line) => {
    if (line.body['prompt'] === 'bad') throw new GatewayError('invalid_parameters', 'prompt must be good.');
    return echo(line);
  });
  const { id } = await bench.ended((await bench.create([lineOf('good'), lineOf('bad')].join('\n')))['id']);
  const batch = {
    id,
    api: 'batches',
    endpoint: '/v1/chat/completions',
    state: 'completed',
    model: 'm',
    keyId: keyIdOf('default'),
    lines: { total: 2, completed: 1, failed: 1 },
    cost: '0.25',
    answeredBy: [],
    estimatedCost: '0',
    reserved: '0',
    createdAt: time,
    startedAt: time,
    endedAt: time,
    expiresAt: time,
    files: ['output', 'errors'],
  };
  expect(await list(owner)).toEqual({ batches: [batch] });
  expect(await read(id)).toEqual({
    ...batch,
    problems: [],
    failedLines: [{ customId: 'bad', status: 400, message: 'prompt must be good.' }],
  });
});

test('the first hundred failed lines stay once the results are written, and no other result', async () => {
  bench.answerWith(() => {
    throw new GatewayError('invalid_parameters', 'Wrong.');
  });
  const lines = Array.from({ length: mostShownFailures + 1 }, (_, at) => lineOf(`line-${at}`));
  const { id } = await bench.ended((await bench.create(lines.join('\n')))['id']);
  const { failedLines } = await read(id);
  expect(failedLines.map(({ customId }) => customId)).toEqual(
    Array.from({ length: mostShownFailures }, (_, at) => `line-${at}`),
  );
  await expect.poll(() => bench.counts()).toEqual({ lines: mostShownFailures, parts: 0 });
});

test('an input that was refused names its lines', async () => {
  const { id } = await bench.ended((await bench.create(`${lineOf('one')}\nno JSON`))['id']);
  expect(await read(id)).toMatchObject({
    state: 'failed',
    lines: { total: 0, completed: 0, failed: 0 },
    problems: [{ code: expect.any(String), line: 2, message: expect.stringMatching(/./) }],
    failedLines: [],
    files: [],
  });
});

test('a list has its pages, the newest batch first', async () => {
  const ids: unknown[] = [];
  for (const at of [1, 2, 3]) ids.unshift((await bench.ended((await bench.create(lineOf(`${at}`)))['id']))['id']);
  const first = await list(owner, { limit: 2 });
  expect([first.batches.map(({ id }) => id), first.nextCursor]).toEqual([ids.slice(0, 2), ids[1]]);
  const second = await list(owner, { limit: 2, cursor: first.nextCursor });
  expect([second.batches.map(({ id }) => id), second.nextCursor]).toEqual([ids.slice(2), undefined]);
  await expect(list(owner, { cursor: 'batch_none' })).rejects.toMatchObject({ code: 'not_found' });
});

test('members see and cancel the batches of their keys and their projects, others none of them', async () => {
  const { kysely } = bench.database;
  await kysely.insertInto('users').values({ id: 'user_bo', email: 'bo@example.com', password_hash: 'none' }).execute();
  await kysely
    .insertInto('memberships')
    .values({ account_id: 'default', user_id: 'user_bo', role: 'member' })
    .execute();
  await kysely.insertInto('projects').values({ id: 'project_1', account_id: 'default', name: 'search' }).execute();
  await kysely
    .insertInto('project_members')
    .values({ account_id: 'default', user_id: 'user_bo', project_id: 'project_1', role: 'member' })
    .execute();
  const made = async (projectId?: string): Promise<string> => {
    const request = { custom_id: 'one', params: { model: 'm', prompt: 'Hi' } };
    const { id } = await bench.createMessages([request], projectId === undefined ? {} : { projectId });
    return String(id);
  };
  const held = Promise.withResolvers<unknown>();
  bench.answerWith(() => held.promise);
  const [ofAccount, ofProject, ofOther, acting] = [
    await made(),
    await made('project_1'),
    await made('project_2'),
    await made(),
  ];
  await kysely.updateTable('batches').set({ key_id: 'oauth_user_bo~client' }).where('id', '=', acting).execute();
  const bo = callerOf('member', 'user_bo');
  const idsOf = async (caller: ApiCaller) => (await list(caller)).batches.map(({ id }) => id);
  expect(await idsOf(bo)).toEqual([acting, ofProject]);
  expect(await idsOf(owner)).toEqual([acting, ofOther, ofProject, ofAccount]);
  expect(await idsOf(callerOf('owner', 'user_cy', 'other'))).toEqual([]);
  expect(await read(ofProject, bo)).toMatchObject({ projectId: 'project_1', state: expect.any(String) });
  for (const operation of ['readAccountBatch', 'cancelAccountBatch']) {
    for (const [id, caller] of [
      [ofOther, bo],
      [ofAccount, bo],
      [ofProject, callerOf('owner', 'user_cy', 'other')],
      ['batch_none', owner],
    ] as const)
      await expect(bench.manage(operation, { id }, caller)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await bench.manage('cancelAccountBatch', { id: ofProject }, bo)).toMatchObject({
    id: ofProject,
    state: 'cancelling',
  });
  held.resolve({ content: [] });
  await untilFound(async () => (await list(owner)).batches.every(({ endedAt }) => endedAt));
  const audit = await kysely.selectFrom('audit_log').select(['actor', 'action', 'subject']).execute();
  expect(audit).toEqual([{ actor: 'user:user_bo', action: 'batch.cancelled', subject: ofProject }]);
});
