import { GatewayError, type Caller } from '@tallyport/contracts';
import { beforeEach, expect, test } from 'vitest';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { createUnknownKeyGuard } from './unknown-key-guard.ts';

const second = 1_000;
const callerOf = (accountId: string, expiresAt?: number): Caller => ({
  principal: { accountId, keyId: `key-of-${accountId}` },
  limits: {},
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
});

let at: number;
let answers: Map<string, Caller | null | GatewayError | Promise<Caller>>;
let lookedUp: string[];
let authenticator: Authenticator;
const away = new GatewayError('unavailable', 'The database is away.');

beforeEach(() => {
  at = 0;
  answers = new Map([['good', callerOf('acc')]]);
  lookedUp = [];
  const now = () => at;
  authenticator = createAuthenticator({
    async lookUp(keyHash) {
      lookedUp.push(keyHash);
      const answer = (await answers.get(keyHash)) ?? null;
      if (answer instanceof GatewayError) throw answer;
      return answer;
    },
    guard: createUnknownKeyGuard({ unknownPerMinute: 3, onRefused: () => {}, now }),
    now,
    date: now,
  });
});

/** Resolves with the account id, or with the error code if the key is refused. */
const ask = async (keyHash: string, address = '192.0.2.1'): Promise<string> => {
  try {
    return (await authenticator.authenticate(keyHash, () => address)).principal.accountId;
  } catch (error) {
    return (error as GatewayError).code;
  }
};
/** Resolves after background look-ups have finished. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('makes one look-up for concurrent requests and none for the next half minute', async () => {
  expect(await Promise.all(Array.from({ length: 50 }, () => ask('good')))).toEqual(Array(50).fill('acc'));
  at = 19 * second;
  expect(await ask('good')).toBe('acc');
  expect(lookedUp).toEqual(['good']);
});

test('looks keys up again after a notice may have been missed', async () => {
  expect([await ask('good'), await ask('new')]).toEqual(['acc', 'invalid_api_key']);
  answers = new Map([['new', callerOf('acc')]]);
  authenticator.markAllStale();
  expect([await ask('good'), await ask('new')]).toEqual(['invalid_api_key', 'acc']);
});

test('accepts known keys while look-ups fail, and retries every second', async () => {
  await ask('good');
  answers.set('good', away);
  authenticator.markAllStale();
  expect([await ask('good'), await ask('good')]).toEqual(['acc', 'acc']);
  expect(lookedUp).toEqual(['good', 'good']);
  answers.set('good', null);
  at = 2 * second;
  expect(await ask('good')).toBe('acc');
  await settled();
  expect(await ask('good')).toBe('invalid_api_key');
});

test('refreshes a key in use before its half minute ends, without delaying a request', async () => {
  await ask('good');
  const answer = Promise.withResolvers<Caller>();
  answers.set('good', answer.promise);
  at = 21 * second;
  expect([await ask('good'), await ask('good')]).toEqual(['acc', 'acc']);
  answer.resolve(callerOf('acc'));
  await settled();
  at = 40 * second;
  expect(await ask('good')).toBe('acc');
  expect(lookedUp).toEqual(['good', 'good']);
});

test('looks an unused key up again after half a minute', async () => {
  await ask('good');
  answers.set('good', null);
  at = 31 * second;
  expect(await ask('good')).toBe('invalid_api_key');
});

test('refuses an expired key even while look-ups fail', async () => {
  answers.set('short', callerOf('short', 8 * second));
  expect(await ask('short')).toBe('short');
  answers.set('short', away);
  at = 7 * second;
  expect(await ask('short')).toBe('short');
  await settled();
  at = 8 * second;
  expect(await ask('short')).toBe('invalid_api_key');
});

test('caches an unknown key for five seconds', async () => {
  expect(await ask('later')).toBe('invalid_api_key');
  answers.set('later', callerOf('later'));
  at = 4.9 * second;
  expect(await ask('later')).toBe('invalid_api_key');
  at = 5 * second;
  expect(await ask('later')).toBe('later');
  expect(lookedUp).toEqual(['later', 'later']);
});

test('while look-ups fail, accepts known keys and answers unavailable for the others', async () => {
  await ask('good');
  answers.set('good', away).set('stranger', away);
  at = 300 * second;
  expect([await ask('good'), await ask('stranger')]).toEqual(['acc', 'unavailable']);
  answers.set('stranger', callerOf('stranger'));
  expect(await ask('stranger')).toBe('stranger');
});

test('forgets a revoked key at once, even during its look-up', async () => {
  const underWay = ask('good');
  authenticator.forget('good');
  answers.set('good', null);
  expect([await underWay, await ask('good')]).toEqual(['acc', 'invalid_api_key']);
});

test('discards a look-up that was in flight when its account changed', async () => {
  const underWay = ask('good');
  authenticator.forgetAccount('acc');
  answers.set('good', null);
  expect([await underWay, await ask('good')]).toEqual(['acc', 'invalid_api_key']);
});

test('forgets all keys of a changed account and no others', async () => {
  answers.set('other', callerOf('other')).set('second', callerOf('acc'));
  await Promise.all(['good', 'second', 'other'].map((key) => ask(key)));
  authenticator.forgetAccount('acc');
  await Promise.all(['good', 'second', 'other'].map((key) => ask(key)));
  expect(lookedUp).toEqual(['good', 'second', 'other', 'good', 'second']);
});

test('looks a refused key up again after an account has changed, since the key may be of this account', async () => {
  expect(await ask('later')).toBe('invalid_api_key');
  answers.set('later', callerOf('acc'));
  authenticator.forgetAccount('acc');
  expect(await ask('later')).toBe('acc');
});

test('limits unknown keys per address, for one minute', async () => {
  const flood = await Promise.all(['a', 'b', 'c'].map((key) => ask(key)));
  expect([...flood, await ask('d'), await ask('d', '192.0.2.2')]).toEqual([
    'invalid_api_key',
    'invalid_api_key',
    'invalid_api_key',
    'rate_limit_exceeded',
    'invalid_api_key',
  ]);
  at = 61 * second;
  expect(await ask('e')).toBe('invalid_api_key');
});

test('looks keys of an address up one at a time beyond the limit, and accepts valid ones', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => ask(key)));
  const slow = Promise.withResolvers<Caller>();
  answers.set('slow', slow.promise);
  const results = Promise.all(
    ['slow', ...Array.from({ length: 150 }, (_, index) => `made-up ${index}`), 'good'].map((key) => ask(key)),
  );
  await settled();
  expect(lookedUp).toEqual(['a', 'b', 'c', 'slow']);
  slow.resolve(callerOf('slow'));
  expect(await results).toEqual(['slow', ...Array<string>(150).fill('rate_limit_exceeded'), 'acc']);
  expect(await ask('made-up 1')).toBe('invalid_api_key');
  expect(lookedUp).toHaveLength(3 + 152);
});

test('queues at most two hundred look-ups per address beyond the limit', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => ask(key)));
  const slow = Promise.withResolvers<Caller>();
  answers.set('slow', slow.promise);
  const waiting = Promise.all(
    ['slow', ...Array.from({ length: 199 }, (_, index) => `made-up ${index}`), 'good'].map((key) => ask(key)),
  );
  await settled();
  answers.set('late', callerOf('late'));
  expect([await ask('late'), await ask('late', '192.0.2.2')]).toEqual(['rate_limit_exceeded', 'late']);
  slow.resolve(callerOf('slow'));
  expect((await waiting).at(-1)).toBe('acc');
});

test('never refuses a known key because of other keys from its address', async () => {
  await ask('good');
  for (const key of ['a', 'b', 'c', 'd']) await ask(key);
  expect(await ask('good')).toBe('acc');
  at = 45 * second;
  expect([await ask('d'), await ask('good')]).toEqual(['rate_limit_exceeded', 'acc']);
});

test('counts IPv6 addresses per /64 network', async () => {
  for (const [index, key] of ['a', 'b', 'c'].entries()) await ask(key, `2001:db8::${index + 1}`);
  expect([await ask('d', '2001:db8:0:0:ffff::'), await ask('d', '2001:db8:0:1::')]).toEqual([
    'rate_limit_exceeded',
    'invalid_api_key',
  ]);
});

test('made-up keys do not evict valid ones', async () => {
  await ask('good');
  for (let index = 0; index < 11_000; index += 1) await ask(`made-up ${index}`, `10.${index >> 8}.${index & 255}.1`);
  expect(await ask('good')).toBe('acc');
  expect(lookedUp.filter((keyHash) => keyHash === 'good')).toEqual(['good']);
});
