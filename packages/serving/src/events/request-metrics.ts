import { endpointOf, namesOf, type UsageOperation, paidOperations } from '@tallyport/contracts';
import {
  modelLabel,
  type AttemptRecord,
  type CandidateReason,
  type Plan,
  type PlannedRoute,
  type RequestOutcome,
} from '@tallyport/dispatch';
import { connectionUses } from '@tallyport/outbound';
import { durationBuckets, inflightRequests, type Metrics, overheadBuckets } from '@tallyport/service-kit';

/** The metrics of every request that calls providers. */
interface RequestMetrics {
  /** Reports the time for parsing, checking and planning. */
  planned(planMs: number): void;
  begun(plan: Plan): void;
  ended(plan: Plan, outcome: RequestOutcome): void;
}

const operations = namesOf(paidOperations);
const routes = operations.map((operation) => endpointOf(operation).path);

const decisionReasons = [
  'score',
  'tie',
  'explore',
  'affinity',
  'pinned',
  'preferred',
  'slow',
  'rerouted',
  'fallback',
  'trial',
  'recovering',
  'low_uptime',
  'cooldown',
  'breaker_open',
] as const satisfies readonly CandidateReason[];

export function requestMetrics(metrics: Metrics, operation: UsageOperation): RequestMetrics {
  const { service, path: route } = endpointOf(operation);
  const families = declare(metrics);
  const inflight = inflightRequests(metrics, service);
  const planning = families.overhead.with({ route, stage: 'route' });
  const dispatching = families.overhead.with({ route, stage: 'dispatch' });
  return {
    planned: (planMs) => planning.observe(planMs / 1000),
    begun({ candidates: [first], model, route: named }) {
      inflight.add(1);
      if (named !== undefined) countRouted(families, named, modelLabel(model));
      if (first !== undefined) families.decisions.with({ reason: first.reason }).increment();
    },
    ended(plan, outcome) {
      inflight.add(-1);
      const model = modelLabel(plan.model);
      countAttempts(families, outcome.attempts, model);
      countConnections(families, outcome);
      dispatching.observe(ownTime(outcome) / 1000);
      const last = outcome.attempts.at(-1);
      const labels = {
        operation,
        provider: last?.provider ?? 'none',
        request_model: model,
        error_type: last?.error_type ?? 'none',
      };
      families.duration.with(labels).observe(outcome.durationMs / 1000);
    },
  };
}

type Families = ReturnType<typeof declare>;

const declare = (metrics: Metrics) => ({
  attempts: metrics.counter({
    name: 'gateway_provider_attempts_total',
    help: 'Provider calls, by outcome.',
    labels: {
      provider: 'any',
      model: 'model',
      outcome: ['ok', 'retryable', 'fatal', 'cancelled'],
      error_type: 'any',
      attempt: ['1', '2', '3'],
    },
  }),
  connections: metrics.counter({
    name: 'gateway_provider_connections_total',
    help: 'Requests sent to providers, by their connection: warm (open before), new (opened for the request), or repeated (one ended before the provider read the request, which was sent again).',
    labels: { provider: 'any', connection: connectionUses },
  }),
  fallbacks: metrics.counter({
    name: 'gateway_fallbacks_total',
    help: 'Requests that moved on to another provider.',
    labels: { from_provider: 'any', to_provider: 'any', reason: 'any', phase: ['pre_first_byte'] },
  }),
  decisions: metrics.counter({
    name: 'gateway_route_decisions_total',
    help: 'Plans, by the reason for their first candidate.',
    labels: { reason: decisionReasons },
  }),
  routed: metrics.counter({
    name: 'gateway_named_routes_total',
    help: "Models that named routes asked, by the reason for their place: weight is the choice of the route's weights. Accounts' routes share the name (account).",
    labels: { name: 'any', model: 'any', reason: ['condition', 'weight', 'other_target', 'then', 'shadow'] },
  }),
  duration: metrics.histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Duration of requests that call providers, failed attempts included.',
    labels: { operation: operations, provider: 'any', request_model: 'model', error_type: 'any' },
    buckets: durationBuckets,
  }),
  overhead: metrics.histogram({
    name: 'gateway_overhead_seconds',
    help: 'Time that a request spent in the gateway, without its providers.',
    labels: { route: routes, stage: ['route', 'dispatch'] },
    buckets: overheadBuckets,
  }),
});

/** Accounts name their routes themselves, and metrics have no data of accounts. */
const countRouted = ({ routed }: Families, { name, owner, reason }: PlannedRoute, model: string): void =>
  routed.with({ name: owner === 'operator' ? name : '(account)', model, reason }).increment();

/** The duration without the calls of providers. */
function ownTime({ attempts, durationMs }: RequestOutcome): number {
  let left = durationMs;
  for (const { duration_ms: upstreamMs } of attempts) left -= upstreamMs;
  return Math.max(0, left);
}

function countAttempts({ attempts, fallbacks }: Families, records: readonly AttemptRecord[], model: string): void {
  let number = 0;
  for (const record of records) {
    number += 1;
    const { provider, error_type } = record;
    attempts.with({ provider, model, error_type, outcome: outcomeOf(record), attempt: String(number) }).increment();
    const next = records[number];
    // The same provider again means its next key.
    if (next === undefined || next.provider === provider) continue;
    const labels = { from_provider: provider, to_provider: next.provider, reason: error_type, phase: 'pre_first_byte' };
    fallbacks.with(labels).increment();
  }
}

function countConnections({ connections }: Families, { attempts, routes }: RequestOutcome): void {
  for (const [at, { provider }] of attempts.entries()) {
    for (const connection of routes[at]?.connections ?? []) connections.with({ provider, connection }).increment();
  }
}

function outcomeOf({ succeeded, error_type: type }: AttemptRecord): string {
  if (succeeded) return 'ok';
  if (type === 'caller_cancelled') return 'cancelled';
  return type.startsWith('provider_') ? 'retryable' : 'fatal';
}
