import type { Principal, ProviderKey } from '@switchyard/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AccountKeys, createAccountKeys } from './account-keys.ts';

const keyOf = (id: string, text = `text of ${id}`): ProviderKey => ({ id, provider: 'vendor', key: text });
const principalOf = (accountId: string, providerKeys: Principal['providerKeys'] = 'own_first'): Principal => ({
  accountId,
  keyId: 'key',
  ...(providerKeys && { providerKeys }),
});

let time = 0;
let asked: string[] = [];
/** What auth-svc says next; the last goes on being said. */
let answers: (() => Promise<readonly ProviderKey[]>)[] = [];
let accounts: AccountKeys;

beforeEach(() => {
  time = 0;
  asked = [];
  answers = [async () => [keyOf('one')]];
  accounts = createAccountKeys({
    now: () => time,
    load(accountId) {
      asked.push(accountId);
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return next?.() ?? Promise.reject(new Error('Nothing to say.'));
    },
  });
});

const keys = async (accountId = 'acme') => (await accounts.of(principalOf(accountId)))?.keys.map(({ key }) => key);
const away = () => Promise.reject(new Error('auth-svc is away'));
const unavailable = { code: 'unavailable', status: 503, retryAfterMs: 1_000 };

test.each([
  ['nobody', undefined],
  ['an account without keys', { accountId: 'acme', keyId: 'key' }],
  ['an account that wants the service’s', principalOf('acme', 'service_only')],
])('for %s nothing is looked up', async (_who, principal) => {
  expect(await accounts.of(principal)).toBeUndefined();
  expect(asked).toEqual([]);
});

test('the mode is the principal’s', async () => {
  expect(await accounts.of(principalOf('acme', 'own_only'))).toEqual({ mode: 'own_only', keys: [keyOf('one')] });
  expect(await accounts.of(principalOf('acme'))).toEqual({ mode: 'own_first', keys: [keyOf('one')] });
  expect(asked).toEqual(['acme']);
});

test('a hundred requests at once ask once', async () => {
  const all = await Promise.all(Array.from({ length: 100 }, () => keys()));
  expect(new Set(all.map(String))).toEqual(new Set(['text of one']));
  expect(asked).toEqual(['acme']);
});

test('what is known is asked again after a minute, and a key that stayed is the same object', async () => {
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
  test('counts from the next request on', async () => {
    await keys();
    answers = [async () => []];
    accounts.drop('acme');
    expect(await keys()).toEqual([]);
    accounts.drop('somebody else');
    expect(await keys()).toEqual([]);
    expect(asked).toEqual(['acme', 'acme']);
  });

  test('told while the old is on its way is not overwritten by it', async () => {
    const { promise, resolve } = Promise.withResolvers<ProviderKey[]>();
    answers = [() => promise, async () => [keyOf('new')]];
    const before = keys();
    accounts.drop('acme');
    expect(await keys()).toEqual(['text of new']);
    resolve([keyOf('old')]);
    expect(await before).toEqual(['text of old']);
    expect(await keys()).toEqual(['text of new']);
    expect(asked).toHaveLength(2);
  });
});

describe('while auth-svc is away', () => {
  test('known keys go on for ten minutes, asked for once a second', async () => {
    await keys();
    answers = [away];
    time = 60_000;
    expect(await keys()).toEqual(['text of one']);
    time = 60_999;
    expect(await keys()).toEqual(['text of one']);
    expect(asked).toHaveLength(2);
    time = 599_999;
    expect(await keys()).toEqual(['text of one']);
    time = 601_000;
    await expect(keys()).rejects.toMatchObject(unavailable);
    answers = [async () => [keyOf('back')]];
    expect(await keys()).toEqual(['text of back']);
  });

  test('unknown ones are an error, and no other key is taken', async () => {
    answers = [away];
    await expect(keys()).rejects.toMatchObject(unavailable);
    await expect(accounts.of(principalOf('acme', 'own_only'))).rejects.toMatchObject(unavailable);
    answers = [async () => [keyOf('one')]];
    expect(await keys()).toEqual(['text of one']);
  });

  test('those told to have changed are unknown', async () => {
    await keys();
    answers = [away];
    accounts.drop('acme');
    await expect(keys()).rejects.toMatchObject(unavailable);
  });
});

test('ten thousand accounts are remembered, and of one more the one that was not used longest goes', async () => {
  for (let at = 0; at < 10_000; at += 1) await keys(`account ${at}`);
  await keys('account 0');
  expect(asked).toHaveLength(10_000);
  await keys('one more');
  await keys('account 0');
  expect(asked).toHaveLength(10_001);
  await keys('account 1');
  expect(asked).toHaveLength(10_002);
});
