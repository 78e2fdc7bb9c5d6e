import { setTimeout as pause } from 'node:timers/promises';
import type { UsageRecord } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import type { Spill } from '../spill/spill.ts';
import { createHeldRecords, type HeldRecords } from './held-records.ts';
import { createStoredRecords, type FindMissing, type StoredRecords } from './stored-records.ts';
import { createUnstoredRecords, type UnstoredRecord } from './unstored-records.ts';

export interface UsageRecorder {
  /**
   * Resolves once a kill of this process can no longer lose the record: it was sent to the journal, or is in a file. If
   * neither accepts it, resolves when it is held in memory or reported as lost. A sent record that the journal does not
   * store goes to a file later, and one that it stored and lost is sent again. Never rejects.
   */
  record(record: UsageRecord): Promise<void>;
  /** Waits for pending records, at most this long. */
  stop(deadlineMs: number): Promise<void>;
}

export interface RecorderEvents {
  /** The journal is unavailable: records go to a file. Called once per outage. */
  journalAway(error: unknown): void;
  journalBack(): void;
  usageSpilled(): void;
  /** The journal had stored the record, but the ledger does not have it: it is sent again. */
  usageSentAgain(): void;
  /** The ledger did not say which records it has. */
  notCompared(error: unknown): void;
  /** The number of bytes in files of this process. */
  waiting(bytes: number): void;
  /** Neither the journal nor the disk accepted a record: it is held in memory. */
  usageHeld(error: unknown): void;
  /** The number of bytes held in memory. */
  heldBytes(bytes: number): void;
  /** Neither the journal nor the disk accepted the record, and there is no memory or no time left. */
  usageLost(record: UsageRecord, error: unknown): void;
}

interface RecorderOptions {
  /** Resolves once the record is durable; `onSent` is called when it has left this process. Repeating it must be safe. */
  append(record: UsageRecord, onSent?: () => void): Promise<void>;
  spill: Spill;
  /** Absent if the journal loses nothing that it has stored. */
  findMissing?: FindMissing | undefined;
  /** See `StoredRecordsOptions`. */
  storedWaitsMs?: readonly number[];
  /** The longest wait for the journal, which delays the end of an answer. */
  waitMs?: number;
  /** How often to retry spilled records. */
  retryMs?: number;
  /** The memory limit for records while the disk accepts none. */
  maxHeldBytes?: number;
  events: RecorderEvents;
}

interface State {
  /** Records that the journal has stored. */
  stored: Pick<StoredRecords, 'add'>;
  /** The journal is considered unavailable. */
  away: boolean;
  replaying: boolean;
  held: HeldRecords;
}

const usualWaitMs = 250;
const usualRetryMs = 1_000;
/**
 * With more records unconfirmed, requests wait until their own is stored or in a file. This many fit into the buffer of
 * a socket.
 */
const maxUnstored = 64;
/** Replayed records may take this many times longer, because no request waits for them. */
const replayFactor = 8;
/** The number of ticks between searches for files of other processes. */
const searchEvery = 10;
/** The number of ticks between comparisons with the ledger. */
const compareEvery = 5;
/** More than ten thousand records. */
const usualMaxHeldBytes = 16 * 1024 * 1024;

/**
 * Sends records to the journal. While the journal does not answer, they go to a file, and from there to the journal
 * later.
 */
export function createUsageRecorder(options: RecorderOptions): UsageRecorder {
  const { append, spill, events, waitMs = usualWaitMs, retryMs = usualRetryMs } = options;
  const { maxHeldBytes = usualMaxHeldBytes } = options;
  const stored = openStored(options, (record) => send(record, () => undefined));
  const state: State = { stored, away: false, replaying: false, held: createHeldRecords(maxHeldBytes) };
  const late = (sent: UnstoredRecord): void => refused(sent, new Error(`no answer within ${waitMs} ms`));
  const unstored = createUnstoredRecords(waitMs, late);
  /** Records that are neither stored nor kept yet. */
  const running = createRunningCount();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (state.away || !spill.isEmpty() || state.held.bytes() > 0 || ticks % searchEvery === 0)
      void replaySpilled(options, state);
    if (ticks % compareEvery === 0) void stored.compare();
  }, retryMs);

  function refused({ record, over }: UnstoredRecord, error: unknown): void {
    if (!state.away) events.journalAway(error);
    state.away = true;
    void keep(options, state, record).finally(over);
  }

  function send(record: UsageRecord, resolve: () => void): void {
    running.begin();
    const over = (): void => {
      resolve();
      running.end();
    };
    if (state.away) return void keep(options, state, record).finally(over);
    const isCrowded = unstored.size() >= maxUnstored;
    const sent: UnstoredRecord = { record, sentAt: performance.now(), over };
    unstored.add(sent);
    const onRefusal = (error: unknown): void => {
      if (unstored.remove(sent)) refused(sent, error);
    };
    const onStored = (): void => {
      stored.add(record);
      if (unstored.remove(sent)) over();
    };
    try {
      append(record, isCrowded ? undefined : resolve).then(onStored, onRefusal);
    } catch (error) {
      onRefusal(error);
    }
  }

  return {
    record: (record) => new Promise((resolve) => send(record, resolve)),
    async stop(deadlineMs) {
      clearInterval(timer);
      const over = new AbortController();
      await within(
        running.none().then(() => releaseAll(options, state, over.signal)),
        deadlineMs,
      );
      over.abort();
      reportLost(events, state.held);
    },
  };
}

function createRunningCount() {
  let running = 0;
  let onNone: (() => void) | undefined;
  return {
    begin: () => void (running += 1),
    end(): void {
      running -= 1;
      if (running === 0) onNone?.();
    },
    none: () =>
      new Promise<void>((resolve) => {
        if (running === 0) resolve();
        else onNone = resolve;
      }),
  };
}

function openStored(
  { findMissing, storedWaitsMs, events }: RecorderOptions,
  send: (record: UsageRecord) => void,
): StoredRecords {
  if (findMissing === undefined) return { add() {}, async compare() {} };
  return createStoredRecords({
    findMissing,
    ...(storedWaitsMs && { waitsMs: storedWaitsMs }),
    sendAgain(record) {
      events.usageSentAgain();
      send(record);
    },
    onFailed: events.notCompared,
  });
}

const taken = (): 'taken' => 'taken';

async function keep({ spill, events }: RecorderOptions, { held }: State, record: UsageRecord): Promise<void> {
  try {
    await spill.add(record);
    events.usageSpilled();
    events.waiting(spill.bytes());
  } catch (error) {
    if (!held.add(record)) return events.usageLost(record, error);
    events.usageHeld(error);
    events.heldBytes(held.bytes());
  }
}

/** Moves held records to the journal or the disk, one after the other, until neither accepts one. */
async function release({ append, spill, events, waitMs = usualWaitMs }: RecorderOptions, state: State): Promise<void> {
  const { held } = state;
  for (let record = held.first(); record !== undefined; record = held.first()) {
    if (!state.away)
      state.away =
        (await within(
          append(record).then(taken, () => undefined),
          waitMs,
        )) === undefined;
    if (state.away) {
      const isWritten = await spill.add(record).then(() => true, () => false); // prettier-ignore
      if (!isWritten) return;
      events.usageSpilled();
    } else state.stored.add(record);
    held.remove(record);
    events.heldBytes(held.bytes());
  }
}

/** The journal or the disk may accept records again before the process has to end. */
async function releaseAll(options: RecorderOptions, state: State, over: AbortSignal): Promise<void> {
  await release(options, state);
  while (state.held.first() !== undefined && !over.aborted) {
    await pause(options.retryMs ?? usualRetryMs);
    state.away = false;
    await release(options, state);
  }
}

function reportLost(events: RecorderEvents, held: HeldRecords): void {
  for (let record = held.first(); record !== undefined; record = held.first()) {
    held.remove(record);
    events.usageLost(
      record,
      new Error('the process is ending, and neither the journal nor the disk accepts the record'),
    );
  }
}

/**
 * The first accepted record proves that the journal is back; the rest is replayed while new records go to the journal.
 */
async function replaySpilled(options: RecorderOptions, state: State): Promise<void> {
  const { append, spill, waitMs = usualWaitMs, events } = options;
  if (state.replaying) return;
  state.replaying = true;
  try {
    await spill.replay(async (record) => {
      const taken = await within(
        append(record).then(() => true),
        waitMs * replayFactor,
      );
      if (taken !== true) throw new Error('the journal does not answer');
      state.stored.add(record);
      if (state.away) events.journalBack();
      state.away = false;
    });
    if (spill.isEmpty()) state.away = false;
  } catch {
    // Still unavailable: the next tick tries again.
  }
  await release(options, state);
  events.waiting(spill.bytes());
  state.replaying = false;
}
