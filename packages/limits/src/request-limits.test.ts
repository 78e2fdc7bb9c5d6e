import type { Caller, Limits } from '@tallyport/contracts';
import { openMemoryStore, type Store } from '@tallyport/store';
import { afterEach, expect, test } from 'vitest';
import { createRequestLimits } from './request-limits.ts';
import { createRequestWindows, type RequestWindows } from './request-windows.ts';

const chat = (limit: number): Limits => ({ requestsPerMinute: { chat: limit } });
const callerOf = (keyId: string, limits: Caller['limits']): Caller => ({
  principal: { accountId: 'acc', projectId: 'project', keyId },
  limits,
});

const opened: RequestWindows[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((windows) => windows.stop()));
});

function open(store: Store = openMemoryStore()) {
  const decisions: string[] = [];
  const windows = createRequestWindows({ store, windowMs: 60_000, replicas: () => 1 });
  opened.push(windows);
  const defaults = { chat: 0, images: 0, models: 0, mcp: 0 };
  const limits = createRequestLimits({
    windows,
    defaults,
    onDecision: (scope, { allowed }) => decisions.push(`${scope} ${allowed ? 'allowed' : 'refused'}`),
  });
  const take = async (caller: Caller): Promise<string> => {
    try {
      await limits.take(caller, 'chat', () => {});
      return 'allowed';
    } catch (error) {
      return error instanceof Error ? error.message.replace(/ Try again .*/, '') : String(error);
    }
  };
  return { take, decisions };
}

test('the keys of a project share its limit: at the limit a request is allowed, one beyond is refused', async () => {
  const { take } = open();
  const limits = { project: chat(3), account: chat(100) };
  const answers = [];
  for (const key of ['a', 'b', 'a', 'b']) answers.push(await take(callerOf(key, limits)));
  const refusal = "This project's limit of 3 chat requests per minute is reached.";
  expect(answers).toEqual(['allowed', 'allowed', 'allowed', refusal]);
});

test('what one limit refuses counts for no other', async () => {
  const { take, decisions } = open();
  const limits = { key: chat(3), project: chat(5), account: chat(6) };
  for (const key of ['a', 'a', 'a', 'b', 'b']) expect(await take(callerOf(key, limits))).toBe('allowed');
  for (let at = 0; at < 4; at += 1) await take(callerOf('b', limits));
  expect(decisions.filter((decision) => decision === 'project refused')).toHaveLength(4);
  // Two requests of the key and five of the account are counted, so one is left of each.
  const moved = callerOf('b', { key: chat(3), account: chat(6) });
  const answers = await Promise.all(Array.from({ length: 3 }, () => take(moved)));
  expect(answers.filter((answer) => answer === 'allowed')).toHaveLength(1);
});

test('a third limit adds no round trip to two', async () => {
  const memory = openMemoryStore();
  let waiting: (() => void)[] = [];
  const store: Store = {
    ...memory,
    async spend(key, rule) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return memory.spend(key, rule);
    },
  };
  const roundTrips = async (limits: Caller['limits']): Promise<number[]> => {
    let done = false;
    const taken = open(store)
      .take(callerOf('a', limits))
      .finally(() => (done = true));
    const asked: number[] = [];
    while (!done) {
      await new Promise(setImmediate);
      if (waiting.length > 0) asked.push(waiting.length);
      for (const answer of waiting.splice(0)) answer();
    }
    expect(await taken).toBe('allowed');
    waiting = [];
    return asked;
  };
  expect(await roundTrips({ account: chat(10) })).toEqual([1]);
  expect(await roundTrips({ key: chat(5), account: chat(10) })).toEqual([1, 1]);
  expect(await roundTrips({ key: chat(5), project: chat(7), account: chat(10) })).toEqual([1, 2]);
});
