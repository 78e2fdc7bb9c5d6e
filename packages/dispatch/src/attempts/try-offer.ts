import { GatewayError } from '@tallyport/contracts';
import type { Pools } from '@tallyport/outbound';
import { failureOfAttempt } from '../failure/own-key-failure.ts';
import { millisecondsBetween, millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, type FailureType, isOwnKeyFault, isProviderFault } from '../failure/attempt-failure.ts';
import type { KeyBench } from './key-bench.ts';
import type { UpstreamTry } from './open-request.ts';
import type { AttemptRecord, AttemptRoute } from './outcome.ts';
import type { Candidate } from '../plan/order.ts';
import type { PlannedJob, Run } from './run.ts';
import type { RoutingSettings } from '../settings.ts';
import type { Standings } from '../standing/standings.ts';
import type { Target, Targets } from '../targets/targets.ts';

export interface DispatchTools {
  targets: Pick<Targets, 'all'>;
  standings: Standings;
  keys: KeyBench;
  pools: Pools;
  routing: RoutingSettings;
}

/** How one kind of request is attempted. */
export interface Approach<Job extends PlannedJob, Try extends UpstreamTry, Value> {
  /** The client reads the answer while it arrives, so the time to the first content counts as latency. */
  streaming: boolean;
  /** Builds one attempt. Throws if the offer's provider has no adapter. */
  attempt(trial: Trial<Job>): Try;
  run(attempt: Try): Promise<Value>;
}

/** A candidate of the plan whose turn it is. */
interface PlannedTrial<Job extends PlannedJob> {
  run: Run<Job>;
  candidate: Candidate;
}

/** One offer with one of its provider's keys. */
export interface Trial<Job extends PlannedJob> {
  run: Run<Job>;
  offer: Candidate['offer'];
  target: Target;
}

export interface ServedAttempt<Value, Try = UpstreamTry> {
  ok: true;
  value: Value;
  attempt: Try;
  record: AttemptRecord;
  startedAt: number;
}

export type OfferResult<Value, Try = UpstreamTry> = ServedAttempt<Value, Try> | { ok: false; failure: AttemptFailure };

/** Faults of one key that say nothing about the offer while another key works. */
const keyFaults: readonly FailureType[] = ['provider_auth_failed', 'provider_billing', 'provider_rate_limited'];
/** How long a rate-limited key is benched if the provider sent no `Retry-After`. */
const limitedKeyMs = 10_000;
/** Keys tried per offer: at most this many of the account's own and as many of the service's. */
const maxKeys = 3;

/** Tries one offer, with the provider's next key after one is refused. Every call is recorded. */
export async function tryOffer<Job extends PlannedJob, Try extends UpstreamTry, Value>(
  tools: DispatchTools,
  { run, candidate }: PlannedTrial<Job>,
  approach: Approach<Job, Try, Value>,
): Promise<OfferResult<Value, Try>> {
  const { offer } = candidate;
  const targets = (run.job.plan.account ?? tools.targets).all(offer.providerId);
  let target = tools.keys.next(targets, [], { anyway: true });
  if (target === undefined) throw unreachableProvider(offer.providerId);
  for (const tried = [target]; ; tried.push(target)) {
    const outcome = await tryTarget({ run, candidate, target }, approach);
    if (outcome.ok || !isKeyFault(outcome.failure)) return outcome;
    if (targets.length > 1) tools.keys.bench(target, benchMs(outcome.failure, tools.routing));
    target = tools.keys.next(withinBounds(targets, tried), tried);
    if (target === undefined) return outcome;
  }
}

const isKeyFault = ({ type }: AttemptFailure): boolean => keyFaults.includes(type) || isOwnKeyFault(type);

/** Limits the account's own keys, so that many refused ones do not keep it from using the service's. */
function withinBounds(targets: readonly Target[], tried: readonly Target[]): readonly Target[] {
  const own = tried.filter(({ ownKey }) => ownKey === true).length;
  return targets.filter(({ ownKey }) => (ownKey === true ? own : tried.length - own) < maxKeys);
}

function benchMs({ type, error }: AttemptFailure, { keyBenchMs, maxCooldownMs }: RoutingSettings): number {
  // A key without access to one model may have access to the others.
  if (type === 'own_key_model_not_found') return 0;
  if (type !== 'provider_rate_limited' && type !== 'own_key_rate_limited') return keyBenchMs;
  return Math.min(error.retryAfterMs ?? limitedKeyMs, maxCooldownMs);
}

/** Tries one offer with one key. The call is recorded. */
export async function tryTarget<Job extends PlannedJob, Try extends UpstreamTry, Value>(
  { run, candidate, target }: PlannedTrial<Job> & { target: Target },
  approach: Approach<Job, Try, Value>,
): Promise<OfferResult<Value, Try>> {
  const { offer } = candidate;
  const attempt = approach.attempt({ run, offer, target });
  attempt.detour = run.job.detour;
  run.attempt = attempt;
  // Read once: with two readings, a pause between them would move the attempt past the start of the next one.
  const startedAt = performance.now();
  const record = recordOf(run, candidate, target);
  const route = routeOf(candidate, target, millisecondsBetween(run.startedAt, startedAt));
  run.records.push(record);
  run.routes.push(route);
  try {
    const value = await approach.run(attempt);
    record.status_code = attempt.status;
    record.succeeded = true;
    return { ok: true, value, attempt, record, startedAt };
  } catch (thrown) {
    const failure = failureOfAttempt(thrown, attempt);
    record.status_code = failure.status;
    record.error_type = failure.type;
    if (isProviderFault(failure.type) || isOwnKeyFault(failure.type)) route.message = failure.error.message;
    return { ok: false, failure };
  } finally {
    record.duration_ms = millisecondsSince(startedAt);
    // Known only now: a native request may have been sent again, translated.
    if (attempt.native !== undefined) route.native = true;
    route.connections = attempt.connections;
  }
}

function recordOf({ job }: Run<PlannedJob>, { offer, reason }: Candidate, { ownKey }: Target): AttemptRecord {
  const record: AttemptRecord = {
    provider: offer.providerId,
    model: job.plan.model.id,
    status_code: null,
    error_type: 'none',
    succeeded: false,
    duration_ms: 0,
  };
  if (ownKey === true) record.own_key = true;
  if (reason === 'trial') record.trial = true;
  return record;
}

function routeOf({ reason, score }: Candidate, { ownKeyId }: Target, startMs: number): AttemptRoute {
  const route: AttemptRoute = { reason, score: score.total, startMs };
  if (ownKeyId !== undefined) route.ownKeyId = ownKeyId;
  return route;
}

/** The plan excludes offers without a target or an adapter, so clients never see this error. */
export const unreachableProvider = (providerId: string): GatewayError =>
  new GatewayError('internal_error', 'Something went wrong on our side. Try again.', {
    detail: `planned ${providerId}, which cannot be reached`,
  });
