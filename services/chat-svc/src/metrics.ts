import type { GatewayError } from '@switchyard/contracts';
import type { AttemptRecord, Outcome, Plan } from '@switchyard/dispatch';
import { type Metrics, durationBuckets } from '@switchyard/service-kit';
import type { Usage } from '@switchyard/wire';

export interface ChatMetrics {
  begun(plan: Plan, stream: boolean): void;
  ended(plan: Plan, stream: boolean, outcome: Outcome): void;
  refused(error: GatewayError): void;
}

const service = 'chat';
const streamEnds = ['done', 'client_gone', 'upstream_cut', 'stall', 'max_duration', 'error', 'shutdown'] as const;

export function chatMetrics(metrics: Metrics): ChatMetrics {
  const families = declare(metrics);
  const streamsActive = families.streamsActive.with({ service });
  const inflight = families.inflight.with({ service });
  return {
    begun(plan, stream) {
      inflight.add(1);
      if (stream) streamsActive.add(1);
      const [first] = plan.candidates;
      if (first !== undefined) families.decisions.with({ reason: first.reason }).increment();
    },
    ended(plan, stream, outcome) {
      inflight.add(-1);
      if (stream) {
        streamsActive.add(-1);
        families.terminations.with({ reason: outcome.endReason }).increment();
      }
      countAttempts(families, outcome.attempts);
      observeTimes(families, plan, outcome);
      countTokens(families, plan, outcome);
    },
    refused: (error) => families.refused.with({ code: error.code }).increment(),
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
    labels: { reason: 'any' },
  }),
  refused: metrics.counter({
    name: 'gateway_chat_refused_total',
    help: 'Chat requests that never came to a provider.',
    labels: { code: 'any' },
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
    if (next === undefined) continue;
    const [from_provider, to_provider] = [provider, next.provider];
    fallbacks.with({ from_provider, to_provider, reason: error_type, phase: 'pre_first_byte' }).increment();
  }
}

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
