import { repeat, within } from '@tallyport/service-kit';
import type { BatchEvents } from '../events.ts';
import { closeBatches, hasOpenBatches } from './batch-steps.ts';
import { checkBatch } from './check-batch.ts';
import { finishBatch } from './finish-batch.ts';
import { claimPart, type HeldPart } from './parts.ts';
import { renewHolds } from './renew-holds.ts';
import { runPart } from './run-part.ts';
import { withBatch } from './with-batch.ts';
import type { WorkTools } from './work-tools.ts';

/** Does this replica's share of the work of all batches. */
interface Worker {
  start(): void;
  /** Looks for work now. */
  wake(): void;
  /** The parts whose lines run here. */
  parts(): number;
  /** Begins no further lines, and lets those that run finish until the deadline. Other replicas take up the rest. */
  drain(deadlineMs: number): Promise<void>;
}

const lookEveryMs = 1_000;
/** Parts at once: some have lines left that take long. */
const mostParts = 16;
/** The requests of parts are in memory. A single line may have more. */
const mostPartBytes = 64 * 1024 ** 2;

/** Work that is going on, which a replica waits for when it stops. */
function createRunning({ notWorked }: BatchEvents) {
  const running = new Set<Promise<void>>();
  return {
    keep(work: Promise<unknown>): void {
      const kept: Promise<void> = work.then(() => {}, notWorked).finally(() => running.delete(kept));
      running.add(kept);
    },
    over: () => Promise.all(running),
  };
}

type Running = ReturnType<typeof createRunning>;

interface WorkPlace {
  tools: WorkTools;
  running: Running;
  stop: Parameters<typeof runPart>[2];
  /** Called when something has ended, so that there may be more to do. */
  wake(): void;
}

/** The parts that run here. */
function createParts({ tools, running, stop, wake }: WorkPlace) {
  const held = new Set<HeldPart>();

  function begin(part: HeldPart): void {
    held.add(part);
    const ended = runPart(tools, part, stop).finally(() => {
      held.delete(part);
      wake();
    });
    running.keep(ended);
  }

  const hasRoom = (): boolean => held.size < mostParts && bytesOf(held) < mostPartBytes;

  return {
    size: () => held.size,
    async take(): Promise<void> {
      while (!stop.isStopping() && hasRoom()) {
        const accounts = Array.from(held, ({ batch }) => batch.accountId);
        const part = await claimPart(tools.database.kysely, tools.holder, accounts);
        if (part === undefined) return;
        begin(part);
      }
    },
  };
}

const bytesOf = (parts: Iterable<HeldPart>): number =>
  Array.from(parts, ({ start, end }) => end - start).reduce((sum, bytes) => sum + bytes, 0);

/** Work on whole batches goes on beside the rounds, one batch at a time. */
function oneAtATime({ running, stop, wake }: WorkPlace, work: () => Promise<boolean>): () => void {
  let isRunning = false;
  async function once(): Promise<void> {
    isRunning = true;
    try {
      if (await work()) wake();
    } finally {
      isRunning = false;
    }
  }
  return () => {
    if (!isRunning && !stop.isStopping()) running.keep(once());
  };
}

export function createWorker(tools: WorkTools): Worker {
  const { database, events } = tools;
  const controller = new AbortController();
  let isStopping = false;
  let round: Promise<void> | undefined;
  let isWoken = false;
  let stopLooking = (): void => {};

  const running = createRunning(events);
  const place = { tools, running, wake, stop: { isStopping: () => isStopping, signal: controller.signal } };
  const parts = createParts(place);
  const check = oneAtATime(place, () => withBatch(tools, 'check', (batch) => checkBatch(tools, batch)));
  const hold = oneAtATime(place, () => renewHolds(tools));
  const finish = oneAtATime(place, () => withBatch(tools, 'finish', (batch) => finishBatch(tools, batch)));

  async function look(): Promise<void> {
    do {
      isWoken = false;
      if (!(await hasOpenBatches(database.kysely))) return;
      await closeBatches(database.kysely);
      check();
      hold();
      finish();
      await parts.take();
    } while (isWoken && !isStopping);
  }

  function wake(): void {
    isWoken = true;
    if (isStopping || round !== undefined || !tools.isReady()) return;
    round = look()
      .catch(events.notWorked)
      .finally(() => (round = undefined));
  }

  return {
    start() {
      stopLooking = repeat({ everyMs: lookEveryMs, onFailed: events.notWorked }, wake);
    },
    wake,
    parts: parts.size,
    async drain(deadlineMs) {
      isStopping = true;
      stopLooking();
      const over = async () => {
        await round;
        await running.over();
      };
      await within(over(), deadlineMs);
      controller.abort();
      await within(over(), abortMs);
    },
  };
}

/** What was aborted gives its parts back. */
const abortMs = 2_000;
