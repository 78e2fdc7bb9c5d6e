import type { GatewayError } from '@switchyard/contracts';
import type { AttemptRecord, ModelIndex, Outcome, Plan, Standings } from '@switchyard/dispatch';
import { type Metrics, durationBuckets, overheadBuckets } from '@switchyard/service-kit';
import type { Usage } from '@switchyard/wire';

export interface ChatMetrics {
  begun(plan: Plan, stream: boolean): void;
  planned(planMs: number): void;
  ended(plan: Plan, stream: boolean, outcome: Outcome): void;
  refused(error: GatewayError): void;
  offersSeen(index: ModelIndex, standings: Standings): void;
}

const service = 'chat';
const route = '/v1/chat/completions';
/** `CandidateReason` of dispatch. */
const decisionReasons = [
  ...['score', 'tie', 'explore', 'pinned', 'rerouted', 'probation', 'low_uptime', 'cooldown', 'breaker_open'],
] as const;
const streamEnds = ['done', 'client_gone', 'upstream_cut', 'stall', 'max_duration', 'error', 'shutdown'] as const;

export function chatMetrics(metrics: Metrics): ChatMetrics {
  const families = declare(metrics);
  const streamsActive = families.streamsActive.with({ service });
  const inflight = families.inflight.with({ service });
  const overheadRoute = families.overhead.with({ route, stage: 'route' });
  const overheadDispatch = families.overhead.with({ route, stage: 'dispatch' });
  return {
    begun(plan, stream) {
      inflight.add(1);
      if (stream) streamsActive.add(1);
      const [first] = plan.candidates;
      if (first !== undefined) families.decisions.with({ reason: first.reason }).increment();
    },
    planned: (planMs) => overheadRoute.observe(planMs / 1000),
    ended(plan, stream, outcome) {
      inflight.add(-1);
      if (stream) {
        streamsActive.add(-1);
        families.terminations.with({ reason: outcome.endReason }).increment();
      }
      countAttempts(families, outcome.attempts);
      overheadDispatch.observe(ownTime(outcome) / 1000);
      observeTimes(families, plan, outcome);
      countTokens(families, plan, outcome);
      countSkipped(families, plan, outcome);
    },
    refused: (error) => families.refused.with({ code: error.code }).increment(),
    offersSeen: (index, standings) => showOffers(families, index, standings),
  };
}

type Families = ReturnType<typeof declare>;

const offer = { provider: 'any', model: 'any' } as const;
const call = { operation: ['chat'], provider: 'any', request_model: 'any' } as const;

const declare = (metrics: Metrics) => ({
  ...declareRouting(metrics),
  ...declareUsage(metrics),
  ...declareLoad(metrics),
});

const declareRouting = (metrics: Metrics) => ({
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
  refused: metrics.counter({
    name: 'gateway_chat_refused_total',
    help: 'Chat requests that never came to a provider.',
    labels: { code: 'any' },
  }),
  overhead: metrics.histogram({
    name: 'gateway_overhead_seconds',
    help: "Time of a request that was ours, not a provider's.",
    labels: { route: [route], stage: ['route', 'dispatch'] },
    buckets: overheadBuckets,
  }),
});

const declareUsage = (metrics: Metrics) => ({
  tokens: metrics.counter({
    name: 'gateway_tokens_total',
    help: 'Tokens by disjoint class.',
    labels: {
      ...offer,
      token_class: ['input_uncached', 'cache_read', 'cache_write', 'output_text', 'output_reasoning'],
    },
  }),
  duration: metrics.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Whole chats, failed attempts included.',
    labels: { ...call, error_type: 'any' },
    buckets: durationBuckets,
  }),
  firstChunk: metrics.histogram({
    name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    help: 'From the request to the first content of a stream, or to the whole answer.',
    labels: call,
    buckets: durationBuckets,
  }),
});

const declareLoad = (metrics: Metrics) => ({
  terminations: metrics.counter({
    name: 'gateway_stream_terminations_total',
    help: 'Why streams ended.',
    labels: { reason: streamEnds },
  }),
  skipped: metrics.counter({
    name: 'gateway_stream_frames_skipped_total',
    help: 'Frames of streams that could not be read and were left out.',
    labels: offer,
  }),
  streamsActive: metrics.gauge({
    name: 'gateway_streams_active',
    help: 'Streams open now.',
    labels: { service: [service] },
  }),
  inflight: metrics.gauge({
    name: 'gateway_inflight_requests',
    help: 'Requests being worked on now.',
    labels: { service: [service] },
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

/** Between the calls and after them. */
const ownTime = ({ attempts, durationMs }: Outcome): number =>
  Math.max(
    0,
    attempts.reduce((left, { duration_ms: upstreamMs }) => left - upstreamMs, durationMs),
  );

function outcomeOf({ succeeded, error_type: type }: AttemptRecord): string {
  if (succeeded) return 'ok';
  if (type === 'caller_cancelled') return 'cancelled';
  return type.startsWith('provider_') ? 'retryable' : 'fatal';
}

function observeTimes({ duration, firstChunk }: Families, plan: Plan, outcome: Outcome): void {
  const last = outcome.attempts.at(-1);
  const asked = { operation: 'chat', provider: last?.provider ?? 'none', request_model: plan.model.id };
  duration.with({ ...asked, error_type: last?.error_type ?? 'none' }).observe(outcome.durationMs / 1000);
  if (outcome.firstContentMs !== undefined) firstChunk.with(asked).observe(outcome.firstContentMs / 1000);
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

function countSkipped({ skipped }: Families, plan: Plan, { served, skippedFrames }: Outcome): void {
  if (served === undefined || skippedFrames === 0) return;
  skipped.with({ provider: served.providerId, model: plan.model.id }).increment(skippedFrames);
}

function countTokens({ tokens }: Families, plan: Plan, { served, usage }: Outcome): void {
  if (served === undefined || usage === undefined) return;
  for (const [token_class, count] of Object.entries(disjointTokens(usage))) {
    if (count > 0) tokens.with({ provider: served.providerId, model: plan.model.id, token_class }).increment(count);
  }
}

/** OpenAI counts cached tokens as part of the prompt and reasoning as part of the completion; here each stands alone. */
function disjointTokens({ prompt_tokens, completion_tokens, ...details }: Usage): Record<string, number> {
  const cacheRead = details.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = details.prompt_tokens_details?.cache_write_tokens ?? 0;
  const reasoning = details.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    input_uncached: Math.max(0, prompt_tokens - cacheRead - cacheWrite),
    cache_read: cacheRead,
    cache_write: cacheWrite,
    output_text: Math.max(0, completion_tokens - reasoning),
    output_reasoning: reasoning,
  };
}
