import CircuitBreaker from 'opossum';
import { LateError, withDeadline } from '../deadline.ts';

/** Every command goes through here: at most 500 ms, and not at all while the breaker is open. */
export interface Guard {
  /** `undefined` instead of any error. */
  run<Result>(task: () => Promise<Result>): Promise<Result | undefined>;
  /** Asks now, unless open: one failed probe is enough to open. Finds what hangs while nobody uses it. */
  check(): void;
  /** The server has just proven that it answers. */
  close(): void;
  shutdown(): void;
}

export interface GuardOptions {
  limitMs: number;
  /** Asked when the breaker is half open, so that no request pays for the probe. */
  probe: () => Promise<unknown>;
  onOpen: (cause: Error) => void;
  onClose: () => void;
  /** A probe was not answered: what there is of a connection is not worth keeping. */
  onDead: (cause: Error) => void;
  onSwallowed: () => void;
}

/** A server that hangs fails everything: that is known long before the rolling window is half failures. */
const failuresInARow = 5;

export function createGuard({ limitMs, probe, onOpen, onClose, onDead, onSwallowed }: GuardOptions): Guard {
  const breaker = new CircuitBreaker((task: () => Promise<void>) => withDeadline(limitMs, task()), {
    // Ours instead: see withDeadline().
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
  const ask = (onFailure: (error: unknown) => void) => {
    void breaker.fire(async () => void (await probe())).catch(onFailure);
  };
  // Fired in this very turn, so the one try of the half-open state is the probe's.
  breaker.on('halfOpen', () => ask((error) => error instanceof LateError && onDead(error)));

  return {
    async run(task) {
      let result: Awaited<ReturnType<typeof task>> | undefined;
      try {
        await breaker.fire(async () => {
          result = await task();
        });
      } catch {
        // Counted by the breaker, told once by onOpen; the caller falls back.
        onSwallowed();
        return undefined;
      }
      return result;
    },
    check: () => void (breaker.closed && ask(() => breaker.open())),
    close() {
      inARow = 0;
      breaker.close();
    },
    shutdown: () => breaker.shutdown(),
  };
}
