import { hasRole } from '@tallyport/management';
import { setTimeout as wait } from 'node:timers/promises';
import type { DashboardRequest } from './route.ts';

/** No page waits longer for a number in the menu. */
const deadlineMs = 300;

/** Counts the firing alerts for those who may see them. None if the ledger does not answer soon. */
export async function readFiringCount({ ask, caller }: Pick<DashboardRequest, 'ask' | 'caller'>): Promise<number> {
  if (!hasRole(caller, 'admin')) return 0;
  const deadline = new AbortController();
  const counted = ask('readFiringAlerts')
    .then(({ count }) => count)
    .catch(() => 0);
  const late = wait(deadlineMs, 0, { signal: deadline.signal }).catch(() => 0);
  return Promise.race([counted, late]).finally(() => deadline.abort());
}
