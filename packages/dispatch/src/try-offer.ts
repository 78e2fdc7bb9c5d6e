import { GatewayError, type Offer } from '@switchyard/contracts';
import { type ChatProvider, findChatProvider } from '@switchyard/providers';
import type { Attempt, Equipment } from './attempt.ts';
import { millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, type FailureType, asAttemptFailure } from './failure.ts';
import type { KeyBench } from './key-bench.ts';
import type { AttemptRecord } from './outcome.ts';
import type { Run } from './run.ts';
import type { RoutingSettings } from './settings.ts';
import type { Standings } from './standing/standings.ts';
import type { Target, Targets } from './targets.ts';

export interface Tools {
  equipment: Equipment;
  targets: Targets;
  standings: Standings;
  keys: KeyBench;
  routing: RoutingSettings;
}

export type TryOne<Value> = (attempt: Attempt) => Promise<Value>;

export interface Served<Value> {
  ok: true;
  value: Value;
  attempt: Attempt;
  record: AttemptRecord;
  startedAt: number;
}

export type TriedOffer<Value> = Served<Value> | { ok: false; failure: AttemptFailure };

/** Faults of a key, not of the offer, as long as another key works. */
const keyFaults: readonly FailureType[] = ['provider_auth_failed', 'provider_billing', 'provider_rate_limited'];
/** A key that was limited without being told for how long. */
const limitedKeyMs = 10_000;
const maxKeys = 3;

/** One offer, with the next of its provider's keys when one is refused. Every call is recorded. */
export async function tryOffer<Value>(
  tools: Tools,
  { run, offer }: { run: Run; offer: Offer },
  tryOne: TryOne<Value>,
): Promise<TriedOffer<Value>> {
  const { provider, targets } = reach(offer.providerId, tools.targets);
  const tried = new Set<Target>();
  let target = tools.keys.next(targets, tried, { anyway: true });
  for (;;) {
    if (target === undefined) throw unreachable(offer.providerId);
    tried.add(target);
    const outcome = await tryTarget({ tools, run, offer, provider, target }, tryOne);
    if (outcome.ok || !keyFaults.includes(outcome.failure.type)) return outcome;
    if (targets.length > 1) tools.keys.bench(target, benchMs(outcome.failure, tools.routing));
    target = tried.size < maxKeys ? tools.keys.next(targets, tried) : undefined;
    if (target === undefined) return outcome;
  }
}

function benchMs({ type, error }: AttemptFailure, { keyBenchMs, maxCooldownMs }: RoutingSettings): number {
  if (type !== 'provider_rate_limited') return keyBenchMs;
  return Math.min(error.retryAfterMs ?? limitedKeyMs, maxCooldownMs);
}

interface Trial {
  tools: Tools;
  run: Run;
  offer: Offer;
  provider: ChatProvider;
  target: Target;
}

async function tryTarget<Value>(trial: Trial, tryOne: TryOne<Value>): Promise<TriedOffer<Value>> {
  const { run, offer } = trial;
  const attempt = createAttempt(trial);
  const startedAt = performance.now();
  const record: AttemptRecord = {
    provider: offer.providerId,
    model: run.job.plan.model.id,
    status_code: null,
    error_type: 'none',
    succeeded: false,
    duration_ms: 0,
  };
  run.records.push(record);
  try {
    const value = await tryOne(attempt);
    Object.assign(record, { status_code: attempt.status, succeeded: true });
    return { ok: true, value, attempt, record, startedAt };
  } catch (thrown) {
    const failure = asAttemptFailure(thrown, offer.providerId, attempt.status);
    Object.assign(record, { status_code: failure.status, error_type: failure.type });
    return { ok: false, failure };
  } finally {
    record.duration_ms = millisecondsSince(startedAt);
  }
}

function createAttempt({ tools, run, offer, provider, target }: Trial): Attempt {
  const { call, completionId, created, signal, keepSignature } = run.job;
  const context = { call, offer, completionId, created, ...(keepSignature && { keepSignature }) };
  const attempt: Attempt = {
    ...{ equipment: tools.equipment, provider, target, offer, chat: call, context, signal },
    status: null,
    call: undefined,
    stopped: run.left,
  };
  run.attempt = attempt;
  return attempt;
}

function reach(providerId: string, all: Targets): { provider: ChatProvider; targets: readonly Target[] } {
  const provider = findChatProvider(providerId) ?? all.custom?.(providerId);
  if (provider === undefined) throw unreachable(providerId);
  return { provider, targets: all.all(providerId) };
}

/** The plan has left out what cannot be reached, so that this is never the client's to see. */
const unreachable = (providerId: string): GatewayError =>
  new GatewayError('internal_error', 'Something went wrong on our side. Try again.', {
    detail: `planned ${providerId}, which cannot be reached`,
  });
