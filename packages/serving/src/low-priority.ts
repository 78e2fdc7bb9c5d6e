import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { GatewayError } from '@tallyport/contracts';
import type { LifeStep } from './life-step.ts';

interface Moments {
  now(): number;
  utilization(since: EventLoopUtilization): EventLoopUtilization;
}

/** Beyond it, a process that has requests of clients takes no lines of batches. */
const mostUtilization = 0.5;
const measuredMs = 100;
/** Requests of clients are expected for so long after the last one. */
const expectedMs = 1_000;
const retryAfterMs = 200;
/** So often a line runs however busy the process is: two such processes run any batch within its day. */
const leastEveryMs = 1_000;

const ofProcess: Moments = {
  now: () => performance.now(),
  utilization: (since) => performance.eventLoopUtilization(since),
};

/**
 * Lines of batches run when the requests of clients leave room: in a process that has such requests they are refused while
 * it is busy, before they have cost anything, but for one a second. Without such requests they may use all of it.
 */
export function batchesLast({ now, utilization }: Moments = ofProcess): LifeStep {
  let running = 0;
  let lastAt = -Infinity;
  let lineAt = now();
  let measuredAt = now();
  let since = performance.eventLoopUtilization();
  let busy = 0;

  function isBusy(): boolean {
    if (now() - measuredAt >= measuredMs) {
      busy = utilization(since).utilization;
      measuredAt = now();
      since = performance.eventLoopUtilization();
    }
    return busy > mostUtilization;
  }

  const isExpected = (): boolean => running > 0 || now() - lastAt < expectedMs;

  return (next) => async (exchange) => {
    if (exchange.head.batch !== undefined) {
      if (isExpected() && isBusy() && now() - lineAt < leastEveryMs) throw clientsFirst();
      lineAt = now();
      return next(exchange);
    }
    running += 1;
    try {
      return await next(exchange);
    } finally {
      running -= 1;
      lastAt = now();
    }
  };
}

const clientsFirst = (): GatewayError =>
  new GatewayError('overloaded', 'Requests of clients come before those of batches. Try again in a moment.', {
    retryAfterMs,
  });
