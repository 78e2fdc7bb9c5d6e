/** Calls `turn` about every `everyMs`, also below the millisecond resolution of timers. */
interface Ticker {
  start(): void;
  stop(): void;
}

export function createTicker(everyMs: number, turn: () => void): Ticker {
  return everyMs >= 1 ? createTimerTicker(everyMs, turn) : createSleepTicker(everyMs, turn);
}

function createTimerTicker(everyMs: number, turn: () => void): Ticker {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(turn, everyMs);
    },
    stop: () => clearInterval(timer),
  };
}

/** Blocks the event loop for part of a millisecond, then lets it serve its sockets. Cheaper than spinning. */
function createSleepTicker(everyMs: number, turn: () => void): Ticker {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let next: NodeJS.Immediate | undefined;

  function step(): void {
    next = setImmediate(step);
    turn();
    Atomics.wait(never, 0, 0, everyMs - (performance.now() % everyMs));
  }

  return {
    start() {
      next = setImmediate(step);
    },
    stop: () => clearImmediate(next),
  };
}
