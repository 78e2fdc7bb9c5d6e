import { setTimeout as sleep } from 'node:timers/promises';
import type { Leave } from '@tallyport/limits';

interface Counting {
  /** Throws if there is no room. */
  enter(): Leave | Promise<Leave>;
  /** The open request of the client, which is counted until it aborts. */
  counted: AbortSignal;
  pauseMs: number;
}

/** Counts a run towards the limits on concurrent requests as soon as the request that began it is no longer counted. */
export function countLater({ enter, counted, pauseMs }: Counting): Leave {
  let isOver = false;
  let leave: Leave = () => {};

  async function take(): Promise<void> {
    while (!isOver) {
      try {
        leave = await enter();
        break;
      } catch {
        // It runs already: it is counted as soon as there is room.
        await sleep(pauseMs);
      }
    }
    if (isOver) leave();
  }
  const onAbort = (): void => void take();

  if (counted.aborted) onAbort();
  else counted.addEventListener('abort', onAbort, { once: true });
  return () => {
    isOver = true;
    counted.removeEventListener('abort', onAbort);
    leave();
  };
}
