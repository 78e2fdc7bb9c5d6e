import type { DifferenceReason } from '@tallyport/contracts';

/** The reasons for people; docs/reconcile.md explains each. */
export const reasonTexts: Readonly<Record<DifferenceReason, string>> = {
  outside_gateway: 'traffic that did not pass the gateway',
  other_day: 'requests on the other side of midnight (UTC)',
  rounding: "rounding below the report's last digit",
  unpriced: 'a class of usage that the ledger has no price for',
  unknown_tier: 'a service tier that the ledger did not bill',
  other_price: 'another price, such as that of another date',
  failed_after_count: 'calls that failed after the vendor counted them',
  estimated: 'usage that the ledger estimated',
  unexplained: 'unexplained',
};
