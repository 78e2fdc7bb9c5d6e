import { GatewayError } from '@tallyport/contracts';
import { openMemoryStore, type Store } from '@tallyport/store';
import { expect, test } from 'vitest';
import type { Leave } from './held-share.ts';
import { createConcurrency } from './concurrency.ts';

const replica = (store: Store, self: string, count = 1) =>
  createConcurrency({ store, replicas: { self, count: () => count }, onDecision: () => {} });
type Replica = ReturnType<typeof replica>;

const enter = async (where: Replica, limit: number): Promise<Leave | GatewayError> => {
  try {
    return await where.enter({ scope: 'account', id: 'acc', limit });
  } catch (error) {
    return error as GatewayError;
  }
};
const many = (count: number, limit: number, where: (index: number) => Replica) =>
  Promise.all(Array.from({ length: count }, (_, index) => enter(where(index), limit)));
const leaves = (all: readonly (Leave | GatewayError)[]): Leave[] =>
  all.filter((each): each is Leave => typeof each === 'function');

test('all replicas together run as many requests at once as the limit, and not one more', async () => {
  const store = openMemoryStore();
  const replicas = ['a', 'b', 'c'].map((self) => replica(store, self));
  const all = await many(30, 10, (index) => replicas[index % 3]!);
  expect(leaves(all)).toHaveLength(10);
  expect(all.find((each) => each instanceof GatewayError)).toMatchObject({
    code: 'rate_limit_exceeded',
    message: "This account's limit of 10 requests at once is reached. Try again in 1 second.",
    retryAfterMs: 1_000,
  });
});

test('a finished request makes room on every replica', async () => {
  const store = openMemoryStore();
  const [one, other] = [replica(store, 'a'), replica(store, 'b')];
  const running = leaves(await many(3, 3, () => one));
  expect(await enter(other, 3)).toBeInstanceOf(GatewayError);
  running[0]!();
  await expect.poll(async () => typeof (await enter(other, 3)), { interval: 5 }).toBe('function');
  expect(await enter(one, 3)).toBeInstanceOf(GatewayError);
});

test('a share that is being released is not used until the store has answered', async () => {
  const store = openMemoryStore();
  const [one, other] = [replica(store, 'a'), replica(store, 'b')];
  for (let round = 0; round < 20; round += 1) {
    const [leave] = leaves(await many(1, 1, () => one));
    leave!();
    const both = leaves(await Promise.all([enter(other, 1), enter(one, 1)]));
    expect(both.length).toBeLessThanOrEqual(1);
    for (const each of both) each();
    await expect.poll(() => many(1, 1, () => one).then((all) => leaves(all).map((end) => end()).length)).toBe(1);
    await expect.poll(async () => (await store.share('concurrency:acc', probe))?.others).toBe(0);
  }
});

const probe = { holder: 'x', needed: 0, wanted: 0, limit: 1, ttlMs: 1_000 };

test('a replica keeps spare room of a large limit, so that most requests need no store call', async () => {
  const one = replica(openMemoryStore(), 'a');
  await one.enter({ scope: 'account', id: 'acc', limit: 1_000 });
  await one.enter({ scope: 'account', id: 'acc', limit: 1_000 });
  expect(one.enter({ scope: 'account', id: 'acc', limit: 1_000 })).not.toBeInstanceOf(Promise);
});

test.each([
  [17, false],
  [16, true],
])('with a limit of %d, a request that follows soon needs a store call: %s', async (limit, asks) => {
  const one = replica(openMemoryStore(), 'a');
  for (const leave of leaves(await many(1, limit, () => one))) leave();
  expect(one.enter({ scope: 'account', id: 'acc', limit }) instanceof Promise).toBe(asks);
});

test('an idle replica holds no share after a while', async () => {
  const store = openMemoryStore();
  const one = replica(store, 'a');
  for (const leave of leaves(await many(20, 1_000, () => one))) leave();
  const held = () => store.share('concurrency:acc', probe);
  one.beat();
  expect(await held()).toMatchObject({ holders: 1 });
  await expect.poll(() => (one.beat(), held())).toEqual({ held: 0, others: 0, holders: 0 });
});

test('a replica that stops releases its share', async () => {
  const store = openMemoryStore();
  const [one, other] = [replica(store, 'a'), replica(store, 'b')];
  await many(3, 3, () => one);
  await one.stop();
  expect(leaves(await many(3, 3, () => other))).toHaveLength(3);
});

test('each replica uses its own part of the limit while the store is unavailable', async () => {
  const store = openMemoryStore();
  const one = replica(store, 'a', 3);
  await store.close();
  expect(leaves(await many(10, 10, () => one))).toHaveLength(4);
});

test.each(['key', 'project'] as const)('a %s is counted beside its account, and a refusal names it', async (scope) => {
  const one = replica(openMemoryStore(), 'a');
  const leave = await one.enter({ scope, id: 'acc', limit: 1 });
  await one.enter({ scope: 'account', id: 'acc', limit: 1 });
  await expect(async () => one.enter({ scope, id: 'acc', limit: 1 })).rejects.toMatchObject({
    message: `This ${scope}'s limit of 1 requests at once is reached. Try again in 1 second.`,
  });
  leave();
  expect(await one.enter({ scope, id: 'acc', limit: 1 })).toBeTypeOf('function');
});
