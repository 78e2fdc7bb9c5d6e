import type { GatewayError, Offer } from '@switchyard/contracts';
import type { EndReason } from '../failure/attempt-failure.ts';
import { UpstreamFailure } from '../failure/upstream-failure.ts';
import type { Plan } from '../plan/plan.ts';
import { millisecondsSince } from './elapsed.ts';
import { type UpstreamTry, stopAttempt } from './open-request.ts';
import type { AttemptRecord, RequestOutcome } from './outcome.ts';

/** One logical request, planned and ready to be tried, whatever it asks for. */
export interface PlannedJob {
  plan: Plan;
  /** Aborting closes the upstream's sockets at once; a GatewayError as its reason is what the request fails with. */
  signal: AbortSignal;
}

/** One logical request from its start to its outcome. */
export interface Run<Job extends PlannedJob> {
  job: Job;
  startedAt: number;
  records: AttemptRecord[];
  /** What is being tried, or has served. */
  attempt: UpstreamTry | undefined;
  /** Set when the client left. */
  left: UpstreamFailure | undefined;
  /** Ends the committed stream; before the commit the attempt itself is stopped. */
  cancel: ((failure: UpstreamFailure) => void) | undefined;
  stopListening(): void;
}

/** One listener per request, not per attempt: listeners cost more than anything else about a signal. */
export function startRun<Job extends PlannedJob>(job: Job): Run<Job> {
  const leave = () => {
    run.left = new UpstreamFailure('left', 'was left', { cause: job.signal.reason });
    if (run.cancel !== undefined) run.cancel(run.left);
    else if (run.attempt !== undefined) stopAttempt(run.attempt, run.left);
  };
  const run: Run<Job> = {
    job,
    startedAt: performance.now(),
    records: [],
    attempt: undefined,
    left: undefined,
    cancel: undefined,
    stopListening: () => job.signal.removeEventListener('abort', leave),
  };
  if (job.signal.aborted) leave();
  else job.signal.addEventListener('abort', leave, { once: true });
  return run;
}

export interface RunEnding {
  served: Offer | undefined;
  endReason: EndReason;
  error: GatewayError | undefined;
}

/** Ends a run: what every outcome says, for the caller to complete and report. */
export function endRun(run: Run<PlannedJob>, { served, endReason, error }: RunEnding): RequestOutcome {
  run.stopListening();
  return {
    attempts: run.records,
    served,
    ownKey: served !== undefined && run.attempt?.target.ownKey === true,
    durationMs: millisecondsSince(run.startedAt),
    endReason,
    error,
  };
}
