import type { GatewayError, Offer } from '@tallyport/contracts';
import { type HoldAnswer, UpstreamFailure } from '@tallyport/outbound';
import type { EndReason } from '../failure/attempt-failure.ts';
import type { HoldBytes } from '../inline/download.ts';
import type { Plan } from '../plan/plan.ts';
import type { Detour } from './detour.ts';
import { millisecondsSince } from './elapsed.ts';
import { type UpstreamTry, stopAttempt } from './open-request.ts';
import type { AttemptRecord, AttemptRoute, RequestOutcome } from './outcome.ts';

/** A logical request, planned and ready to be tried; extended by chats and images. */
export interface PlannedJob {
  plan: Plan;
  /** Aborting closes the upstream sockets at once. If the reason is a GatewayError, the request fails with it. */
  signal: AbortSignal;
  /** Reserves memory for images that are downloaded for the request. */
  holdBytes?: HoldBytes | undefined;
  /** Counts the bytes of an answer while it is read. */
  holdAnswer?: HoldAnswer | undefined;
  /** Set for a request whose call a batch of the vendor makes. */
  detour?: Detour | undefined;
}

/** One logical request from its start to its outcome. */
export interface Run<Job extends PlannedJob> {
  job: Job;
  startedAt: number;
  records: AttemptRecord[];
  /** One for each record. */
  routes: AttemptRoute[];
  /** The current attempt, or the one that answered. */
  attempt: UpstreamTry | undefined;
  /** Set once the request was aborted. */
  left: UpstreamFailure | undefined;
  /** Ends the stream once its first content was sent. Before that, `stopAttempt` ends the attempt instead. */
  cancel: ((failure: UpstreamFailure) => void) | undefined;
  stopListening(): void;
}

/** Adds one abort listener per request instead of one per attempt: listeners are the costliest part of a signal. */
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
    routes: [],
    attempt: undefined,
    left: undefined,
    cancel: undefined,
    stopListening: () => job.signal.removeEventListener('abort', leave),
  };
  if (job.signal.aborted) leave();
  else job.signal.addEventListener('abort', leave, { once: true });
  return run;
}

interface RunEnding {
  served: Offer | undefined;
  endReason: EndReason;
  error: GatewayError | undefined;
}

/** Ends a run and returns the members that all outcomes share; the caller adds the rest and reports it. */
export function endRun(run: Run<PlannedJob>, { served, endReason, error }: RunEnding): RequestOutcome {
  run.stopListening();
  return {
    attempts: run.records,
    routes: run.routes,
    served,
    ownKey: served !== undefined && run.attempt?.target.ownKey === true,
    durationMs: millisecondsSince(run.startedAt),
    endReason,
    error,
  };
}
