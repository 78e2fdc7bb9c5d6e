import { GatewayError, type Caller } from '@switchyard/contracts';
import { beforeEach, expect, test } from 'vitest';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { createStrangerGuard } from './stranger-guard.ts';

const second = 1_000;
const callerOf = (accountId: string, expiresAt?: number): Caller => ({
  principal: { accountId, keyId: `key-of-${accountId}` },
  limits: {},
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
});

let at: number;
let answers: Map<string, Caller | null | GatewayError | Promise<Caller>>;
let asked: string[];
let authenticator: Authenticator;
const away = new GatewayError('unavailable', 'The database is away.');

beforeEach(() => {
  at = 0;
  answers = new Map([['good', callerOf('acc')]]);
  asked = [];
  const now = () => at;
  authenticator = createAuthenticator({
    async lookUp(keyHash) {
      asked.push(keyHash);
      const answer = (await answers.get(keyHash)) ?? null;
      if (answer instanceof GatewayError) throw answer;
      return answer;
    },
    guard: createStrangerGuard({ unknownPerMinute: 3, onRefused: () => {}, now }),
    now,
    date: now,
  });
});

/** The account, or the code it was refused with. */
const ask = async (keyHash: string, address = '192.0.2.1'): Promise<string> => {
  try {
    return (await authenticator.authenticate(keyHash, () => address)).principal.accountId;
  } catch (error) {
    return (error as GatewayError).code;
  }
};
/** What is looked up behind somebody's back is done when this is. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one look-up for all who ask at once, and none for half a minute', async () => {
  expect(await Promise.all(Array.from({ length: 50 }, () => ask('good')))).toEqual(Array(50).fill('acc'));
  at = 19 * second;
  expect(await ask('good')).toBe('acc');
  expect(asked).toEqual(['good']);
});

test('where news may have been missed, keys are looked up again before they are believed', async () => {
  expect([await ask('good'), await ask('new')]).toEqual(['acc', 'invalid_api_key']);
  answers = new Map([['new', callerOf('acc')]]);
  authenticator.doubt();
  expect([await ask('good'), await ask('new')]).toEqual(['invalid_api_key', 'acc']);
});

test('where nobody can say they go on, and it is asked again every second', async () => {
  await ask('good');
  answers.set('good', away);
  authenticator.doubt();
  expect([await ask('good'), await ask('good')]).toEqual(['acc', 'acc']);
  expect(asked).toEqual(['good', 'good']);
  answers.set('good', null);
  at = 2 * second;
  expect(await ask('good')).toBe('acc');
  await settled();
  expect(await ask('good')).toBe('invalid_api_key');
});

test('a key in use is looked up again before its half minute is over, and nobody waits', async () => {
  await ask('good');
  const answer = Promise.withResolvers<Caller>();
  answers.set('good', answer.promise);
  at = 21 * second;
  expect([await ask('good'), await ask('good')]).toEqual(['acc', 'acc']);
  answer.resolve(callerOf('acc'));
  await settled();
  at = 40 * second;
  expect(await ask('good')).toBe('acc');
  expect(asked).toEqual(['good', 'good']);
});

test('a key that was not used is not believed after half a minute', async () => {
  await ask('good');
  answers.set('good', null);
  at = 31 * second;
  expect(await ask('good')).toBe('invalid_api_key');
});

test('no key outlives its end, not even while nobody can be asked', async () => {
  answers.set('short', callerOf('short', 8 * second));
  expect(await ask('short')).toBe('short');
  answers.set('short', away);
  at = 7 * second;
  expect(await ask('short')).toBe('short');
  await settled();
  at = 8 * second;
  expect(await ask('short')).toBe('invalid_api_key');
});

test('an unknown key is unknown for five seconds', async () => {
  expect(await ask('later')).toBe('invalid_api_key');
  answers.set('later', callerOf('later'));
  at = 4.9 * second;
  expect(await ask('later')).toBe('invalid_api_key');
  at = 5 * second;
  expect(await ask('later')).toBe('later');
  expect(asked).toEqual(['later', 'later']);
});

test('while nobody can be asked those we know go on, and strangers are told that we cannot know', async () => {
  await ask('good');
  answers.set('good', away).set('stranger', away);
  at = 300 * second;
  expect([await ask('good'), await ask('stranger')]).toEqual(['acc', 'unavailable']);
  answers.set('stranger', callerOf('stranger'));
  expect(await ask('stranger')).toBe('stranger');
});

test('a revoked key is forgotten at once, also when its look-up is under way', async () => {
  const underWay = ask('good');
  authenticator.forget('good');
  answers.set('good', null);
  expect([await underWay, await ask('good')]).toEqual(['acc', 'invalid_api_key']);
});

test('a look-up that was under way when an account changed is not kept', async () => {
  const underWay = ask('good');
  authenticator.forgetAccount('acc');
  answers.set('good', null);
  expect([await underWay, await ask('good')]).toEqual(['acc', 'invalid_api_key']);
});

test('all keys of an account that changed are forgotten, and of no other', async () => {
  answers.set('other', callerOf('other')).set('second', callerOf('acc'));
  await Promise.all(['good', 'second', 'other'].map((key) => ask(key)));
  authenticator.forgetAccount('acc');
  await Promise.all(['good', 'second', 'other'].map((key) => ask(key)));
  expect(asked).toEqual(['good', 'second', 'other', 'good', 'second']);
});

test('an address that shows unknown keys is not asked for after the limit, until a minute later', async () => {
  const flood = await Promise.all(['a', 'b', 'c'].map((key) => ask(key)));
  expect([...flood, await ask('d'), await ask('d', '192.0.2.2')]).toEqual([
    'invalid_api_key',
    'invalid_api_key',
    'invalid_api_key',
    'rate_limit_exceeded',
    'invalid_api_key',
  ]);
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  at = 61 * second;
  expect(await ask('e')).toBe('invalid_api_key');
});

test('keys that were good are never refused for what others of their address do', async () => {
  await ask('good');
  for (const key of ['a', 'b', 'c', 'd']) await ask(key);
  expect(await ask('good')).toBe('acc');
  at = 45 * second;
  expect([await ask('d'), await ask('good')]).toEqual(['rate_limit_exceeded', 'acc']);
});

test('an IPv6 address is one of its 2^64 neighbours', async () => {
  for (const [index, key] of ['a', 'b', 'c'].entries()) await ask(key, `2001:db8::${index + 1}`);
  expect([await ask('d', '2001:db8:0:0:ffff::'), await ask('d', '2001:db8:0:1::')]).toEqual([
    'rate_limit_exceeded',
    'invalid_api_key',
  ]);
});

test('made-up keys do not push real ones out', async () => {
  await ask('good');
  for (let index = 0; index < 11_000; index += 1) await ask(`made-up ${index}`, `10.${index >> 8}.${index & 255}.1`);
  expect(await ask('good')).toBe('acc');
  expect(asked.filter((keyHash) => keyHash === 'good')).toEqual(['good']);
});
