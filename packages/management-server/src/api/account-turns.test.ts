import { expect, test } from 'vitest';
import { accountShare, createAccountTurns } from './account-turns.ts';
import type { ApiCaller } from './caller.ts';

const of = (accountId: string): ApiCaller => ({ actor: 'key:k', accountId, role: 'admin', operator: false });
const refused = { code: 'rate_limit_exceeded', status: 429, retryAfterMs: 1_000 };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('an account runs two operations at once, 100 wait, and the next one is refused', async () => {
  const turns = createAccountTurns();
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  async function work(): Promise<string> {
    most = Math.max(most, (running += 1));
    await release.promise;
    running -= 1;
    return 'done';
  }
  const allowed = Array.from({ length: accountShare.eachAtOnce + accountShare.maxWaiting }, () =>
    turns.run(of('a'), work),
  );
  await expect(turns.run(of('a'), work)).rejects.toMatchObject(refused);
  expect(running).toBe(2);
  expect(await turns.run(of('b'), async () => 'other')).toBe('other');
  expect(await turns.run(undefined, async () => 'anyone')).toBe('anyone');
  release.resolve();
  expect(new Set(await Promise.all(allowed))).toEqual(new Set(['done']));
  expect(most).toBe(2);
});

test('an operation that fails ends its turn', async () => {
  const turns = createAccountTurns();
  for (let times = 0; times < 3; times += 1) {
    await expect(turns.run(of('a'), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  }
});

test('two downloads of an account run at once, beside its operations, and a download that is left ends', async () => {
  const turns = createAccountTurns();
  async function* pieces(): AsyncGenerator<string> {
    yield 'first';
    yield 'second';
  }
  const downloads = [1, 2, 3].map(() => turns.stream(of('a'), pieces));
  const begun = await Promise.all(downloads.slice(0, 2).map((each) => each.next()));
  expect(begun.map(({ value }) => value)).toEqual(['first', 'first']);
  let third: string | undefined;
  const waiting = downloads[2]!.next().then(({ value }) => (third = value));
  await settled();
  expect(third).toBeUndefined();
  expect(await turns.run(of('a'), async () => 'beside')).toBe('beside');
  await downloads[0]!.return(undefined);
  expect(await waiting).toBe('first');
});
