import type { GatewayError, RequestHead, UsageOperation } from '@tallyport/contracts';
import type { Plan, RequestOutcome } from '@tallyport/dispatch';
import { afterSending, type Kit } from '@tallyport/service-kit';
import type { PaidEvents } from '../paid-request.ts';
import { attemptSpans } from './attempt-spans.ts';
import type { GenAiFacts } from './gen-ai-facts.ts';
import { genAiMetrics } from './gen-ai-metrics.ts';
import { requestMetrics } from './request-metrics.ts';

export interface BegunRequest {
  head: RequestHead;
  plan: Plan;
  stream: boolean;
  /** Members of the request that the gateway does not know. */
  unknownMembers?: readonly string[] | undefined;
}

export interface RequestEvents<Outcome extends RequestOutcome> extends PaidEvents {
  /** Call when providers are about to be called; report the outcome to the returned function. */
  begin(begun: BegunRequest): (outcome: Outcome) => void;
}

/** What one endpoint adds to the events that all endpoints share. */
export interface EndpointEvents<Outcome extends RequestOutcome> {
  /** What its requests are recorded as. */
  operation: UsageOperation;
  messages: { answered: string; failed: string; refused: string };
  /** Fields of every log line. */
  fields?: object;
  /** Fields of the log line of an outcome. */
  outcomeFields(outcome: Outcome, stream: boolean): object;
  onBegun?(begun: BegunRequest): void;
  onEnded?(begun: BegunRequest, outcome: Outcome): void;
  onRefused(error: GatewayError): void;
  /** What the GenAI conventions report beyond the outcome. */
  genAi?(outcome: Outcome, stream: boolean): GenAiFacts;
}

/** Metrics, logs and spans of requests. Each event is counted and logged once, after the answer was sent. */
export function requestEvents<Outcome extends RequestOutcome>(
  { log, metrics, tracing }: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  endpoint: EndpointEvents<Outcome>,
): RequestEvents<Outcome> {
  const counted = requestMetrics(metrics, endpoint.operation);
  const genAi = genAiMetrics(metrics, endpoint.operation);
  const factsOf = (outcome: Outcome, stream: boolean): GenAiFacts => endpoint.genAi?.(outcome, stream) ?? {};
  const traced = tracing && attemptSpans(tracing);
  const { operation, messages, fields } = endpoint;

  function report(begun: BegunRequest, outcome: Outcome): void {
    const { head, plan, stream, unknownMembers } = begun;
    counted.ended(plan, outcome);
    genAi.ended(plan, outcome, factsOf(outcome, stream));
    endpoint.onEnded?.(begun, outcome);
    const { served, attempts, endReason, durationMs, error } = outcome;
    const line = {
      requestId: head.requestId,
      accountId: head.principal?.accountId,
      ...fields,
      model: plan.model.id,
      provider: served?.providerId,
      attempts: attempts.length,
      endReason,
      durationMs: Math.round(durationMs),
      ...endpoint.outcomeFields(outcome, stream),
      unknownMembers,
    };
    if (error === undefined) log.info(line, messages.answered);
    else log.info({ ...line, error }, messages.failed);
  }

  return {
    planned: counted.planned,
    begin(begun) {
      counted.begun(begun.plan);
      endpoint.onBegun?.(begun);
      if (tracing === undefined || traced === undefined) return (outcome) => afterSending(() => report(begun, outcome));
      const kept = tracing.keep((outcome: Outcome) => report(begun, outcome));
      return (outcome) => {
        const { head, plan, stream } = begun;
        traced({ head, plan, operation, stream, outcome, facts: factsOf(outcome, stream) });
        afterSending(() => kept(outcome));
      };
    },
    refused(head, error) {
      endpoint.onRefused(error);
      const { requestId, principal } = head;
      log.info({ requestId, accountId: principal?.accountId, ...fields, error }, messages.refused);
    },
  };
}
