import type { Database } from '@tallyport/database';
import type { AlertCondition } from '@tallyport/management';
import { findBudgets } from './budget.ts';
import { findDailyCosts } from './daily-cost.ts';
import { findErrorRates } from './error-rate.ts';
import type { AlertFindings, ConditionPlace } from './finding.ts';
import { findExpiringKeys } from './key-expiry.ts';
import { findLatency } from './latency.ts';
import { findUptimes } from './provider-uptime.ts';
import { findVendorDifferences } from './vendor-difference.ts';

/** Checks a condition. No condition reads single requests. */
export function find(database: Database, place: ConditionPlace, condition: AlertCondition): Promise<AlertFindings> {
  switch (condition.type) {
    case 'budget':
      return findBudgets(database, place, condition);
    case 'provider_uptime':
      return findUptimes(database, condition);
    case 'error_rate':
      return findErrorRates(database, place, condition);
    case 'key_expiry':
      return findExpiringKeys(database, place, condition);
    case 'vendor_difference':
      return findVendorDifferences(database, place, condition);
    case 'latency':
      return findLatency(database, place, condition);
    case 'daily_cost':
      return findDailyCosts(database, place, condition);
    default:
      return condition satisfies never;
  }
}
