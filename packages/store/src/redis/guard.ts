import CircuitBreaker from 'opossum';
import { LateError, withDeadline } from '../deadline.ts';

/** Runs every command: with a time limit of 500 ms, and not at all while the breaker is open. */
export interface Guard {
  /** Returns `undefined` for any error. */
  run<Result>(task: () => Promise<Result>): Promise<Result | undefined>;
  /**
   * Probes the server unless the breaker is open. A single failure opens it, which finds a hung server while it is
   * idle.
   */
  check(): void;
  /** Closes the breaker, because the server has just answered. */
  close(): void;
  shutdown(): void;
}

interface GuardOptions {
  limitMs: number;
  /** Runs when the breaker is half open, so that no request has to act as the probe. */
  probe: () => Promise<unknown>;
  onOpen: (cause: Error) => void;
  onClose: () => void;
  /** A probe was not answered: the connection should be dropped. */
  onDead: (cause: Error) => void;
  onSwallowed: () => void;
}

/** A hung server fails every command. This detects it long before half of the rolling window has failed. */
const failuresInARow = 5;

export function createGuard({ limitMs, probe, onOpen, onClose, onDead, onSwallowed }: GuardOptions): Guard {
  const breaker = new CircuitBreaker((task: () => Promise<void>) => withDeadline(limitMs, task()), {
    // withDeadline() is used instead.
    timeout: false,
    resetTimeout: 1_000,
    errorThresholdPercentage: 50,
    volumeThreshold: failuresInARow,
    rollingCountTimeout: 2_000,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  });
  let inARow = 0;
  let lastFailure = new Error('no command has failed');

  breaker.on('success', () => (inARow = 0));
  breaker.on('failure', (error) => {
    lastFailure = error;
    inARow += 1;
    if (inARow >= failuresInARow) breaker.open();
  });
  breaker.on('open', () => onOpen(lastFailure));
  breaker.on('close', onClose);
  const runProbe = (onFailure: (error: unknown) => void) => {
    void breaker.fire(async () => void (await probe())).catch(onFailure);
  };
  // Fired in the same turn, so that the probe uses the single attempt of the half-open state.
  breaker.on('halfOpen', () => runProbe((error) => error instanceof LateError && onDead(error)));

  return {
    async run(task) {
      let result: Awaited<ReturnType<typeof task>> | undefined;
      try {
        await breaker.fire(async () => {
          result = await task();
        });
      } catch {
        // The breaker counts the error, onOpen reports it once, and the caller falls back.
        onSwallowed();
        return undefined;
      }
      return result;
    },
    check: () => void (breaker.closed && runProbe(() => breaker.open())),
    close() {
      inARow = 0;
      breaker.close();
    },
    shutdown: () => breaker.shutdown(),
  };
}
