import { expect, test } from 'vitest';
import type { RuleWork } from './rule-messages.ts';
import { RuleThreads } from './rule-threads.ts';

const slow: RuleWork = {
  policies: [{ request: { patterns: [{ name: 'slow', pattern: '[a-c]{1,110}[0-9]', action: 'redact' }] } }],
  part: 'request',
  document: { input: `${'abc'.repeat(20_000)}1` },
};

test('a caller that leaves is released while the thread works', async () => {
  const threads = new RuleThreads();
  const leaving = new AbortController();
  const order: string[] = [];
  const left = threads.redact('a', slow, leaving.signal).catch((reason: unknown) => order.push(String(reason)));
  const next = threads.redact('a', slow, new AbortController().signal).then(() => order.push('next'));
  leaving.abort('left');
  await left;
  expect(order).toEqual(['left']);
  await next;
  expect(order).toEqual(['left', 'next']);
  await threads.stop();
});

test('32 works of an account wait for its thread, and those of another account are not refused', async () => {
  const threads = new RuleThreads();
  const leaving = new AbortController();
  const redact = (account: string) => threads.redact(account, slow, leaving.signal).catch(({ code }) => code);
  const served = redact('a');
  const waiting = Array.from({ length: 32 }, () => redact('a'));
  expect(await redact('a')).toBe('overloaded');
  const others = [redact('b'), redact('b')];
  leaving.abort({ code: 'left' });
  expect(new Set(await Promise.all([served, ...waiting, ...others]))).toEqual(new Set(['left']));
  await threads.stop();
});
