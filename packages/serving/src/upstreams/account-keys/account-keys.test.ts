import type { Principal, ProviderKey } from '@tallyport/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AccountKeys, createAccountKeys } from './account-keys.ts';

const keyOf = (id: string, text = `text of ${id}`): ProviderKey => ({ id, provider: 'vendor', key: text });
const principalOf = (accountId: string, providerKeys: Principal['providerKeys'] = 'own_first'): Principal => ({
  accountId,
  keyId: 'key',
  ...(providerKeys && { providerKeys }),
});

let time = 0;
let requests: string[] = [];
/** The next results of auth-svc; the last one is repeated. */
let answers: (() => Promise<readonly ProviderKey[]>)[] = [];
let accounts: AccountKeys;

beforeEach(() => {
  time = 0;
  requests = [];
  answers = [async () => [keyOf('one')]];
  accounts = createAccountKeys({
    now: () => time,
    load(accountId) {
      requests.push(accountId);
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return next?.() ?? Promise.reject(new Error('Nothing to say.'));
    },
  });
});

const keys = async (accountId = 'acme') => (await accounts.of(principalOf(accountId)))?.keys.map(({ key }) => key);
const away = () => Promise.reject(new Error('auth-svc is unavailable'));
const unavailable = { code: 'unavailable', status: 503, retryAfterMs: 1_000 };

test.each([
  ['nobody', undefined],
  ['an account without keys', { accountId: 'acme', keyId: 'key' }],
  ['an account that wants the service’s', principalOf('acme', 'service_only')],
])('nothing is looked up for %s', async (_who, principal) => {
  expect(await accounts.of(principal)).toBeUndefined();
  expect(requests).toEqual([]);
});

test('the mode is that of the principal', async () => {
  expect(await accounts.of(principalOf('acme', 'own_only'))).toEqual({ mode: 'own_only', keys: [keyOf('one')] });
  expect(await accounts.of(principalOf('acme'))).toEqual({ mode: 'own_first', keys: [keyOf('one')] });
  expect(requests).toEqual(['acme']);
});

test('a hundred concurrent requests cause one look-up', async () => {
  const all = await Promise.all(Array.from({ length: 100 }, () => keys()));
  expect(new Set(all.map(String))).toEqual(new Set(['text of one']));
  expect(requests).toEqual(['acme']);
});

test('keys are looked up again after a minute, and an unchanged key stays the same object', async () => {
  const before = await accounts.of(principalOf('acme'));
  answers = [async () => [keyOf('one'), keyOf('two')]];
  time = 59_999;
  expect(await keys()).toEqual(['text of one']);
  time = 60_000;
  const after = await accounts.of(principalOf('acme'));
  expect(after?.keys).toEqual([keyOf('one'), keyOf('two')]);
  expect(after?.keys[0]).toBe(before?.keys[0]);
  answers = [async () => [keyOf('one', 'another text')]];
  time = 120_000;
  expect(await keys()).toEqual(['another text']);
});

describe('a change', () => {
  test('applies from the next request on', async () => {
    await keys();
    answers = [async () => []];
    accounts.drop('acme');
    expect(await keys()).toEqual([]);
    accounts.drop('another account');
    expect(await keys()).toEqual([]);
    expect(requests).toEqual(['acme', 'acme']);
  });

  test('announced during a look-up is not overwritten by its old result', async () => {
    const { promise, resolve } = Promise.withResolvers<ProviderKey[]>();
    answers = [() => promise, async () => [keyOf('new')]];
    const before = keys();
    accounts.drop('acme');
    expect(await keys()).toEqual(['text of new']);
    resolve([keyOf('old')]);
    expect(await before).toEqual(['text of old']);
    expect(await keys()).toEqual(['text of new']);
    expect(requests).toHaveLength(2);
  });
});

describe('while auth-svc is unavailable', () => {
  test('known keys are used for ten minutes, with one look-up attempt per second', async () => {
    await keys();
    answers = [away];
    time = 60_000;
    expect(await keys()).toEqual(['text of one']);
    time = 60_999;
    expect(await keys()).toEqual(['text of one']);
    expect(requests).toHaveLength(2);
    time = 599_999;
    expect(await keys()).toEqual(['text of one']);
    time = 601_000;
    await expect(keys()).rejects.toMatchObject(unavailable);
    answers = [async () => [keyOf('back')]];
    expect(await keys()).toEqual(['text of back']);
  });

  test('unknown keys are an error, and no other key is used', async () => {
    answers = [away];
    await expect(keys()).rejects.toMatchObject(unavailable);
    await expect(accounts.of(principalOf('acme', 'own_only'))).rejects.toMatchObject(unavailable);
    answers = [async () => [keyOf('one')]];
    expect(await keys()).toEqual(['text of one']);
  });

  test('keys announced as changed count as unknown', async () => {
    await keys();
    answers = [away];
    accounts.drop('acme');
    await expect(keys()).rejects.toMatchObject(unavailable);
  });
});

test('remembers ten thousand accounts and drops the least recently used', async () => {
  for (let at = 0; at < 10_000; at += 1) await keys(`account ${at}`);
  await keys('account 0');
  expect(requests).toHaveLength(10_000);
  await keys('one more');
  await keys('account 0');
  expect(requests).toHaveLength(10_001);
  await keys('account 1');
  expect(requests).toHaveLength(10_002);
});
