import type { GatewayError } from '@tallyport/contracts';
import { modelLabel, type ChatOutcome, type EndReason, type Plan } from '@tallyport/dispatch';
import { durationBuckets, type Metrics } from '@tallyport/service-kit';
import { type BegunRequest, type ByteBudget, imagesCounter } from '@tallyport/serving';

interface ChatMetrics {
  begun(begun: BegunRequest): void;
  ended(begun: BegunRequest, outcome: ChatOutcome): void;
  refused(error: GatewayError): void;
}

const service = 'chat';
const streamEnds = [
  'done',
  'client_gone',
  'upstream_cut',
  'stall',
  'max_duration',
  'error',
  'shutdown',
] as const satisfies readonly EndReason[];

/** The memory that the metrics show. */
export type HeldMemory = Readonly<Record<'budget' | 'answers', Pick<ByteBudget, 'held' | 'limit'>>>;

const requestBytes = {
  name: 'gateway_chat_bytes',
  help: 'Memory held for requests and their fetched images, at three times their size.',
};
const answerBytes = {
  name: 'gateway_chat_answer_bytes',
  help: 'Memory held for whole answers while they are read and sent.',
};

export function chatMetrics(metrics: Metrics, memory: HeldMemory): ChatMetrics {
  declareBytes(metrics, requestBytes, memory.budget);
  declareBytes(metrics, answerBytes, memory.answers);
  const families = declare(metrics);
  const countTokens = tokenCounter(metrics);
  const streamsActive = families.streamsActive.with({ service });
  return {
    begun({ stream }) {
      if (stream) streamsActive.add(1);
    },
    ended({ plan, stream }, outcome) {
      if (stream) {
        streamsActive.add(-1);
        families.terminations.with({ reason: outcome.endReason }).increment();
      }
      observeFirstChunk(families, plan, outcome);
      countTokens(plan, outcome);
      countSkipped(families, plan, outcome);
      countImages(families, plan, outcome);
    },
    refused: (error) => families.refused.with({ code: error.code }).increment(),
  };
}

type Families = ReturnType<typeof declare>;

const offer = { provider: 'any', model: 'model' } as const;
const call = { operation: ['chat'], provider: 'any', request_model: 'model' } as const;

const declare = (metrics: Metrics) => ({
  ...declareUsage(metrics),
  ...declareLoad(metrics),
});

const declareUsage = (metrics: Metrics) => ({
  images: imagesCounter(metrics),
  firstChunk: metrics.histogram({
    name: 'gateway_first_content_seconds',
    help: 'Time from the request to the first content of a stream, or to the whole answer.',
    labels: call,
    buckets: durationBuckets,
  }),
});

const declareLoad = (metrics: Metrics) => ({
  refused: metrics.counter({
    name: 'gateway_chat_refused_total',
    help: 'Chat requests refused before a provider was called.',
    labels: { code: 'any' },
  }),
  terminations: metrics.counter({
    name: 'gateway_stream_terminations_total',
    help: 'Streams, by the reason for their end.',
    labels: { reason: streamEnds },
  }),
  skipped: metrics.counter({
    name: 'gateway_stream_frames_skipped_total',
    help: 'Stream frames that could not be parsed and were skipped.',
    labels: offer,
  }),
  streamsActive: metrics.gauge({
    name: 'gateway_streams_active',
    help: 'Open streams.',
    labels: { service: [service] },
  }),
});

function declareBytes(
  metrics: Metrics,
  { name, help }: Record<'help' | 'name', string>,
  { held, limit }: HeldMemory['budget'],
): void {
  metrics.gauge({ name: `${name}_held`, help, read: held });
  metrics
    .gauge({ name: `${name}_limit`, help: `Limit of ${name}_held.` })
    .with()
    .set(limit);
}

const callLabels = (plan: Plan, { attempts }: ChatOutcome) =>
  ({
    operation: 'chat',
    provider: attempts.at(-1)?.provider ?? 'none',
    request_model: modelLabel(plan.model),
  }) as const;

function observeFirstChunk({ firstChunk }: Families, plan: Plan, outcome: ChatOutcome): void {
  if (outcome.firstContentMs !== undefined)
    firstChunk.with(callLabels(plan, outcome)).observe(outcome.firstContentMs / 1000);
}

function countSkipped({ skipped }: Families, plan: Plan, { served, skippedFrames }: ChatOutcome): void {
  if (served === undefined || skippedFrames === 0) return;
  skipped.with({ provider: served.providerId, model: modelLabel(plan.model) }).increment(skippedFrames);
}

function countImages({ images: made }: Families, plan: Plan, { served, images }: ChatOutcome): void {
  if (served === undefined || images === 0) return;
  made
    .with({ provider: served.providerId, model: modelLabel(plan.model), op: 'chat', size_class: 'unknown' })
    .increment(images);
}

/** Counts the tokens of requests, also of embeddings, by class. */
export function tokenCounter(metrics: Metrics): (plan: Plan, outcome: Pick<ChatOutcome, 'served' | 'usage'>) => void {
  const tokens = metrics.counter({
    name: 'gateway_tokens_total',
    help: 'Tokens, by disjoint class.',
    labels: {
      ...offer,
      token_class: ['input_uncached', 'cache_read', 'cache_write', 'output_text', 'output_reasoning'],
    },
  });
  return (plan, { served, usage }) => {
    if (served === undefined || usage === undefined) return;
    const provider = served.providerId;
    const model = modelLabel(plan.model);
    const count = (token_class: string, of: number): void => {
      if (of > 0) tokens.with({ provider, model, token_class }).increment(of);
    };
    // OpenAI includes cached tokens in the prompt and reasoning in the completion; these classes do not overlap.
    const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
    const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
    const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
    count('input_uncached', usage.prompt_tokens - cacheRead - cacheWrite);
    count('cache_read', cacheRead);
    count('cache_write', cacheWrite);
    count('output_text', usage.completion_tokens - reasoning);
    count('output_reasoning', reasoning);
  };
}
