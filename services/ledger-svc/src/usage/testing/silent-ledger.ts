import type { UsageEvents } from '../events.ts';

/** Events of a ledger that no test looks at. */
export const silentLedger: UsageEvents = {
  usageArrived() {},
  usageWritten() {},
  usageSetAside() {},
  usageTakenUp() {},
  usageNotWritten() {},
  recordsDoubled() {},
  ledgerNotTidied() {},
  monthsDropped() {},
};
