import type { Consumer as PullConsumer, NatsConnection } from 'nats';
import { journalStream } from './subject.ts';

const checkEveryMs = 5_000;

interface StuckEntryCheck {
  /**
   * Every 5 seconds, looks for an acknowledged entry that is still in the stream: a server that was killed may have
   * lost the removal. Such an entry would never be delivered again. Rejects when the server does not respond.
   */
  find(source: PullConsumer): Promise<boolean>;
}

/**
 * Reports an entry that two checks in a row have found, because a cluster removes acknowledged entries with a short
 * delay.
 */
export function createStuckEntryCheck(connection: NatsConnection, subject: string): StuckEntryCheck {
  let checkedAt = performance.now();
  let suspect: number | undefined;

  /** The sequence number of the oldest entry, if it has already been acknowledged. */
  async function acknowledgedEntry(source: PullConsumer): Promise<number | undefined> {
    const { ack_floor: acknowledged } = await source.info();
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    const { state } = await streams.info(journalStream);
    if (state.messages === 0 || state.first_seq > acknowledged.stream_seq) return undefined;
    const oldest = await streams.getMessage(journalStream, { seq: state.first_seq }).catch(() => undefined);
    return oldest?.subject === subject ? state.first_seq : undefined;
  }

  return {
    async find(source) {
      if (performance.now() - checkedAt < checkEveryMs) return false;
      const kept = await acknowledgedEntry(source);
      checkedAt = performance.now();
      const found = kept !== undefined && kept === suspect;
      suspect = found ? undefined : kept;
      return found;
    },
  };
}
