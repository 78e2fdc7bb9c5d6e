import type { CallOperation } from '@tallyport/management';
import { expect, test } from 'vitest';
import { openFiringCounts } from './firing-counts.ts';

/** A ledger that answers when the test wants. */
function openLedger() {
  const waiting: PromiseWithResolvers<{ count: number }>[] = [];
  const ask = (() => {
    const answer = Promise.withResolvers<{ count: number }>();
    waiting.push(answer);
    return answer.promise;
  }) as unknown as CallOperation;
  return { waiting, ask };
}

const requestOf = (ask: CallOperation, changes: { account?: string; role?: 'admin' | 'member' } = {}) => ({
  account: { id: changes.account ?? 'acme' },
  ask,
  caller: { accountId: 'acme', role: changes.role ?? 'admin', operator: false } as const,
});

/** The number arrives after what waits for the answer of the ledger. */
const arrived = () => new Promise((resolve) => setImmediate(resolve));

test('a page has the newest number that is known and waits for none', async () => {
  const { waiting, ask } = openLedger();
  const counts = openFiringCounts();
  const number = counts.of(requestOf(ask));
  expect(number()).toBe(0);
  waiting[0]?.resolve({ count: 2 });
  await arrived();
  expect(number()).toBe(2);
  const next = counts.of(requestOf(ask));
  expect([next(), waiting.length]).toEqual([2, 2]);
  waiting[1]?.reject(new Error('The ledger is away.'));
  await arrived();
  expect(next()).toBe(2);
});

test('an account is counted once at a time, apart from others, and only for admins', async () => {
  const { waiting, ask } = openLedger();
  const counts = openFiringCounts();
  const pages = [1, 2, 3].map(() => counts.of(requestOf(ask)));
  const other = counts.of(requestOf(ask, { account: 'other' }));
  const member = counts.of(requestOf(ask, { role: 'member' }));
  expect(waiting).toHaveLength(2);
  waiting[0]?.resolve({ count: 3 });
  await arrived();
  expect([pages.map((page) => page()), other(), member()]).toEqual([[3, 3, 3], 0, 0]);
});
