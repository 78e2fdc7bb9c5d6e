import type { Consumer, JournalClient } from '@tallyport/bus';
import type { UsageRecord } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createProviderKeyUses } from './record-provider-key-uses.ts';
import type { UsageEvents } from './events.ts';
import type { Ledger } from './keep-ledger.ts';

interface ConsumeUsageTools {
  database: Database;
  journal: JournalClient<UsageRecord>;
  ledger: Pick<Ledger, 'write' | 'setAside'>;
  /** Throws while the database is not prepared; the journal then delivers the records again. */
  ready(): void;
  events: Pick<UsageEvents, 'usageArrived' | 'usageNotWritten'> & { usesNotRecorded(error: unknown): void };
}

const maxBatch = 1_000;
/**
 * Usage reaches the ledger a moment later. No caller waits for it. A statement has a fixed cost, in the embedded database
 * that of a hundred records, so there one or two statements a second are written under load.
 */
const gatherMs = 100;
const maxGatherMs = 1_000;

/**
 * Consumes usage records from the journal into the ledger, in batches, and records which provider keys they used. `stop`
 * finishes the running batch.
 */
export async function consumeUsage({ database, journal, ledger, ready, events }: ConsumeUsageTools): Promise<Consumer> {
  const keyUses = createProviderKeyUses(database, events.usesNotRecorded);
  const consumer = await journal.consume(
    async (records) => {
      events.usageArrived(records);
      ready();
      await ledger.write(records);
      keyUses.note(records);
    },
    {
      maxBatch,
      gatherMs,
      maxGatherMs,
      onFailure: events.usageNotWritten,
      async onUnreadable(unreadable) {
        ready();
        await ledger.setAside(unreadable);
      },
    },
  );
  return {
    async stop() {
      await consumer.stop();
      await keyUses.stop();
    },
  };
}
