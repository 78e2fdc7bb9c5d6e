import type { JournalClient } from '@switchyard/bus';
import type { UsageRecord } from '@switchyard/contracts';
import type { LedgerEvents } from './events.ts';
import type { Ledger } from './keep-ledger.ts';

export interface TakeUsageTools {
  journal: JournalClient<UsageRecord>;
  ledger: Pick<Ledger, 'write' | 'setAside'>;
  /** Throws while nothing can be written: what was taken comes again. */
  ready(): void;
  events: Pick<LedgerEvents, 'usageArrived' | 'usageNotWritten'>;
}

const maxBatch = 500;
/** What an answer has used is in the ledger a moment later; nobody waits for it. */
const gatherMs = 100;

/** From the journal into the ledger, in batches. Stop it to finish the batch that runs. */
export const takeUsage = ({ journal, ledger, ready, events }: TakeUsageTools) =>
  journal.consume(
    async (records) => {
      events.usageArrived(records);
      ready();
      await ledger.write(records);
    },
    {
      maxBatch,
      gatherMs,
      onFailure: events.usageNotWritten,
      async onUnreadable(unreadable) {
        ready();
        await ledger.setAside(unreadable);
      },
    },
  );
