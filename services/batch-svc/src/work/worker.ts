import { setTimeout as pause } from 'node:timers/promises';
import { repeat, within } from '@tallyport/service-kit';
import { closeBatches, hasOpenBatches } from './batch-steps.ts';
import { checkBatch } from './check-batch.ts';
import { finishBatch } from './finish-batch.ts';
import { claimPart } from './parts.ts';
import { runPart } from './run-part.ts';
import { withBatch } from './with-batch.ts';
import type { WorkTools } from './work-tools.ts';

/** Does this replica's share of the work of all batches. */
export interface Worker {
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
const mostPartBytes = 48 * 1024 ** 2;

export function createWorker(tools: WorkTools): Worker {
  const { database, holder, events } = tools;
  const controller = new AbortController();
  const running = new Set<Promise<void>>();
  let heldBytes = 0;
  let isStopping = false;
  const stopping = { isStopping: () => isStopping, signal: controller.signal };

  function keep(work: Promise<unknown>): void {
    const kept: Promise<void> = work.then(() => {}, events.notWorked).finally(() => running.delete(kept));
    running.add(kept);
  }

  let parts = 0;
  async function takeParts(): Promise<void> {
    while (!isStopping && parts < mostParts && heldBytes < mostPartBytes) {
      const part = await claimPart(database.kysely, holder);
      if (part === undefined) return;
      const bytes = part.end - part.start;
      parts += 1;
      heldBytes += bytes;
      keep(
        runPart(tools, part, stopping).finally(() => {
          parts -= 1;
          heldBytes -= bytes;
          wake();
        }),
      );
    }
  }

  const checking = oneAtATime(() => withBatch(tools, 'check', (batch) => checkBatch(tools, batch)));
  const finishing = oneAtATime(() => withBatch(tools, 'finish', (batch) => finishBatch(tools, batch)));

  /** Work that takes long goes on beside the rounds. */
  function oneAtATime(work: () => Promise<boolean>): () => void {
    let isRunning = false;
    return () => {
      if (isRunning || isStopping) return;
      isRunning = true;
      keep(
        work()
          .finally(() => (isRunning = false))
          .then((hasWorked) => hasWorked && wake()),
      );
    };
  }

  let round: Promise<void> | undefined;
  let isWoken = false;
  async function look(): Promise<void> {
    do {
      isWoken = false;
      if (!(await hasOpenBatches(database.kysely))) return;
      await closeBatches(database.kysely);
      checking();
      finishing();
      await takeParts();
    } while (isWoken && !isStopping);
  }

  function wake(): void {
    isWoken = true;
    if (isStopping || round !== undefined || !tools.isReady()) return;
    round = look()
      .catch(events.notWorked)
      .finally(() => (round = undefined));
  }

  let stopLooking = (): void => {};
  return {
    start() {
      stopLooking = repeat({ everyMs: lookEveryMs, onFailed: events.notWorked }, wake);
    },
    wake,
    parts: () => parts,
    async drain(deadlineMs) {
      isStopping = true;
      stopLooking();
      const over = async () => {
        await round;
        await Promise.all(running);
      };
      await within(over(), deadlineMs);
      controller.abort();
      await Promise.race([over(), pause(abortMs, undefined, { ref: false })]);
    },
  };
}

/** What was aborted gives its parts back. */
const abortMs = 2_000;
