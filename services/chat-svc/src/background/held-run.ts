import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '@tallyport/service-kit';
import type { SetIfOursResult, Store } from '@tallyport/store';
import { encodeRun, holderMark, type RunRecord } from './run-record.ts';
import { cancelName, queueName } from './run-names.ts';

type LeaseStore = Pick<Store, 'delete' | 'get' | 'queue' | 'setIfOurs'>;

export interface LeaseTimes {
  /** How long a replica that died is waited for. */
  leaseMs: number;
  renewEveryMs: number;
  /** How long a run is kept while it has not ended. */
  openMs: number;
}

/** A run that this replica has. */
export interface HeldRun {
  readonly name: string;
  record(): RunRecord;
  /** `taken`: another replica has it now. */
  update(changes: Partial<RunRecord>): Promise<SetIfOursResult>;
  /**
   * The same until it is certain, as long as no other replica can have it. `false`: another one has it, or may have it, so that
   * this one has given it up.
   */
  updateCertainly(changes: Partial<RunRecord>): Promise<boolean>;
  /** Whether it still has the run, as far as can be known. */
  isHeld(): Promise<boolean>;
  /** Leaves it to any replica, after a pause. */
  leave(dueInMs: number): Promise<void>;
  /** Writes its last state, which is kept for so long. `false` if another replica has the run, or gets it. */
  end(changes: Partial<RunRecord>, keepMs: number): Promise<boolean>;
}

interface HeldRunOptions {
  name: string;
  /** As it is stored. */
  record: RunRecord;
  times: LeaseTimes;
  /** Called once, when another replica has it. */
  onTaken(): void;
  /** Called when a client has cancelled it, possibly more than once. */
  onCancelled(): void;
  /** A fault of this program. */
  onFailed(error: unknown): void;
}

/** The pause before an update is tried again. */
const retryMs = 50;
/** More runs than all replicas together work off in an hour. */
const mostQueued = 10_000;

export const newHolder = (): string => randomUUID();

export function holdRun(store: LeaseStore, options: HeldRunOptions): HeldRun {
  const { name, times, onTaken, onCancelled, onFailed } = options;
  const { leaseMs, renewEveryMs, openMs } = times;
  let record = options.record;
  let isTaken = false;
  let keptMs = openMs;
  let heldUntil = performance.now() + leaseMs;

  async function update(changes: Partial<RunRecord>): Promise<SetIfOursResult> {
    if (isTaken) return 'taken';
    const mark = holderMark(record);
    record = { ...record, ...changes };
    const from = performance.now();
    const result = await store.setIfOurs(name, { mark, value: encodeRun(record) }, keptMs);
    if (result === 'stored') heldUntil = from + leaseMs;
    if (result === 'taken') giveUp();
    return result;
  }

  function giveUp(): void {
    if (isTaken) return;
    isTaken = true;
    stop();
    onTaken();
  }

  async function renew(): Promise<void> {
    await update({});
    if (isTaken) return;
    await putInQueue(store, name, { dueInMs: leaseMs, keepMs: openMs });
    if ((await store.get(cancelName(name))) !== undefined) onCancelled();
  }

  const stop = repeat({ everyMs: renewEveryMs, onFailed }, renew);
  const mayRetry = (): boolean => performance.now() < heldUntil;

  return {
    name,
    record: () => record,
    update,
    updateCertainly: (changes) => untilCertain({ update: () => update(changes), mayRetry, giveUp }),
    async isHeld() {
      if (!isTaken && !mayRetry()) await update({});
      return !isTaken;
    },
    async leave(dueInMs) {
      stop();
      const left = update({ holder: '', state: 'queued' });
      // What ends late here, such as a charge or a renewal, must not change it while no replica has it.
      isTaken = true;
      if ((await left) === 'taken') return;
      await putInQueue(store, name, { dueInMs, keepMs: openMs });
    },
    async end(changes, keepMs) {
      stop();
      keptMs = keepMs;
      // Unless it is certain, the run stays in the queue, and its next replica sees whether it has ended.
      if ((await update({ ...changes, state: 'ended' })) !== 'stored') return false;
      await store.queue(queueName, { kind: 'remove', member: name });
      await store.delete(cancelName(name));
      return true;
    },
  };
}

interface Uncertain {
  update(): Promise<SetIfOursResult>;
  mayRetry(): boolean;
  giveUp(): void;
}

async function untilCertain({ update, mayRetry, giveUp }: Uncertain): Promise<boolean> {
  for (;;) {
    const result = await update();
    if (result === 'stored') return true;
    if (result === 'taken' || !mayRetry()) break;
    await sleep(retryMs);
  }
  giveUp();
  return false;
}

/** `false` if the queue is full or the store unavailable. */
export async function putInQueue(
  store: Pick<Store, 'queue'>,
  name: string,
  { dueInMs, keepMs }: { dueInMs: number; keepMs: number },
): Promise<boolean> {
  const put = await store.queue(queueName, { kind: 'put', member: name, dueInMs, most: mostQueued, keepMs });
  return put !== undefined && put.length > 0;
}
