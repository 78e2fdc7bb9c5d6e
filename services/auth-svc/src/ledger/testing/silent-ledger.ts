import type { LedgerEvents } from '../events.ts';

/** Events of a ledger that no test looks at. */
export const silentLedger: LedgerEvents = {
  usageArrived() {},
  usageWritten() {},
  usageSetAside() {},
  usageTakenUp() {},
  usageNotWritten() {},
  ledgerNotTidied() {},
  monthsDropped() {},
};
