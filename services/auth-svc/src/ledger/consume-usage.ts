import type { JournalClient } from '@switchyard/bus';
import type { UsageRecord } from '@switchyard/contracts';
import type { LedgerEvents } from './events.ts';
import type { Ledger } from './keep-ledger.ts';

export interface ConsumeUsageTools {
  journal: JournalClient<UsageRecord>;
  ledger: Pick<Ledger, 'write' | 'setAside'>;
  /** Throws while the database is not prepared; the journal then delivers the records again. */
  ready(): void;
  events: Pick<LedgerEvents, 'usageArrived' | 'usageNotWritten'>;
}

const maxBatch = 500;
/** Usage reaches the ledger a moment later. No caller waits for it. */
const gatherMs = 100;

/** Consumes usage records from the journal into the ledger, in batches. `stop` finishes the running batch. */
export const consumeUsage = ({ journal, ledger, ready, events }: ConsumeUsageTools) =>
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
