import { hasRole } from '@tallyport/management';
import { LRUCache } from 'lru-cache';
import type { DashboardRequest } from './route.ts';

interface CountingRequest extends Pick<DashboardRequest, 'ask' | 'caller'> {
  account: Pick<DashboardRequest['account'], 'id'>;
}

/** The numbers of firing alerts in the menu of every page. No page waits for one. */
export interface FiringCounts {
  /** Begins to count for those who may see the number. What it returns is the newest one that is known when it is called. */
  of(request: CountingRequest): () => number;
}

const mostAccounts = 10_000;
/** An older number is not shown: the next page has the new one. */
const shownMs = 300_000;

export function openFiringCounts(): FiringCounts {
  const known = new LRUCache<string, number>({ max: mostAccounts, ttl: shownMs });
  const counting = new Set<string>();

  async function count(accountId: string, ask: CountingRequest['ask']): Promise<void> {
    if (counting.has(accountId)) return;
    counting.add(accountId);
    try {
      known.set(accountId, (await ask('readFiringAlerts')).count);
    } catch {
      // The number that is known stays until it is too old. The page of alerts shows what is wrong.
    } finally {
      counting.delete(accountId);
    }
  }

  return {
    of({ account, ask, caller }) {
      if (!hasRole(caller, 'admin')) return () => 0;
      void count(account.id, ask);
      return () => known.get(account.id) ?? 0;
    },
  };
}
