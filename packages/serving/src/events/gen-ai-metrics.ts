import { namesOf, type UsageOperation, paidOperations } from '@tallyport/contracts';
import { genAiProviderName, modelLabel, type Plan, type RequestOutcome, unlisted } from '@tallyport/dispatch';
import type { Metrics } from '@tallyport/service-kit';
import type { Usage } from '@tallyport/wire';
import { firstChunkMs, type GenAiFacts } from './gen-ai-facts.ts';

interface GenAiMetrics {
  ended(plan: Plan, outcome: RequestOutcome, facts: GenAiFacts): void;
}

/** The boundaries that the conventions name for durations, in seconds. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** The metrics of OpenTelemetry's GenAI conventions 0.1.0, per call of a provider, with the names Prometheus gives them. */
export function genAiMetrics(metrics: Metrics, operation: UsageOperation): GenAiMetrics {
  const families = declare(metrics);
  const { isInference } = paidOperations[operation];
  const duration = isInference ? families.inference : families.operation;
  const labelsOf = callLabels(operation);

  function countAnswer(labels: CallLabels, outcome: RequestOutcome, facts: GenAiFacts): void {
    const firstMs = firstChunkMs(outcome, facts);
    if (firstMs !== undefined) families.firstChunk.with(labels).observe(firstMs / 1000);
    if (outcome.served !== undefined && facts.usage !== undefined) countTokens(families, labels, facts.usage);
  }

  return {
    ended(plan, outcome, facts) {
      const { attempts } = outcome;
      const model = modelLabel(plan.model);
      for (const [index, { provider, succeeded, error_type: error, duration_ms: tookMs }] of attempts.entries()) {
        const isLast = index === attempts.length - 1;
        const labels = labelsOf(provider, model, isLast ? facts.answer?.model : undefined);
        duration.with({ ...labels, error_type: succeeded ? '' : error }).observe(tookMs / 1000);
        if (isLast && isInference) countAnswer(labels, outcome, facts);
      }
    },
  };
}

function callLabels(operation: UsageOperation) {
  const responseModelOf = boundedModels();
  return (provider: string, model: string, reported: string | undefined): CallLabels => ({
    provider,
    gen_ai_operation_name: operation,
    gen_ai_provider_name: genAiProviderName(provider),
    gen_ai_request_model: model,
    // A vendor repeats the name of an unlisted model, which the client chose.
    gen_ai_response_model: model === unlisted ? unlisted : responseModelOf(`${provider}/${model}`, reported),
  });
}

type Families = ReturnType<typeof declare>;
type CallLabels = NonNullable<Parameters<Families['firstChunk']['with']>[0]>;

const call = {
  provider: 'any',
  gen_ai_operation_name: namesOf(paidOperations),
  gen_ai_provider_name: 'any',
  gen_ai_request_model: 'model',
  gen_ai_response_model: 'any',
} as const;

const declare = (metrics: Metrics) => ({
  inference: metrics.histogram({
    name: 'gen_ai_client_inference_duration_seconds',
    help: 'Duration of calls of models.',
    labels: { ...call, error_type: 'any' },
    buckets: seconds,
  }),
  operation: metrics.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Duration of calls of providers that are no inference: embeddings and moderations.',
    labels: { ...call, error_type: 'any' },
    buckets: seconds,
  }),
  firstChunk: metrics.histogram({
    name: 'gen_ai_client_inference_time_to_first_chunk_seconds',
    help: 'Time from a call to the first content of its stream.',
    labels: call,
    buckets: seconds,
  }),
  input: tokens(metrics, 'input_tokens', 'Input tokens, those from and to a cache included.'),
  output: tokens(metrics, 'output_tokens', 'Output tokens, reasoning included.'),
  cacheRead: tokens(metrics, 'cache_read_input_tokens', "Input tokens from a provider's cache."),
  cacheWrite: tokens(metrics, 'cache_write_input_tokens', "Input tokens written to a provider's cache."),
  reasoning: tokens(metrics, 'reasoning_output_tokens', 'Output tokens of reasoning.'),
});

const tokens = (metrics: Metrics, name: string, help: string) =>
  metrics.counter({
    name: `gen_ai_client_inference_usage_${name}_total`,
    help,
    labels: { ...call, gen_ai_token_modality: ['unknown'] },
  });

function countTokens(families: Families, ofCall: CallLabels, usage: Usage): void {
  const labels = { ...ofCall, gen_ai_token_modality: 'unknown' } as const;
  families.input.with(labels).increment(usage.prompt_tokens);
  families.output.with(labels).increment(usage.completion_tokens);
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  if (input?.cached_tokens) families.cacheRead.with(labels).increment(input.cached_tokens);
  if (input?.cache_write_tokens) families.cacheWrite.with(labels).increment(input.cache_write_tokens);
  if (output?.reasoning_tokens) families.reasoning.with(labels).increment(output.reasoning_tokens);
}

/** The names that a vendor may give to one model, such as those of its dated versions. */
const mostNames = 4;
const mostOffers = 2_000;

/** Vendors choose the names of their answers' models, so only the first ones of an offer become labels. */
function boundedModels(): (offer: string, reported: string | undefined) => string {
  const seen = new Map<string, Set<string>>();
  return (offer, reported) => {
    if (reported === undefined) return '';
    const names = seen.get(offer) ?? new Set();
    if (names.has(reported)) return reported;
    if (names.size >= mostNames || (names.size === 0 && seen.size >= mostOffers)) return 'other';
    seen.set(offer, names.add(reported));
    return reported;
  };
}
