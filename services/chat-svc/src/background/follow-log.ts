import type { Store } from '@tallyport/store';
import type { LoggedEvent } from './run-log.ts';
import { eventsLost, runsUnavailable } from './refusals.ts';
import { readLog } from './read-log.ts';

interface Following {
  /** Names the pieces. */
  name: string;
  /** The last event that the client has; -1 for none. */
  after: number;
  isLast(event: LoggedEvent): boolean;
  /** Whether no event will be added. */
  isOver(): Promise<boolean>;
  signal: AbortSignal;
}

/** How often a log is looked at without a message from its writer. */
const lookEveryMs = 1_000;

/** The events of a run from one on, those that are there and those to come. Empty lists in silence. */
export async function* followLog(
  store: Pick<Store, 'find' | 'subscribe'>,
  { name, after, isLast, isOver, signal }: Following,
): AsyncGenerator<readonly LoggedEvent[]> {
  const bell = createBell(signal);
  const unsubscribe = store.subscribe(name, bell.ring);
  const reader = readLog(store, name);
  let number = 0;
  try {
    for (let wasOver = false; ;) {
      // Only what has its last event is whole.
      signal.throwIfAborted();
      const events = await reader.more();
      if (events === 'unknown') throw runsUnavailable();
      const skipped = Math.max(0, after + 1 - number);
      number += events.length;
      if (events.length > skipped) yield events.slice(skipped);
      if (events.some(isLast)) return;
      if (events.length > 0) continue;
      // What was written before it was over is read first.
      if (wasOver) throw eventsLost();
      yield [];
      if (await bell.rung(lookEveryMs)) continue;
      wasOver = await isOver();
    }
  } finally {
    unsubscribe();
    bell.close();
  }
}

/** Lets one reader wait for a message. One that arrives before is not missed. */
function createBell(signal: AbortSignal) {
  let isRung = false;
  let wake = (): void => {};
  const ring = (): void => {
    isRung = true;
    wake();
  };
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  return {
    ring,
    /** `false` after a time of silence. */
    async rung(milliseconds: number): Promise<boolean> {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const was = isRung;
      isRung = false;
      return was;
    },
    close: () => signal.removeEventListener('abort', onAbort),
  };
}
