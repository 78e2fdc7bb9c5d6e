import { GatewayError, type Principal } from '@tallyport/contracts';
import { openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../../tests/support/probe.ts';
import { startRedis, type TestServer } from '../../../../../tests/support/servers.ts';
import { stallRedis } from '../../../../../tests/support/stall-redis.ts';
import { type BudgetReservation, type Budgets, createBudgets } from './budgets.ts';

const cent = 10_000_000;
const principalOf = (keyId: string, amount: string): Principal => ({
  accountId: 'account',
  keyId,
  budgets: { key: { amount, period: 'month' } },
});

let redis: TestServer;
const opened: { budgets: Budgets; store: Store }[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const { budgets, store } of opened) {
    await budgets.stop();
    await store.close();
  }
  await redis.stop();
});

/** Replicas with a connection each, and a ledger without any records. */
async function open(prefix: string) {
  const store = await openStore({ url: redis.url, prefix });
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    whenAway: 'allow',
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  opened.push({ budgets, store });
  return { budgets, store };
}

const reserve = (budgets: Budgets, principal: Principal, cents: number, ttlMs = 60_000) =>
  budgets.reserve({ principal, wanted: () => cents * cent, ttlMs });
const isGranted = (reserved: BudgetReservation | GatewayError | undefined): reserved is BudgetReservation =>
  reserved !== undefined && !(reserved instanceof GatewayError);

async function restart(stores: readonly Store[]): Promise<void> {
  await redis.kill();
  await waitUntil('Redis to be unavailable', () => stores.every((store) => !store.state().connected));
  await redis.restart();
  await waitUntil('Redis to be back', () => stores.every((store) => store.state().connected));
}

test('five restarts of Redis in a row let a budget spend exactly its limit', async () => {
  const replicas = [await open('five:'), await open('five:')];
  const principal = principalOf('five', '1');
  // The store rounds it up by two slots of 15 s at most.
  const ttlMs = 1_000;
  let spent = 0;
  const spendUpTo = async (requests: number): Promise<void> => {
    for (let turn = 0; turn < requests; turn += 1) {
      const reserved = await reserve((replicas[turn % 2] as (typeof replicas)[0]).budgets, principal, 2, ttlMs);
      if (!isGranted(reserved)) continue;
      reserved.settle(2 * cent, new Date());
      spent += 2;
    }
  };
  // Answers arrive in order, so with this one a replica has the answers to its settlements. One that Redis counts and does
  // not confirm counts again: such a budget ends early.
  const confirmed = () => Promise.all(replicas.map(async ({ budgets }) => reserve(budgets, principal, 1_000)));
  for (let round = 0; round < 5; round += 1) {
    await spendUpTo(14);
    await confirmed();
    await redis.kill();
    await spendUpTo(6);
    await redis.restart();
    await waitUntil('Redis to be back', () => replicas.every(({ store }) => store.state().connected));
  }
  // A reservation whose confirmation was lost with Redis is held until its time is over.
  const total = async (): Promise<number> => {
    await spendUpTo(20);
    return spent;
  };
  await expect.poll(total, { interval: 250 }).toBe(100);
  expect(await total()).toBe(100);
});

test('reservations survive a restart of Redis, also for a replica that did not know them', async () => {
  const [one, two] = [await open('running:'), await open('running:')];
  const principal = principalOf('running', '1');
  const running = [await reserve(one.budgets, principal, 40), await reserve(two.budgets, principal, 40)];
  await reserve(one.budgets, principal, 0);
  await restart([one.store, two.store]);
  const third = await open('running:');
  expect(isGranted(await reserve(one.budgets, principal, 21))).toBe(false);
  expect(isGranted(await reserve(two.budgets, principal, 21))).toBe(false);
  expect(isGranted(await reserve(third.budgets, principal, 21))).toBe(false);
  const last = await reserve(third.budgets, principal, 20);
  expect(isGranted(last)).toBe(true);
  for (const each of running) if (isGranted(each)) each.settle(10 * cent, new Date());
  const rest = async () => isGranted(await reserve(one.budgets, principal, 60));
  await expect.poll(rest).toBe(true);
  expect(isGranted(await reserve(two.budgets, principal, 1))).toBe(false);
});

test('what ends while Redis is unavailable is settled later, and what started meanwhile stays reserved', async () => {
  const [one, two] = [await open('away:'), await open('away:')];
  const principal = principalOf('away', '1');
  const early = await reserve(one.budgets, principal, 50);
  await reserve(two.budgets, principal, 0);
  await redis.kill();
  await waitUntil('Redis to be unavailable', () => !one.store.state().connected && !two.store.state().connected);
  if (isGranted(early)) early.settle(30 * cent, new Date());
  const alone = await reserve(two.budgets, principal, 10);
  expect(isGranted(alone)).toBe(true);
  await redis.restart();
  const { budgets } = await open('away:');
  const message = async () => {
    const refused = await reserve(budgets, principal, 1_000);
    return refused instanceof GatewayError ? refused.message : undefined;
  };
  await expect.poll(message).toMatch(/\$0.3000 spent, \$0.1000 reserved/);
  if (isGranted(alone)) alone.settle(5 * cent, new Date());
  await expect.poll(message).toMatch(/\$0.3500 spent, and/);
});

test('a settlement that Redis answers late counts once', async () => {
  const { budgets, store } = await open('late:');
  const principal = principalOf('late', '1');
  const reserved = await reserve(budgets, principal, 30);
  const other = await reserve(budgets, principal, 10);
  // Longer than a command may take, and too short for the connection to be given up.
  await stallRedis(redis.url, 900);
  if (isGranted(reserved)) reserved.settle(20 * cent, new Date());
  const message = async () => {
    const refused = await reserve(budgets, principal, 1_000);
    return refused instanceof GatewayError ? refused.message : undefined;
  };
  await expect.poll(message).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
  await waitUntil('Redis to be back', () => store.state().connected);
  expect(await message()).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
  if (isGranted(other)) other.settle(10 * cent, new Date());
  await expect.poll(message).toMatch(/\$0.3000 spent, and/);
});
