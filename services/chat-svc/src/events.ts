import type { GatewayError, RequestHead } from '@switchyard/contracts';
import type { Outcome, Plan } from '@switchyard/dispatch';
import { attemptSpans, type RoutingEvents, routingEvents } from '@switchyard/dispatch-kit';
import { afterSending, type Kit } from '@switchyard/service-kit';
import { chatMetrics } from './metrics.ts';

export interface Begun {
  head: RequestHead;
  plan: Plan;
  stream: boolean;
}

export interface ChatEvents extends RoutingEvents {
  /** A chat is being tried; the function given back is told of its end. */
  begin(begun: Begun): (outcome: Outcome) => void;
  /** Parsing, checking and planning took so long. */
  planned(planMs: number): void;
  /** A request that never came to a provider: broken, unknown, not allowed. */
  refused(head: RequestHead, error: GatewayError): void;
}

/** What happens here, each counted and logged once. */
export function chatEvents({ log, metrics, tracing }: Pick<Kit, 'log' | 'metrics' | 'tracing'>): ChatEvents {
  const counted = chatMetrics(metrics);
  const traced = attemptSpans(tracing);
  return {
    ...routingEvents({ log, metrics }),
    begin({ head, plan, stream }) {
      counted.begun(plan, stream);
      const ended = (outcome: Outcome): void => {
        counted.ended(plan, stream, outcome);
        const fields = { requestId: head.requestId, accountId: head.principal?.accountId, ...told(plan, outcome) };
        if (outcome.error === undefined) log.info({ ...fields, stream }, 'chat answered');
        else log.info({ ...fields, stream, error: outcome.error }, 'chat failed');
      };
      const logged = tracing?.keep(ended) ?? ended;
      return (outcome) => {
        traced({ head, plan, operation: 'chat', ...tracedOf(outcome) });
        afterSending(() => logged(outcome));
      };
    },
    planned: counted.planned,
    refused(head, error) {
      counted.refused(error);
      log.info({ requestId: head.requestId, accountId: head.principal?.accountId, error }, 'chat refused');
    },
  };
}

const tracedOf = ({ attempts, usage }: Outcome) => ({
  attempts,
  tokens: usage && { input: usage.prompt_tokens, output: usage.completion_tokens },
});

const told = (plan: Plan, { served, usage, usageEstimated, firstContentMs, ...outcome }: Outcome) => ({
  model: plan.model.id,
  provider: served?.providerId,
  attempts: outcome.attempts.length,
  endReason: outcome.endReason,
  durationMs: Math.round(outcome.durationMs),
  firstContentMs: firstContentMs === undefined ? undefined : Math.round(firstContentMs),
  promptTokens: usage?.prompt_tokens,
  completionTokens: usage?.completion_tokens,
  usageEstimated: usageEstimated || undefined,
});
