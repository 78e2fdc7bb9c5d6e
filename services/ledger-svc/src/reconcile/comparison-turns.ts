import { randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import type { Store } from '@tallyport/store';

/** Runs the work unless the account has other work. Throws `conflict` then. */
export type ComparisonTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>;

/** Longer than any comparison takes; afterwards the turn of a replica that ended is free again. */
const leaseMs = 60_000;

/** Lets each account compare one bill at a time, on all replicas. While the store is away, on each of them. */
export function createComparisonTurns(store: Pick<Store, 'setIfAbsent' | 'deleteIfEqual'>): ComparisonTurns {
  const running = new Set<string>();

  async function runAlone<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const [key, mark] = [`reconciling:${accountId}`, randomBytes(16)];
    if (typeof (await store.setIfAbsent(key, mark, leaseMs)) === 'object') throw isRunning();
    try {
      return await work();
    } finally {
      await store.deleteIfEqual(key, mark);
    }
  }

  return async (accountId, work) => {
    if (running.has(accountId)) throw isRunning();
    running.add(accountId);
    try {
      return await runAlone(accountId, work);
    } finally {
      running.delete(accountId);
    }
  };
}

const isRunning = (): GatewayError =>
  new GatewayError('conflict', 'A comparison of this account is running. Wait until it has ended, then try again.');
