import { UpstreamFailure } from '@tallyport/outbound';
import { stopAttempt, type UpstreamTry } from './open-request.ts';
import type { Timeouts } from './timeouts.ts';

/** Stops the attempt if the timer is not cleared within `totalPlainMs`, when its answer must be complete. */
export function stopAfterTotal(attempt: UpstreamTry & { equipment: { timeouts: Timeouts } }): NodeJS.Timeout {
  const { totalPlainMs } = attempt.equipment.timeouts;
  return setTimeout(() => {
    stopAttempt(attempt, new UpstreamFailure('max_duration', `took longer than ${totalPlainMs} ms`));
  }, totalPlainMs);
}
