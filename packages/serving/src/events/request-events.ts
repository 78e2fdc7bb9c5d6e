import type { GatewayError, RequestHead } from '@switchyard/contracts';
import type { Plan, RequestOutcome } from '@switchyard/dispatch';
import { afterSending, type Kit } from '@switchyard/service-kit';
import type { PaidEvents } from '../paid-request.ts';
import { attemptSpans, type SpanTokens } from './attempt-spans.ts';
import { type RequestLabels, requestMetrics } from './request-metrics.ts';

export interface BegunRequest {
  head: RequestHead;
  plan: Plan;
  stream: boolean;
}

export interface RequestEvents<Outcome extends RequestOutcome> extends PaidEvents {
  /** Call when providers are about to be called; report the outcome to the returned function. */
  begin(begun: BegunRequest): (outcome: Outcome) => void;
}

/** What one endpoint adds to the events that all endpoints share. */
export interface EndpointEvents<Outcome extends RequestOutcome> extends RequestLabels {
  messages: { answered: string; failed: string; refused: string };
  /** Fields of every log line. */
  fields?: object;
  /** Fields of the log line of an outcome. */
  outcomeFields(outcome: Outcome, stream: boolean): object;
  onBegun?(begun: BegunRequest): void;
  onEnded?(begun: BegunRequest, outcome: Outcome): void;
  onRefused(error: GatewayError): void;
  /** The tokens of the attempt that answered, for its span. */
  spanTokens?(outcome: Outcome): SpanTokens | undefined;
}

/** Metrics, logs and spans of requests. Each event is counted and logged once, after the answer was sent. */
export function requestEvents<Outcome extends RequestOutcome>(
  { log, metrics, tracing }: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  endpoint: EndpointEvents<Outcome>,
): RequestEvents<Outcome> {
  const counted = requestMetrics(metrics, endpoint);
  const traced = attemptSpans(tracing);
  const { operation, messages, fields } = endpoint;
  return {
    planned: counted.planned,
    begin(begun) {
      const { head, plan, stream } = begun;
      counted.begun(plan);
      endpoint.onBegun?.(begun);
      const report = (outcome: Outcome): void => {
        counted.ended(plan, outcome);
        endpoint.onEnded?.(begun, outcome);
        const line = {
          ...callerOf(head),
          ...fields,
          ...outcomeFields(plan, outcome),
          ...endpoint.outcomeFields(outcome, stream),
        };
        if (outcome.error === undefined) log.info(line, messages.answered);
        else log.info({ ...line, error: outcome.error }, messages.failed);
      };
      const kept = tracing?.keep(report) ?? report;
      return (outcome) => {
        traced({ head, plan, operation, attempts: outcome.attempts, tokens: endpoint.spanTokens?.(outcome) });
        afterSending(() => kept(outcome));
      };
    },
    refused(head, error) {
      endpoint.onRefused(error);
      log.info({ ...callerOf(head), ...fields, error }, messages.refused);
    },
  };
}

const callerOf = ({ requestId, principal }: RequestHead) => ({ requestId, accountId: principal?.accountId });

const outcomeFields = (plan: Plan, { served, attempts, endReason, durationMs }: RequestOutcome) => ({
  model: plan.model.id,
  provider: served?.providerId,
  attempts: attempts.length,
  endReason,
  durationMs: Math.round(durationMs),
});
