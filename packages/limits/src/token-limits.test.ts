import { openMemoryStore } from '@tallyport/store';
import { afterEach, expect, test } from 'vitest';
import { lineTo } from './testing/line-to.ts';
import { createTokenLimits, type Reservation, type TokenLimits, type TokenRefusal } from './token-limits.ts';

const opened: TokenLimits[] = [];
function open(defaultLimit: number, store = openMemoryStore()) {
  const decisions: string[] = [];
  const onDecision = (scope: string, allowed: boolean, alone: boolean) =>
    void decisions.push(`${scope} ${allowed ? 'allowed' : 'refused'}${alone ? ' alone' : ''}`);
  const limits = createTokenLimits({ store, replicas: { count: () => 1 }, defaultLimit, onDecision });
  opened.push(limits);
  return { store, limits, decisions };
}
const principal = { accountId: 'acc', keyId: 'key' };
const remaining = (answer: Reservation | TokenRefusal | undefined) =>
  answer && Number(answer.headers['x-ratelimit-remaining-tokens']);
const reserved = (answer: Reservation | TokenRefusal | undefined): Reservation => {
  if (answer && 'settle' in answer) return answer;
  throw new Error('The request was refused.');
};

afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.stop()));
});

test('without a limit nothing is estimated or counted', async () => {
  const { limits, decisions } = open(0);
  const estimate = () => expect.unreachable();
  expect(await limits.reserve(principal, estimate)).toBeUndefined();
  expect(await limits.reserve(undefined, estimate)).toBeUndefined();
  expect(decisions).toEqual([]);
});

test('at most the limit is reserved at once', async () => {
  const { limits, decisions } = open(1_000);
  const all = await Promise.all([400, 400, 200, 1].map(async (tokens) => limits.reserve(principal, () => tokens)));
  expect(all.map(remaining)).toEqual([600, 200, 0, 0]);
  expect(all[3]).toMatchObject({
    error: {
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /^This account's limit of 1000 tokens per minute is reached: this request may need 1, counting its max_tokens, and 0 are left\. Try again in \d\d seconds\.$/,
      ),
    },
    headers: { 'x-ratelimit-limit-tokens': '1000', 'x-ratelimit-reset-tokens': expect.stringMatching(/^\d+(\.\d)?s$/) },
  });
  expect(decisions).toEqual([...Array.from({ length: 3 }, () => 'account_tokens allowed'), 'account_tokens refused']);
});

test('a settlement refunds unused tokens or counts additional ones, once', async () => {
  const { limits } = open(1_000);
  const one = reserved(await limits.reserve(principal, () => 600));
  one.settle(100);
  one.settle(0);
  const two = reserved(await limits.reserve(principal, () => 100));
  expect(remaining(two)).toBe(800);
  two.settle(300);
  expect(remaining(await limits.reserve(principal, () => 100))).toBe(500);
});

test('the refusal of a request that can never fit says so', async () => {
  const { limits } = open(1_000);
  expect(await limits.reserve(principal, () => 1_001)).toMatchObject({
    error: { message: expect.stringContaining('reached by one request: this request may need 1001') },
  });
  expect(remaining(await limits.reserve(principal, () => 1_000))).toBe(0);
});

test('the reservation of a key is released when its account refuses', async () => {
  const { limits, decisions } = open(0);
  const both = { ...principal, tokensPerMinute: { key: 500, account: 600 } };
  const other = { ...both, keyId: 'other' };
  expect(remaining(await limits.reserve(other, () => 400))).toBe(100);
  expect(remaining(await limits.reserve(both, () => 400))).toBe(200);
  expect(decisions.slice(2)).toEqual(['key_tokens allowed', 'account_tokens refused']);
  expect(remaining(await limits.reserve(both, () => 200))).toBe(0);
});

test('an outage of the store does not restart the minute', async () => {
  const shared = openMemoryStore();
  const line = lineTo(shared);
  const { limits, decisions } = open(1_000, line.store);
  const before = reserved(await limits.reserve(principal, () => 700));
  line.cut();
  before.settle(600);
  const away: (number | undefined)[] = [];
  for (const tokens of [401, 400, 1]) away.push(remaining(await limits.reserve(principal, () => tokens)));
  expect(away).toEqual([400, 0, 0]);
  line.mend();
  expect(remaining(await limits.reserve(principal, () => 1))).toBe(0);
  expect(decisions).toEqual([
    'account_tokens allowed',
    'account_tokens refused alone',
    'account_tokens allowed alone',
    'account_tokens refused alone',
    'account_tokens refused',
  ]);
});

test('usage during an outage is reported when the store is back, even without further requests', async () => {
  const shared = openMemoryStore();
  const line = lineTo(shared);
  const { limits } = open(1_000, line.store);
  const known = reserved(await limits.reserve(principal, () => 100));
  line.cut();
  const unknown = reserved(await limits.reserve(principal, () => 500));
  unknown.settle(200);
  known.settle(150);
  line.mend();
  const used = async () => (await shared.spend('tokens:account:acc', { limit: 1, windowMs: 60_000, wanted: 0 }))?.used;
  await expect.poll(used).toBe(350);
});

test('without the store the replica counts locally', async () => {
  const { store, limits, decisions } = open(1_000);
  await store.close();
  const all = await Promise.all([600, 600].map(async (tokens) => limits.reserve(principal, () => tokens)));
  expect(all.map(remaining)).toEqual([400, 400]);
  expect(decisions).toEqual(['account_tokens allowed alone', 'account_tokens refused alone']);
});
