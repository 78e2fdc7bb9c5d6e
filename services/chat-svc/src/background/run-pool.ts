import { RequestDismissed } from '@tallyport/bus';
import { repeat, within } from '@tallyport/service-kit';
import { holdRun } from './held-run.ts';
import { RunCancelled, runEndsNow } from './refusals.ts';
import { cancelChannel } from './run-names.ts';
import { runOnce, type RunningRun } from './run-once.ts';
import type { FoundRun } from './runs.ts';
import type { RunTools } from './run-tools.ts';

export interface RunPoolOptions extends RunTools {
  /** The most runs of this replica at once. */
  mostRunning: number;
}

/** The runs that this replica makes. */
export interface RunPool {
  hasRoom(): boolean;
  size(): number;
  /** Makes a run that this replica has. Resolves when it has ended, or is left to another one. */
  make(run: FoundRun, hooks?: RunHooks): Promise<void>;
  /** Begins to take runs that no replica has. */
  start(): void;
  /** Finishes runs, and hands over those that are left at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

type RunHooks = Pick<RunningRun, 'onCall' | 'onRefused'>;

/** What handing over takes. */
const handOverMs = 500;
const unheard: RunHooks = { onCall() {}, onRefused: () => false };

export function createRunPool(options: RunPoolOptions): RunPool {
  const { store, runs, times, events, mostRunning } = options;
  const running = new Map<RunningRun, Promise<void>>();
  let draining = false;
  let isLooking = false;
  let stopLooking = (): void => {};
  let stopListening = (): void => {};

  const hasRoom = (): boolean => !draining && running.size < mostRunning;
  const allOver = (): Promise<unknown> => Promise.all(running.values());

  function make(found: FoundRun, hooks: RunHooks = unheard): Promise<void> {
    const run = { ...hooks, ...hold(options, found) };
    const over = runOrLeave(options, run).then(() => {
      running.delete(run);
      void look().catch(events.failed);
    });
    running.set(run, over);
    return over;
  }

  /** A run that is left may be taken again before it is over here. */
  const madeHere = (name: string): RunningRun[] => [...running.keys()].filter(({ held }) => held.name === name);

  /** Begins runs that no replica has. */
  async function look(): Promise<void> {
    if (isLooking || !hasRoom()) return;
    isLooking = true;
    try {
      for (const found of await runs.take(mostRunning - running.size)) {
        const claimed = draining || madeHere(found.name).length > 0 ? undefined : await runs.claim(found);
        if (claimed !== undefined) void make(claimed);
      }
    } finally {
      isLooking = false;
    }
  }

  return {
    hasRoom,
    size: () => running.size,
    make,
    start() {
      stopLooking = repeat({ everyMs: times.lookEveryMs, onFailed: events.failed }, look);
      stopListening = store.subscribe(cancelChannel, (payload) => {
        for (const { controller } of madeHere(Buffer.from(payload).toString())) controller.abort(new RunCancelled());
      });
    },
    async drain(deadlineMs) {
      draining = true;
      stopLooking();
      await within(allOver(), Math.max(0, deadlineMs - handOverMs));
      for (const run of running.keys()) giveUp(run);
      await within(allOver(), handOverMs);
      stopListening();
    },
  };
}

/** A run of this replica, which stops when another one has it or a client cancels it. */
function hold({ store, times, events }: RunTools, found: FoundRun): Pick<RunningRun, 'controller' | 'held'> {
  const controller = new AbortController();
  const held = holdRun(store, {
    ...found,
    times,
    onTaken: () => controller.abort(new RequestDismissed()),
    onCancelled: () => controller.abort(new RunCancelled()),
    onFailed: events.failed,
  });
  return { controller, held };
}

/** After a fault of this program, the run is begun again. */
const runOrLeave = (tools: RunTools, run: RunningRun): Promise<void> =>
  runOnce(tools, run)
    .catch((thrown: unknown) => {
      tools.events.failed(thrown);
      return run.held.leave(tools.times.lookEveryMs);
    })
    .then(() => forgetDeleted(tools, run))
    .catch(tools.events.failed);

/** A run that was deleted while this replica had it may have stored something since. */
async function forgetDeleted({ runs, forms }: RunTools, { held, controller }: RunningRun): Promise<void> {
  if (!controller.signal.aborted) return;
  if (!(await runs.isDeleted(held.name))) return;
  const { api, id, accountId, project } = held.record();
  await runs.dropEvents(held.name);
  await forms[api]?.forget({ accountId, projectId: project ?? undefined }, id);
}

/**
 * What clients have seen of an answer cannot be made again by another replica. One that was charged needs only to be stored,
 * and would be lost.
 */
function giveUp({ held, controller }: RunningRun): void {
  const { charged, shown } = held.record();
  if (!charged) controller.abort(shown ? runEndsNow() : new RequestDismissed());
}
