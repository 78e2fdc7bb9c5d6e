import type { Database } from '@tallyport/database';
import type { AlertCondition } from '@tallyport/management';
import { findBudgets } from './budget.ts';
import { findErrorRate } from './error-rate.ts';
import type { AlertFindings } from './finding.ts';
import { findExpiringKeys } from './key-expiry.ts';
import { findUptimes } from './provider-uptime.ts';

interface ConditionPlace {
  accountId: string;
  accountName: string;
  /** When the alert was created. */
  since: Date;
  now: Date;
}

/** Checks a condition. No condition reads single requests. */
export function find(database: Database, place: ConditionPlace, condition: AlertCondition): Promise<AlertFindings> {
  switch (condition.type) {
    case 'budget':
      return findBudgets(database, place, condition);
    case 'provider_uptime':
      return findUptimes(database, condition);
    case 'error_rate':
      return findErrorRate(database, place, condition);
    case 'key_expiry':
      return findExpiringKeys(database, place, condition);
    default:
      return condition satisfies never;
  }
}
