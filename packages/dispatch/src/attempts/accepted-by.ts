import type { AttemptFailure } from '../failure/attempt-failure.ts';
import type { UpstreamTry } from './open-request.ts';
import type { PlannedJob, Run } from './run.ts';

/**
 * The attempt to bill when the client disconnected before the first content. A provider that already has the request
 * bills for it, so the client pays for it. A request that the service itself aborted is free.
 */
export function acceptedBy(run: Run<PlannedJob>, last: AttemptFailure | undefined): UpstreamTry | undefined {
  const { attempt } = run;
  if (last?.type !== 'caller_cancelled' || last.endReason !== 'client_gone') return undefined;
  return attempt !== undefined && attempt.accepted.count > 0 ? attempt : undefined;
}
