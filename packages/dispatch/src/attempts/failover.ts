import { GatewayError, type Offer, toGatewayError } from '@tallyport/contracts';
import { hasBatches } from '../plan/deferrable-ground.ts';
import { callInOrder } from './call-in-order.ts';
import { offerWithBatches } from '@tallyport/pricing';
import type { Detour } from './detour.ts';
import { millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, isOwnKeyFault, isProviderFault } from '../failure/attempt-failure.ts';
import { exhausted, isRateLimit } from './exhausted.ts';
import type { UpstreamTry } from './open-request.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlannedJob, Run } from './run.ts';
import { targetByKey } from '../targets/target-key.ts';
import type { Verdict } from '../standing/breakers.ts';
import type { Standings } from '../standing/standings.ts';
import {
  type Approach,
  type DispatchTools,
  type OfferResult,
  type ServedAttempt,
  tryOffer,
  tryTarget,
} from './try-offer.ts';

type FailoverResult<Value, Try = UpstreamTry> = ServedAttempt<Value, Try> | FailoverFailure;

/** Every attempt failed: the client's error and the last failure. */
export interface FailoverFailure {
  ok: false;
  error: GatewayError;
  /** `undefined` if no attempt ended in a failure of its own. */
  last: AttemptFailure | undefined;
}

/**
 * Tries the candidates in the order of the plan, until one commits or fails with an error that another would repeat.
 */
export async function withFailover<Job extends PlannedJob, Try extends UpstreamTry, Value>(
  tools: DispatchTools,
  run: Run<Job>,
  approach: Approach<Job, Try, Value>,
): Promise<FailoverResult<Value, Try>> {
  const { detour } = run.job;
  if (detour?.kind === 'answered') return readAnswered(tools, { run, detour }, approach);
  const { standings } = tools;
  expectFallback(tools, run.job.plan);
  const tries: OfferResult<Value, Try>[] = [];
  try {
    await callInOrder(standings, run.job.plan, {
      async call(candidate) {
        const { offer } = candidate;
        const tried = await tryOffer(tools, { run, candidate }, approach);
        tries.push(tried);
        if (!tried.ok) return judge(standings, offer, tried.failure);
        standings.answered(offer, approach.streaming ? millisecondsSince(tried.startedAt) : undefined);
        return 'succeeded';
      },
      areOver: () => isFinal(tries.at(-1)),
      ...(detour && { isUnguarded: ({ offer }) => hasBatches(offer) }),
    });
  } catch (thrown) {
    // Earlier attempts must be billed even if our own code fails, so the error ends the run like any other failure.
    return { ok: false, error: toGatewayError(thrown), last: undefined };
  }
  const last = tries.at(-1);
  if (last === undefined) return { ok: false, error: noOfferAvailable(standings, run), last: undefined };
  if (last.ok) return last;
  const { failure } = last;
  if (!failure.retryable) return { ok: false, error: failure.error, last: failure };
  const failures = tries.flatMap((tried) => (tried.ok ? [] : tried.failure));
  return { ok: false, error: exhausted(failures, run.records), last: failure };
}

interface AnsweredRun<Job extends PlannedJob> {
  run: Run<Job>;
  detour: Extract<Detour, { kind: 'answered' }>;
}

/** Reads an answer that was made elsewhere. It says nothing about the offer now, so health and breakers do not matter. */
async function readAnswered<Job extends PlannedJob, Try extends UpstreamTry, Value>(
  { targets }: DispatchTools,
  { run, detour }: AnsweredRun<Job>,
  approach: Approach<Job, Try, Value>,
): Promise<FailoverResult<Value, Try>> {
  const { providerId, model, key } = detour;
  const candidate = run.job.plan.candidates.find(
    ({ offer }) => offer.providerId === providerId && offer.modelName === model,
  );
  const target = targetByKey((run.job.plan.account ?? targets).all(providerId), key);
  if (candidate === undefined || target === undefined)
    return { ok: false, error: notPlanned(providerId), last: undefined };
  const offer = offerWithBatches(candidate.offer);
  const tried = await tryTarget({ run, candidate: { ...candidate, offer }, target }, approach);
  return tried.ok ? tried : { ok: false, error: tried.failure.error, last: tried.failure };
}

const notPlanned = (providerId: string): GatewayError =>
  new GatewayError('upstream_error', `${providerId} has answered in a batch, and no request may use it any more.`);

/** The connection for another provider is opened ahead, so that a failure does not cost its handshake as well. */
function expectFallback({ targets, pools }: DispatchTools, { candidates, maxAttempts, account }: Plan): void {
  const [first] = candidates;
  if (first === undefined || maxAttempts < 2) return;
  const next = candidates.find(({ offer }) => offer.providerId !== first.offer.providerId);
  const [target] = next === undefined ? [] : (account ?? targets).all(next.offer.providerId);
  if (target !== undefined) pools.get(target.origin).expectRequest();
}

const isFinal = <Value, Try>(last: OfferResult<Value, Try> | undefined): boolean =>
  last !== undefined && (last.ok || !last.failure.retryable);

/**
 * Counts only the provider's own faults against the offer. A caller's fault proves that the provider works; a fault of
 * the account's own key proves nothing.
 */
function judge(standings: Standings, offer: Offer, { type, error, status }: AttemptFailure): Verdict {
  if (isProviderFault(type)) {
    standings.failed(offer, { type, retryAfterMs: error.retryAfterMs });
    return 'failed';
  }
  return status === null || isOwnKeyFault(type) ? 'unknown' : 'succeeded';
}

const retryMs = 1_000;

/** Every candidate is failing, and another request is already probing each of them. */
function noOfferAvailable(standings: Standings, { job: { plan } }: Run<PlannedJob>): GatewayError {
  const offers = plan.candidates.map(({ offer }) => offer);
  const names = [...new Set(offers.map(({ providerId }) => providerId))].join(', ');
  if (offers.every((offer) => isRateLimit(standings.lastFault(offer)?.type ?? 'none'))) {
    const waitMs = Math.max(retryMs, Math.min(...offers.map((offer) => standings.of(offer).cooldownMs)));
    const limited = `${names} refused requests for their rate limits. Retry in ${Math.ceil(waitMs / 1_000)} seconds.`;
    return new GatewayError('providers_rate_limited', limited, {
      retryAfterMs: waitMs,
      attempts: [],
      domain: 'provider',
    });
  }
  const message = `${names} failed repeatedly and one request at a time tries again. Retry in a second.`;
  return new GatewayError('all_providers_failed', message, { retryAfterMs: retryMs, attempts: [], domain: 'provider' });
}
