import type { AttemptRecord, ModelIndex, Plan, Standings } from '@switchyard/dispatch';
import { durationBuckets, type Metrics, overheadBuckets } from '@switchyard/service-kit';

/** What is counted of every request that calls providers, whatever it asks for. */
export interface RoutingMetrics {
  /** A plan is being tried. */
  begun(plan: Plan): void;
  ended(attempts: readonly AttemptRecord[]): void;
  offersSeen(index: ModelIndex, standings: Standings): void;
  /** Parsing, checking and planning took so long. */
  planned(route: RoutedPath, planMs: number): void;
  /** What of the rest was neither a provider's time. */
  dispatched(route: RoutedPath, ownMs: number): void;
  /** A whole request, failed attempts included. */
  took(request: TimedRequest, durationMs: number): void;
}

const timedOperations = ['chat', 'generate_image', 'edit_image'] as const;

export interface TimedRequest {
  operation: (typeof timedOperations)[number];
  /** The one tried last. */
  provider: string;
  request_model: string;
  error_type: string;
}

const routedPaths = ['/v1/chat/completions', '/v1/images/generations', '/v1/images/edits'] as const;
export type RoutedPath = (typeof routedPaths)[number];

/** `CandidateReason` of dispatch. */
const decisionReasons = [
  ...['score', 'tie', 'explore', 'pinned', 'rerouted', 'probation', 'low_uptime', 'cooldown', 'breaker_open'],
] as const;

export function routingMetrics(metrics: Metrics): RoutingMetrics {
  const families = declare(metrics);
  return {
    begun({ candidates: [first] }) {
      if (first !== undefined) families.decisions.with({ reason: first.reason }).increment();
    },
    ended: (attempts) => countAttempts(families, attempts),
    offersSeen: (index, standings) => showOffers(families, index, standings),
    planned: (route, planMs) => families.overhead.with({ route, stage: 'route' }).observe(planMs / 1000),
    dispatched: (route, ownMs) => families.overhead.with({ route, stage: 'dispatch' }).observe(ownMs / 1000),
    took: (request, durationMs) => families.duration.with({ ...request }).observe(durationMs / 1000),
  };
}

type Families = ReturnType<typeof declare>;

const offer = { provider: 'any', model: 'any' } as const;

const declare = (metrics: Metrics) => ({
  attempts: metrics.counter({
    name: 'gateway_provider_attempts_total',
    help: 'Upstream calls and how they ended.',
    labels: {
      ...offer,
      outcome: ['ok', 'retryable', 'fatal', 'cancelled'],
      error_type: 'any',
      attempt: ['1', '2', '3'],
    },
  }),
  fallbacks: metrics.counter({
    name: 'gateway_fallbacks_total',
    help: 'Requests that went on to another provider.',
    labels: { from_provider: 'any', to_provider: 'any', reason: 'any', phase: ['pre_first_byte'] },
  }),
  decisions: metrics.counter({
    name: 'gateway_route_decisions_total',
    help: 'Why the first candidate stood first.',
    labels: { reason: decisionReasons },
  }),
  duration: metrics.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Whole requests, failed attempts included.',
    labels: { operation: timedOperations, provider: 'any', request_model: 'any', error_type: 'any' },
    buckets: durationBuckets,
  }),
  uptime: metrics.gauge({
    name: 'gateway_provider_uptime_ratio',
    help: 'Share of attempts without a fault of the provider, as all replicas saw it; of offers that were called lately.',
    labels: offer,
  }),
  circuit: metrics.gauge({
    name: 'gateway_provider_circuit_state',
    help: "This replica's breaker: 0 closed, 1 half open, 2 open.",
    labels: offer,
  }),
  overhead: metrics.histogram({
    name: 'gateway_overhead_seconds',
    help: "Time of a request that was ours, not a provider's.",
    labels: { route: routedPaths, stage: ['route', 'dispatch'] },
    buckets: overheadBuckets,
  }),
});

function countAttempts({ attempts, fallbacks }: Families, records: readonly AttemptRecord[]): void {
  for (const [at, record] of records.entries()) {
    const { provider, model, error_type } = record;
    attempts.with({ provider, model, error_type, outcome: outcomeOf(record), attempt: String(at + 1) }).increment();
    const next = records[at + 1];
    // The same provider again is its next key.
    if (next === undefined || next.provider === provider) continue;
    const [from_provider, to_provider] = [provider, next.provider];
    fallbacks.with({ from_provider, to_provider, reason: error_type, phase: 'pre_first_byte' }).increment();
  }
}

function outcomeOf({ succeeded, error_type: type }: AttemptRecord): string {
  if (succeeded) return 'ok';
  if (type === 'caller_cancelled') return 'cancelled';
  return type.startsWith('provider_') ? 'retryable' : 'fatal';
}

const circuitStates = { closed: 0, half_open: 1, open: 2 } as const;

/** Only offers that were called, so that a large catalogue makes no series of nothing. */
function showOffers({ uptime, circuit }: Families, index: ModelIndex, standings: Standings): void {
  for (const model of index.models()) {
    for (const each of model.offers) {
      const { uptime: seen, breaker } = standings.of(each);
      if (seen.ratio === undefined) continue;
      const labels = { provider: each.providerId, model: model.id };
      uptime.with(labels).set(seen.ratio);
      circuit.with(labels).set(circuitStates[breaker]);
    }
  }
}
