import { UpstreamFailure } from '@switchyard/outbound';
import { stopAttempt, type UpstreamTry } from './open-request.ts';
import type { Timeouts } from './timeouts.ts';

/** Stops the attempt if its answer is not complete after `totalPlainMs`. */
export async function withinTotal<Result>(
  attempt: UpstreamTry & { equipment: { timeouts: Timeouts } },
  work: () => Promise<Result>,
): Promise<Result> {
  const { totalPlainMs } = attempt.equipment.timeouts;
  const timer = setTimeout(() => {
    stopAttempt(attempt, new UpstreamFailure('max_duration', `took longer than ${totalPlainMs} ms`));
  }, totalPlainMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
