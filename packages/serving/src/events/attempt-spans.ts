import type { RequestHead } from '@tallyport/contracts';
import type { AttemptRecord, Plan } from '@tallyport/dispatch';
import type { Attributes, Tracing } from '@tallyport/service-kit';

export interface TracedCalls {
  head: RequestHead;
  plan: Plan;
  operation: string;
  attempts: readonly AttemptRecord[];
  /** Of the attempt that answered, if its provider counts them. */
  tokens?: SpanTokens | undefined;
}

export interface SpanTokens {
  input: number;
  output: number;
}

const now = (): number => performance.timeOrigin + performance.now();

/**
 * Records a span per provider call when the request is over. Attempts follow each other without a pause, so their times
 * are computed back from the end of the last one.
 */
export function attemptSpans(tracing: Tracing): (calls: TracedCalls) => void {
  return (calls) => {
    const { head, plan, operation, attempts } = calls;
    let at = attempts.reduce((start, { duration_ms: tookMs }) => start - tookMs, now());
    for (const [index, attempt] of attempts.entries()) {
      const attributes = { ...ours(attempt, index), ...(tracing.genAi && genAi(calls, attempt)) };
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

/** Attributes of the GenAI conventions. Providers appear by their id; prompts and answers are never included. */
const genAi = ({ operation, tokens }: TracedCalls, { provider, model, succeeded }: AttemptRecord): Attributes => ({
  'gen_ai.operation.name': operation,
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
  ...(succeeded && {
    'gen_ai.usage.input_tokens': tokens?.input,
    'gen_ai.usage.output_tokens': tokens?.output,
  }),
});
