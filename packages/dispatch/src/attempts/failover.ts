import { GatewayError, type Offer, toGatewayError } from '@switchyard/contracts';
import { callInOrder } from './call-in-order.ts';
import { millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, isOwnKeyFault } from '../failure/attempt-failure.ts';
import { exhausted } from './exhausted.ts';
import type { UpstreamTry } from './open-request.ts';
import type { PlannedJob, Run } from './run.ts';
import type { Verdict } from '../standing/breakers.ts';
import type { Standings } from '../standing/standings.ts';
import { type Approach, type DispatchTools, type ServedAttempt, type TriedOffer, tryOffer } from './try-offer.ts';

export type Tried<Value, Try = UpstreamTry> = ServedAttempt<Value, Try> | Failed;

/** No offer served: the client's error, and the last failure. */
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
  const { standings } = tools;
  const tries: TriedOffer<Value, Try>[] = [];
  try {
    await callInOrder(standings.breakers, run.job.plan, async ({ offer }) => {
      const tried = await tryOffer(tools, { run, offer }, approach);
      tries.push(tried);
      if (!tried.ok) return { verdict: judge(standings, offer, tried.failure), final: !tried.failure.retryable };
      standings.answered(offer, approach.streaming ? millisecondsSince(tried.startedAt) : undefined);
      return { verdict: 'succeeded', final: true };
    });
  } catch (thrown) {
    // Calls that were made before a fault of ours are paid for all the same, so it ends the run like any failure.
    return { ok: false, error: toGatewayError(thrown), last: undefined };
  }
  const last = tries.at(-1);
  if (last === undefined) return { ok: false, error: nobodyFree(run), last: undefined };
  if (last.ok) return last;
  const { failure } = last;
  if (!failure.retryable) return { ok: false, error: failure.error, last: failure };
  const failures = tries.flatMap((tried) => (tried.ok ? [] : tried.failure));
  return { ok: false, error: exhausted(failures, run.records), last: failure };
}

/**
 * Only what is the provider's fault counts against its offer. A fault of the caller shows that the provider works; one of
 * an account's own key shows nothing about it.
 */
function judge(standings: Standings, offer: Offer, { type, error, status }: AttemptFailure): Verdict {
  if (type.startsWith('provider_')) {
    standings.failed(offer, { type, retryAfterMs: error.retryAfterMs });
    return 'failed';
  }
  return status === null || isOwnKeyFault(type) ? 'unknown' : 'succeeded';
}

const retryMs = 1_000;

/** All of them are failing, and another request is trying each of them at this moment. */
function nobodyFree({ job: { plan } }: Run<PlannedJob>): GatewayError {
  const names = [...new Set(plan.candidates.map(({ offer }) => offer.providerId))].join(', ');
  const message = `${names} failed repeatedly and one request at a time tries again. Retry in a second.`;
  return new GatewayError('all_providers_failed', message, { retryAfterMs: retryMs, attempts: [], domain: 'provider' });
}
