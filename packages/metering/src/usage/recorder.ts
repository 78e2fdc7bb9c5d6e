import type { UsageRecord } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';
import type { Spill } from '../spill/spill.ts';

export interface UsageRecorder {
  /** Resolves when the record is stored, or after a moment without that: requests do not wait long for it. Never rejects. */
  record(record: UsageRecord): Promise<void>;
  /** Waits for what is on its way. */
  stop(deadlineMs: number): Promise<void>;
}

export interface RecorderEvents {
  /** The journal is not available: records go to a file. Called once until it is back. */
  journalAway(error: unknown): void;
  journalBack(): void;
  usageSpilled(): void;
  /** So much waits in files of this process now. */
  waiting(bytes: number): void;
  /** Neither the journal nor the disk took it. */
  usageLost(record: UsageRecord, error: unknown): void;
}

export interface RecorderOptions {
  /** Resolves when the record is stored for good; appending it again is safe. */
  append(record: UsageRecord): Promise<void>;
  spill: Spill;
  /** An answer ends so much later at worst. */
  waitMs?: number;
  /** How often it is tried to bring back what was spilled. */
  retryMs?: number;
  events: RecorderEvents;
}

/** Whether the journal is believed to be away, and whether something is being brought back. */
interface State {
  away: boolean;
  replaying: boolean;
}

const usualWaitMs = 250;
/** No request waits for records that are replayed, so each may take this many times longer. */
const patience = 8;
/** How many tries until it is looked for what other processes have left. */
const looksEvery = 10;

/** Into the journal; into a file while the journal does not answer, and from there into the journal later. */
export function createUsageRecorder(options: RecorderOptions): UsageRecorder {
  const { spill, retryMs = 1_000 } = options;
  const state: State = { away: false, replaying: false };
  const running = new Set<Promise<void>>();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (state.away || !spill.isEmpty() || ticks % looksEvery === 0) void bringBack(options, state);
  }, retryMs);

  return {
    record(record) {
      const done = write(options, state, record).finally(() => running.delete(done));
      running.add(done);
      return done;
    },
    async stop(deadlineMs) {
      clearInterval(timer);
      await within(Promise.all(running), deadlineMs);
    },
  };
}

const taken = (): 'taken' => 'taken';

async function write(options: RecorderOptions, state: State, record: UsageRecord): Promise<void> {
  const { append, waitMs = usualWaitMs, events } = options;
  if (state.away) return keep(options, record);
  const appended = append(record).then(taken, (error: unknown) => ({ error }));
  const answer = await within(appended, waitMs);
  if (answer === 'taken') return;
  const failure = answer === undefined ? new Error(`no answer within ${waitMs} ms`) : answer.error;
  if (!state.away) events.journalAway(failure);
  state.away = true;
  await keep(options, record);
}

async function keep({ spill, events }: RecorderOptions, record: UsageRecord): Promise<void> {
  try {
    await spill.add(record);
    events.usageSpilled();
    events.waiting(spill.bytes());
  } catch (error) {
    events.usageLost(record, error);
  }
}

/** The first record that is taken shows that the journal is back; the rest follows while new ones go their usual way. */
async function bringBack(
  { append, spill, waitMs = usualWaitMs, events }: RecorderOptions,
  state: State,
): Promise<void> {
  if (state.replaying) return;
  state.replaying = true;
  try {
    await spill.replay(async (record) => {
      const taken = await within(
        append(record).then(() => true),
        waitMs * patience,
      );
      if (taken !== true) throw new Error('the journal does not answer');
      if (state.away) events.journalBack();
      state.away = false;
    });
    if (spill.isEmpty()) state.away = false;
  } catch {
    // Still away: it is tried again.
  }
  events.waiting(spill.bytes());
  state.replaying = false;
}
