import {
  type Budget,
  GatewayError,
  mostEndUsers,
  noEndUser,
  otherEndUsers,
  type Principal,
} from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetReservation, type Budgets, type BudgetsOptions, createBudgets } from './budgets.ts';
import { countedEndUser } from './end-users.ts';

const cent = 10_000_000;
const now = () => new Date('2026-11-21T20:30:00.000Z');
const month = (cents: number): Budget => ({ amount: (cents / 100).toFixed(2), period: 'month' });

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `end-users-${process.pid}-${Math.random()}:` }),
};

let opened: { budgets: Budgets; store: Store }[] = [];
afterEach(async () => {
  await Promise.all(opened.map(({ budgets }) => budgets.stop()));
  await Promise.all(opened.map(({ store }) => store.close()));
  opened = [];
});

const emptyLedger: BudgetsOptions['readLedger'] = async (queries) => queries.map(() => ({ before: '0', hours: [] }));

function open(store: Store, options: Partial<BudgetsOptions> = {}): Budgets {
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    now,
    whenAway: 'deny',
    waitMs: 50,
    readLedger: emptyLedger,
    onDecision() {},
    onNotCompared() {},
    ...options,
  });
  opened.push({ budgets, store });
  return budgets;
}

const account = (cents: number, changes: Partial<Principal> = {}): Principal => ({
  accountId: 'acc',
  keyId: 'key',
  endUserBudgets: { key: month(cents) },
  ...changes,
});

type Reserved = BudgetReservation | GatewayError | undefined;
const isGranted = (reserved: Reserved): reserved is BudgetReservation =>
  reserved !== undefined && !(reserved instanceof GatewayError);

interface Request {
  principal: Principal;
  endUser?: string;
  cents: number;
}

const reserve = (budgets: Budgets, { principal, endUser, cents }: Request) =>
  budgets.reserve({ principal, endUser, wanted: () => cents * cent, ttlMs: 60_000 });
const isAllowed = async (budgets: Budgets, request: Request) => isGranted(await reserve(budgets, request));
const message = async (budgets: Budgets, request: Request) => {
  const reserved = await reserve(budgets, request);
  return reserved instanceof GatewayError ? reserved.message : undefined;
};

/** Fills the account's set of end users up to this much room. */
async function leaveRoomFor(store: Store, room: number): Promise<void> {
  const rule = { most: mostEndUsers, ttlMs: 60_000 };
  const members = Array.from({ length: mostEndUsers - room }, (_, at) => `known ${at}`);
  for (let at = 0; at < members.length; at += 250)
    await Promise.all(
      members.slice(at, at + 250).map((member) => store.admit('end-users:acc:2026-11', { ...rule, member })),
    );
}

describe.each(['memory', 'redis'] as const)('budgets of end users over %s', (name) => {
  test('each end user has the amount, to the cent, and a refusal says whose budget it is and when it resets', async () => {
    const budgets = open(await stores[name]());
    const principal = account(5);
    const ann = await reserve(budgets, { principal, endUser: 'ann', cents: 5 });
    expect(ann).toMatchObject({ endUser: 'own' });
    expect(await message(budgets, { principal, endUser: 'ann', cents: 1 })).toBe(
      "This key's budget of $0.05 per month for each end user does not allow this request: $0.0000 spent, $0.0500 reserved by running requests and batches, and this request may cost $0.0100. It resets at 2026-12-01T00:00:00.000Z.",
    );
    if (isGranted(ann)) ann.settle(3 * cent, now());
    await expect.poll(() => isAllowed(budgets, { principal, endUser: 'ann', cents: 2 })).toBe(true);
    expect(await isAllowed(budgets, { principal, endUser: 'ann', cents: 1 })).toBe(false);
    expect(await isAllowed(budgets, { principal, endUser: 'bob', cents: 5 })).toBe(true);
  });

  test('requests that name no end user share one budget', async () => {
    const budgets = open(await stores[name]());
    const principal = account(5);
    expect(await reserve(budgets, { principal, cents: 5 })).toMatchObject({ endUser: 'none' });
    expect(await message(budgets, { principal, cents: 1 })).toMatch(/for all requests that name no end user does not/);
  });

  test('the same name in another account or under another key has a budget of its own', async () => {
    const budgets = open(await stores[name]());
    const request = { endUser: 'ann', cents: 5 };
    expect(await isAllowed(budgets, { principal: account(5), ...request })).toBe(true);
    expect(await isAllowed(budgets, { principal: account(5, { accountId: 'b', keyId: 'b' }), ...request })).toBe(true);
    expect(await isAllowed(budgets, { principal: account(5, { keyId: 'other' }), ...request })).toBe(true);
    expect(await isAllowed(budgets, { principal: account(5), ...request })).toBe(false);
  });

  test('the budget of a project counts over its keys, within all others', async () => {
    const budgets = open(await stores[name]());
    const of = (keyId: string): Principal =>
      account(9, {
        keyId,
        projectId: 'project',
        endUserBudgets: { key: month(9), project: month(5) },
        budgets: { account: month(7) },
      });
    expect(await isAllowed(budgets, { principal: of('one'), endUser: 'ann', cents: 4 })).toBe(true);
    expect(await message(budgets, { principal: of('two'), endUser: 'ann', cents: 2 })).toMatch(
      /^This project's budget of \$0.05 per month for each end user/,
    );
    expect(await message(budgets, { principal: of('two'), endUser: 'bob', cents: 4 })).toMatch(/^This account's/);
    expect(await isAllowed(budgets, { principal: of('two'), endUser: 'bob', cents: 3 })).toBe(true);
  });

  test('they are exact over two replicas', async () => {
    const store = await stores[name]();
    const replicas = [open(store), open(store)] as const;
    const principal = account(10);
    const requests = Array.from({ length: 60 }, (_, at) =>
      isAllowed(at % 2 === 0 ? replicas[0] : replicas[1], { principal, endUser: `user ${at % 3}`, cents: 1 }),
    );
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(30);
  });

  test('the last end user of the bound has a budget of its own, and those beyond share one', async () => {
    const store = await stores[name]();
    await leaveRoomFor(store, 1);
    const budgets = open(store);
    const principal = account(5);
    expect(await reserve(budgets, { principal, endUser: 'last', cents: 5 })).toMatchObject({ endUser: 'own' });
    expect(await reserve(budgets, { principal, endUser: 'beyond', cents: 3 })).toMatchObject({ endUser: 'shared' });
    expect(await message(budgets, { principal, endUser: 'further', cents: 3 })).toMatch(
      /for all further end users together does not/,
    );
    expect(await isAllowed(budgets, { principal, endUser: 'further', cents: 2 })).toBe(true);
    expect(await isAllowed(budgets, { principal, endUser: 'last', cents: 1 })).toBe(false);
  });

  test('the ledger is asked for the spending of each of them, and its figures count', async () => {
    const asked: unknown[] = [];
    const readLedger: BudgetsOptions['readLedger'] = async (queries) => {
      asked.push(...queries.map(({ scope, id, endUser }) => ({ scope, id, endUser })));
      return queries.map(() => ({ before: '0.03', hours: [] }));
    };
    const budgets = open(await stores[name](), { readLedger });
    expect(await isAllowed(budgets, { principal: account(5), endUser: 'ann', cents: 3 })).toBe(false);
    expect(await isAllowed(budgets, { principal: account(5), cents: 2 })).toBe(true);
    expect(asked).toEqual([
      { scope: 'key', id: 'key', endUser: { accountId: 'acc', name: 'ann' } },
      { scope: 'key', id: 'key', endUser: { accountId: 'acc', name: noEndUser } },
    ]);
  });
});

test('while the store is away, only end users whom this replica knows keep a budget of their own', async () => {
  const away = { store: { admit: async () => undefined }, admitted: new Map(), now };
  const decided = async (isKnown: boolean) =>
    countedEndUser({ ...away, isKnown: () => isKnown }, { accountId: 'acc', endUser: 'ann' });
  expect(await decided(true)).toMatchObject({ name: 'ann', counted: 'own' });
  expect(await decided(false)).toMatchObject({ name: otherEndUsers, counted: 'shared' });
});

test('the store is asked for an admitted end user once in a month, and for others each time', async () => {
  const asked: string[] = [];
  const answers = [false, true, true];
  let time = now();
  const tools = {
    store: {
      admit: async (set: string) => {
        asked.push(set);
        return answers.shift();
      },
    },
    admitted: new Map(),
    now: () => time,
    isKnown: () => false,
  };
  const decide = async () => (await countedEndUser(tools, { accountId: 'acc', endUser: 'ann' })).counted;
  expect([await decide(), await decide(), await decide()]).toEqual(['shared', 'own', 'own']);
  time = new Date('2026-12-01T00:00:00.000Z');
  expect([await decide(), await decide()]).toEqual(['own', 'own']);
  expect(asked).toEqual(['end-users:acc:2026-11', 'end-users:acc:2026-11', 'end-users:acc:2026-12']);
});

test('names of end users are in no key of the store', async () => {
  const own = await countedEndUser(
    { store: { admit: async () => true }, admitted: new Map(), now, isKnown: () => false },
    { accountId: 'acc', endUser: 'ann@example.com' },
  );
  expect(own.id).toMatch(/^[\w-]{22}$/);
});
