import type { ExchangeHandler } from '@tallyport/bus';
import { type BudgetHold, GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import { keyIdOf } from '../testing/open-batch.ts';

const principal = {
  accountId: 'default',
  keyId: keyIdOf('default'),
  budgets: { account: { amount: '1', period: 'total' as const } },
};
const message = "This account's budget of $1 does not allow this batch: send fewer lines.";

let bench: BatchBench;
/** The holds that were set, in their order. */
let holds: BudgetHold[] = [];
let isRefusing = false;
/** How often chat-svc cannot estimate from now on. */
let away = 0;

/** Each line may cost as many billionths as its prompt says. */
const estimateLines: ExchangeHandler = async ({ head, body }) => {
  away -= 1;
  if (away >= 0) throw new GatewayError('unavailable', 'chat-svc is away.');
  expect(head).toMatchObject({ principal: { accountId: 'default' }, query: expect.stringMatching(/^path=%2Fv1%2F/) });
  const lines = Buffer.from(await body.bytes())
    .toString()
    .trimEnd()
    .split('\n');
  const amounts = lines.map((line) => (JSON.parse(line) as { amount: number }).amount);
  return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify({ amounts })) };
};
const holdBudgets: ExchangeHandler = async ({ body }) => {
  const hold = JSON.parse(Buffer.from(await body.bytes()).toString()) as BudgetHold;
  if (isRefusing && hold.isNew) throw new GatewayError('budget_exceeded', message);
  holds.push(hold);
  return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
};

beforeAll(async () => {
  bench = await openBatchBench({}, { estimateLines, holdBudgets }, principal.budgets);
});
afterEach(async () => {
  bench.answerWith(echo);
  await bench.database.kysely.deleteFrom('batches').execute();
  [holds, isRefusing, away] = [[], false, 0];
  bench.asked();
});
afterAll(() => bench.close());

const input = (amounts: readonly number[]): string =>
  amounts.map((amount, at) => lineOf(`line-${at}`, { amount })).join('\n');
const holdOf = (id: unknown, amount: number, isNew = false) => ({ principal, id, amount, ttlMs: 60_000, isNew });
const holdsOf = (id: unknown) => holds.filter((hold) => hold.id === id);
const isReleased = (id: unknown) => waitUntil('the hold to be released', async () => holdsOf(id).at(-1)?.amount === 0);
/** As if the time to set holds again had come. */
const renewNow = () => sql`update batches set hold_at = now() where hold_at is not null`.execute(bench.database.kysely);
const shown = async (id: unknown) => {
  const [row] = await bench.database.kysely.selectFrom('batches').selectAll().where('id', '=', String(id)).execute();
  return { estimate: row?.estimate, reserved: row?.reserved, hold_at: row?.hold_at };
};

const isPutOff = async (id: unknown): Promise<boolean> => {
  const { rows } = await sql`select 1 from batches
    where id = ${String(id)} and holder is null and lease_until > now()`.execute(bench.database.kysely);
  return rows.length > 0;
};

test('a batch holds what its lines may cost, and less with each line that has ended', async () => {
  let end = (): void => {};
  const waits = new Promise<void>((resolve) => (end = resolve));
  bench.answerWith(async (line) => {
    if (line.body['amount'] === 7) await waits;
    return echo(line);
  });
  const { id } = await bench.create(input([1, 20, 7]));
  await waitUntil('two lines to end', async () => (await shown(id)).reserved === '7');
  await renewNow();
  await waitUntil('the hold to be set again', async () => holdsOf(id).at(-1)?.amount === 7);
  end();
  expect(await bench.ended(id)).toMatchObject({ status: 'completed' });
  await isReleased(id);
  expect([holdsOf(id)[0], ...holdsOf(id).slice(-2)]).toEqual([holdOf(id, 28, true), holdOf(id, 7), holdOf(id, 0)]);
  await waitUntil('nothing to be held', async () => (await shown(id)).hold_at === null);
  expect(await shown(id)).toEqual({ estimate: '28', reserved: '0', hold_at: null });
});

test('a batch that its budget does not allow fails at once, and none of its lines runs', async () => {
  isRefusing = true;
  const { id } = await bench.create(input([1, 2]));
  expect(await bench.ended(id)).toMatchObject({
    status: 'failed',
    errors: { object: 'list', data: [{ code: 'budget_exceeded', message, line: null, param: null }] },
    request_counts: { total: 0, completed: 0, failed: 0 },
  });
  expect(bench.asked()).toEqual([]);
});

test('a message batch that its budget does not allow is refused, and nothing of it is stored', async () => {
  isRefusing = true;
  const before = await bench.stored();
  const requests = [1, 2].map((amount) => ({ custom_id: `line-${amount}`, params: { model: 'm', amount } }));
  await expect(bench.createMessages(requests)).rejects.toMatchObject({ code: 'budget_exceeded', message });
  expect(await bench.stored()).toEqual(before);
  isRefusing = false;
  const { id } = await bench.createMessages(requests);
  await bench.endedMessages(id);
  await isReleased(id);
  expect([holdsOf(id)[0], holdsOf(id).at(-1)]).toEqual([holdOf(id, 3, true), holdOf(id, 0)]);
});

test.each(['cancelled', 'expired'])('a batch that is %s holds nothing', async (ending) => {
  bench.answerWith(() => {
    throw new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 60_000 });
  });
  const { id } = await bench.create(input([5]));
  await waitUntil('the batch to run', async () => (await shown(id)).estimate === '5');
  if (ending === 'cancelled') await bench.read('cancelBatch', { path: `${String(id)}/cancel` });
  else await sql`update batches set expires_at = now()`.execute(bench.database.kysely);
  expect(await bench.ended(id)).toMatchObject({ status: ending });
  await isReleased(id);
});

test('a batch that is ending holds what vendors have of it', async () => {
  bench.answerWith(() => {
    throw new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 60_000 });
  });
  const { id } = await bench.create(input([5, 6, 7]));
  await waitUntil('the batch to run', async () => (await shown(id)).estimate === '18');
  await bench.database.kysely
    .insertInto('vendor_batches')
    .values({
      id: 'a',
      batch_id: String(id),
      part: 0,
      provider: 'acme',
      model: 'm',
      key: 'k',
      endpoint: '/chat',
      lines: JSON.stringify([1, 3]),
      state: 'open',
    })
    .execute();
  await bench.read('cancelBatch', { path: `${String(id)}/cancel` });
  await renewNow();
  await waitUntil('the hold to be set again', async () => holdsOf(id).at(-1)?.amount === 12);
});

test('while its lines cannot be estimated, a batch waits', async () => {
  away = 1;
  const { id } = await bench.create(input([3]));
  await waitUntil('the check to be put off', () => isPutOff(id));
  await sql`update batches set lease_until = now()`.execute(bench.database.kysely);
  expect(await bench.ended(id)).toMatchObject({ status: 'completed' });
  expect(await shown(id)).toMatchObject({ estimate: '3' });
});

test('a replica that dies with a hold leaves it to another one, which sets it once', async () => {
  const { id } = await bench.create(input([3]));
  await bench.ended(id);
  await isReleased(id);
  holds = [];
  // The batch ended, and its replica died before it released what it held.
  await sql`update batches set hold_at = now() + interval '1 minute'`.execute(bench.database.kysely);
  await isReleased(id);
  expect(holdsOf(id)).toEqual([holdOf(id, 0)]);
});
