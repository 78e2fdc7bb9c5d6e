import { GatewayError } from '@switchyard/contracts';
import { admitted } from './admitted.ts';
import { millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, isOwnKeyFault } from '../failure/attempt-failure.ts';
import { exhausted } from './exhausted.ts';
import type { Candidate } from '../plan/order.ts';
import type { UpstreamTry } from './open-request.ts';
import type { PlannedJob, Run } from './run.ts';
import type { BreakerPermit } from '../standing/breakers.ts';
import { type Approach, type ServedAttempt, type DispatchTools, tryOffer } from './try-offer.ts';

export type Tried<Value, Try = UpstreamTry> = ServedAttempt<Value, Try> | Failed;

/** Nobody served: what the client is told, and what it came down to. */
export interface Failed {
  ok: false;
  error: GatewayError;
  /** `undefined`: nothing was even tried. */
  last: AttemptFailure | undefined;
}

/** Tries the candidates in the plan's order until one commits or the fault is not the provider's. */
export async function withFailover<Job extends PlannedJob, Try extends UpstreamTry, Value>(
  tools: DispatchTools,
  run: Run<Job>,
  approach: Approach<Job, Try, Value>,
): Promise<Tried<Value, Try>> {
  const failures: AttemptFailure[] = [];
  for (const { candidate, permit } of admitted(tools.standings.breakers, run.job.plan)) {
    const tried = await tryOffer(tools, { run, offer: candidate.offer }, approach).catch((thrown: unknown) => {
      permit.unknown();
      throw thrown;
    });
    if (tried.ok) {
      succeeded(tools, tried, approach.streaming);
      permit.succeeded();
      return tried;
    }
    const { failure } = tried;
    judge(tools, candidate, { failure, permit });
    if (!failure.retryable) return { ok: false, error: failure.error, last: failure };
    failures.push(failure);
  }
  const last = failures.at(-1);
  return { ok: false, error: last === undefined ? nobodyFree(run) : exhausted(failures, run.records), last };
}

function succeeded(
  { standings }: DispatchTools,
  { attempt, startedAt }: ServedAttempt<unknown>,
  stream: boolean,
): void {
  standings.answered(attempt.offer, stream ? millisecondsSince(startedAt) : undefined);
}

/**
 * Only what is the provider's fault counts against its offer. A fault of the caller shows that the provider lives; one of
 * an account's own key shows nothing to anybody else.
 */
function judge({ standings }: DispatchTools, { offer }: Candidate, { failure, permit }: Judgement): void {
  if (failure.type.startsWith('provider_')) {
    standings.failed(offer, { type: failure.type, retryAfterMs: failure.error.retryAfterMs });
    permit.failed();
  } else if (failure.status === null || isOwnKeyFault(failure.type)) permit.unknown();
  else permit.succeeded();
}

interface Judgement {
  failure: AttemptFailure;
  permit: BreakerPermit;
}

const retryMs = 1_000;

/** All of them are failing, and each is being tried by somebody else at this moment. */
function nobodyFree({ job: { plan } }: Run<PlannedJob>): GatewayError {
  const names = [...new Set(plan.candidates.map(({ offer }) => offer.providerId))].join(', ');
  const message = `${names} failed repeatedly and one request at a time tries again. Retry in a second.`;
  return new GatewayError('all_providers_failed', message, { retryAfterMs: retryMs, attempts: [], domain: 'provider' });
}
