import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { GatewayError } from '@tallyport/contracts';
import { withCleanup } from './answer/with-cleanup.ts';
import type { LifeStep } from './life-step.ts';

interface Moments {
  now(): number;
  utilization(since: EventLoopUtilization): EventLoopUtilization;
}

/** Beyond it, a process that has requests of clients takes fewer lines of batches. */
const mostUtilization = 0.5;
const measuredMs = 100;
/** How many lines are taken between two measurements: never none, so that a batch goes on in a house that is always busy. */
const [least, most] = [1, 50];
/** Requests of clients are expected for so long after the last one. */
const expectedMs = 1_000;
const retryAfterMs = 1_000;

const ofProcess: Moments = {
  now: () => performance.now(),
  utilization: (since) => performance.eventLoopUtilization(since),
};

/**
 * Lines of batches run when the requests of clients leave room: a process that has such requests takes a few of them, more as
 * long as it is not busy and half as many as soon as it is, and refuses the others before they have cost anything. Without
 * such requests they may use all of it.
 */
export function batchesLast({ now, utilization }: Moments = ofProcess): LifeStep {
  let running = 0;
  let lastAt = -Infinity;
  let measuredAt = now();
  let since = performance.eventLoopUtilization();
  let allowed = least;
  let taken = 0;

  function measure(): void {
    if (now() - measuredAt < measuredMs) return;
    const isBusy = utilization(since).utilization > mostUtilization;
    allowed = isBusy ? Math.max(least, Math.floor(allowed / 2)) : Math.min(most, allowed + 1);
    taken = 0;
    measuredAt = now();
    since = performance.eventLoopUtilization();
  }

  const hasClients = (): boolean => running > 0 || now() - lastAt < expectedMs;

  return (next) => async (exchange) => {
    if (exchange.head.batch !== undefined) {
      measure();
      if (hasClients() && taken >= allowed) throw clientsFirst();
      taken += 1;
      return next(exchange);
    }
    running += 1;
    const ended = (): void => {
      running -= 1;
      lastAt = now();
    };
    try {
      const answer = await next(exchange);
      if (!(answer.body instanceof Uint8Array)) return { ...answer, body: withCleanup(answer.body, ended) };
      ended();
      return answer;
    } catch (thrown) {
      ended();
      throw thrown;
    }
  };
}

const clientsFirst = (): GatewayError =>
  new GatewayError('overloaded', 'Requests of clients come before those of batches. Try again in a moment.', {
    retryAfterMs,
  });
