import type { RequestHead } from '@tallyport/contracts';
import { type AttemptRecord, genAiProviderName, type Plan, type RequestOutcome } from '@tallyport/dispatch';
import type { Attributes, Tracing } from '@tallyport/service-kit';
import { firstChunkMs, type GenAiFacts } from './gen-ai-facts.ts';

interface TracedCalls {
  head: RequestHead;
  plan: Plan;
  operation: string;
  stream: boolean;
  outcome: RequestOutcome;
  /** Of the attempt that answered. */
  facts: GenAiFacts;
}

const now = (): number => performance.timeOrigin + performance.now();

/**
 * Records a span per provider call when the request is over. Attempts follow each other without a pause, so their times
 * are computed back from the end of the last one.
 */
export function attemptSpans(tracing: Tracing): (calls: TracedCalls) => void {
  return (calls) => {
    const { head, plan, operation, outcome } = calls;
    const { attempts } = outcome;
    let at = attempts.reduce((start, { duration_ms: tookMs }) => start - tookMs, now());
    for (const [index, attempt] of attempts.entries()) {
      const isLast = index === attempts.length - 1;
      const attributes = { ...ours(attempt, index), ...(tracing.genAi && genAi(calls, attempt, isLast)) };
      const start = { kind: 'client', parent: head.traceparent, attributes, at } as const;
      const span = tracing.begin(`${operation} ${plan.model.id}`, start);
      at += attempt.duration_ms;
      span.end({ at, error: attempt.succeeded ? undefined : attempt.error_type });
    }
  };
}

const ours = ({ provider, model, status_code, own_key }: AttemptRecord, index: number): Attributes => ({
  'tallyport.provider': provider,
  'tallyport.model': model,
  'tallyport.attempt': index + 1,
  'tallyport.own_key': own_key,
  'http.response.status_code': status_code ?? undefined,
});

/** Attributes of the GenAI conventions 0.1.0. Prompts and answers are never included. */
const genAi = (calls: TracedCalls, { provider, model }: AttemptRecord, isLast: boolean): Attributes => ({
  'gen_ai.operation.name': calls.operation,
  'gen_ai.provider.name': genAiProviderName(provider),
  'gen_ai.request.model': model,
  'gen_ai.request.stream': calls.stream || undefined,
  ...(isLast && answered(calls)),
});

function answered({ outcome, facts }: TracedCalls): Attributes {
  const { usage, answer } = facts;
  const firstMs = firstChunkMs(outcome, facts);
  return {
    'gen_ai.response.model': answer?.model,
    'gen_ai.response.finish_reasons': answer?.finishReasons,
    'gen_ai.response.time_to_first_chunk': firstMs === undefined ? undefined : firstMs / 1000,
    'gen_ai.usage.input_tokens': usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': usage?.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.prompt_tokens_details?.cached_tokens,
    'gen_ai.usage.cache_write.input_tokens': usage?.prompt_tokens_details?.cache_write_tokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.completion_tokens_details?.reasoning_tokens,
  };
}
