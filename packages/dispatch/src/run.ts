import type { GatewayError } from '@switchyard/contracts';
import { millisecondsSince } from './elapsed.ts';
import type { Failed } from './failover.ts';
import type { ChatJob } from './job.ts';
import { type UpstreamTry, stopAttempt } from './open-request.ts';
import type { AttemptRecord, Outcome } from './outcome.ts';
import type { Plan } from './plan/plan.ts';
import { UpstreamFailure } from './upstream/failure.ts';

/** Whatever is asked for: it has a plan, and can be left. */
export interface AnyJob {
  plan: Plan;
  signal: AbortSignal;
}

/** One logical request from its start to its outcome. */
export interface Run<Job extends AnyJob = ChatJob> {
  job: Job;
  startedAt: number;
  records: AttemptRecord[];
  /** What is being tried, or has served. */
  attempt: UpstreamTry | undefined;
  /** Set when the client left. */
  left: UpstreamFailure | undefined;
  /** How the committed stream is left; before the commit the attempt itself is stopped. */
  cancel: ((failure: UpstreamFailure) => void) | undefined;
  stopListening(): void;
}

/** One listener per request, not per attempt: listeners cost more than anything else about a signal. */
export function startRun<Job extends AnyJob>(job: Job): Run<Job> {
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

export function finishRun(run: Run, told: Omit<Outcome, 'attempts' | 'durationMs' | 'ownKey'>): void {
  run.stopListening();
  const ownKey = told.served !== undefined && run.attempt?.target.ownKey === true;
  run.job.onOutcome?.({ attempts: run.records, durationMs: millisecondsSince(run.startedAt), ownKey, ...told });
}

/** Nobody served: nothing was delivered, so nothing is to be paid. */
export function failRun(run: Run, { error, last }: Failed): GatewayError {
  finishRun(run, {
    served: undefined,
    usage: undefined,
    usageEstimated: false,
    skippedFrames: 0,
    images: 0,
    firstContentMs: undefined,
    endReason: last?.endReason ?? 'error',
    error,
  });
  return error;
}
