/**
 * Schedules many small steps on one timer: a thousand paced streams cost one wake-up per tick, not a thousand timers.
 */
export interface Pacer {
  /**
   * Runs `step` after `afterMs`, then every `everyMs` while it returns true. Returns a function that stops it early.
   */
  every(task: { afterMs: number; everyMs: number; step: () => boolean }): () => void;
  close(): void;
}

interface Task {
  dueMs: number;
  everyMs: number;
  step: () => boolean;
  stopped: boolean;
}

const tickMs = 2;
const slotCount = 512;

/** A timer wheel. A task more than one revolution away stays in its slot until it is due. */
export function createPacer(clock: () => number = () => performance.now()): Pacer {
  const slots: Set<Task>[] = Array.from({ length: slotCount }, () => new Set<Task>());
  let size = 0;
  let doneTick = tickOf(clock());
  let timer: NodeJS.Timeout | undefined;

  const slotOf = (task: Task) => slots[tickOf(task.dueMs) % slotCount];

  function add(task: Task): void {
    // A due time in a past tick would be delayed by a whole revolution.
    task.dueMs = Math.max(task.dueMs, (doneTick + 1) * tickMs);
    slotOf(task)?.add(task);
    size += 1;
  }

  function remove(task: Task): void {
    if (slotOf(task)?.delete(task)) size -= 1;
  }

  /** Runs all steps due by this tick; the interval may be shorter than a tick. */
  function run(task: Task): void {
    remove(task);
    do {
      if (!task.step() || task.stopped) return;
      task.dueMs += task.everyMs;
    } while (task.everyMs > 0 && tickOf(task.dueMs) <= doneTick);
    add(task);
  }

  function advance(): void {
    const nowTick = tickOf(clock());
    // After a long pause, one revolution reaches every task.
    doneTick = Math.max(doneTick, nowTick - slotCount);
    while (doneTick < nowTick) {
      doneTick += 1;
      const due = [...(slots[doneTick % slotCount] ?? [])].filter((task) => tickOf(task.dueMs) <= doneTick);
      for (const task of due) if (!task.stopped) run(task);
    }
    if (size === 0) stopTimer();
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    every: ({ afterMs, everyMs, step }) => {
      const now = clock();
      if (size === 0) doneTick = tickOf(now);
      const task: Task = { dueMs: now + afterMs, everyMs, step, stopped: false };
      add(task);
      timer ??= setInterval(advance, tickMs);
      return () => {
        task.stopped = true;
        remove(task);
      };
    },
    close: () => {
      stopTimer();
      for (const slot of slots) slot.clear();
      size = 0;
    },
  };
}

const tickOf = (ms: number) => Math.floor(ms / tickMs);
