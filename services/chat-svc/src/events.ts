import type { GatewayError, RequestHead } from '@switchyard/contracts';
import type { BreakerState, ModelIndex, Outcome, Plan, Standings } from '@switchyard/dispatch';
import { afterSending, type Kit, throttledLog } from '@switchyard/service-kit';
import { chatMetrics } from './metrics.ts';

export interface Begun {
  head: RequestHead;
  plan: Plan;
  stream: boolean;
}

export interface ChatEvents {
  /** A chat is being tried; the function given back is told of its end. */
  begin(begun: Begun): (outcome: Outcome) => void;
  /** Parsing, checking and planning took so long. */
  planned(planMs: number): void;
  /** A request that never came to a provider: broken, unknown, not allowed. */
  refused(head: RequestHead, error: GatewayError): void;
  /** An offer was given up for a while, or is trusted again. */
  breakerChanged(offerKey: string, state: BreakerState): void;
  /** How all offers stand now, for the gauges. */
  offersSeen(index: ModelIndex, standings: Standings): void;
  catalogueLoaded(index: ModelIndex): void;
  catalogueTrouble(error: unknown): void;
}

/** What happens here, each counted and logged once. */
export function chatEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): ChatEvents {
  const counted = chatMetrics(metrics);
  const warn = throttledLog(log);
  return {
    begin({ head, plan, stream }) {
      counted.begun(plan, stream);
      const ended = (outcome: Outcome): void => {
        counted.ended(plan, stream, outcome);
        const fields = { requestId: head.requestId, accountId: head.principal?.accountId, ...told(plan, outcome) };
        if (outcome.error === undefined) log.info({ ...fields, stream }, 'chat answered');
        else log.info({ ...fields, stream, error: outcome.error }, 'chat failed');
      };
      return (outcome) => afterSending(() => ended(outcome));
    },
    planned: counted.planned,
    refused(head, error) {
      counted.refused(error);
      log.info({ requestId: head.requestId, accountId: head.principal?.accountId, error }, 'chat refused');
    },
    breakerChanged(offerKey, state) {
      if (state === 'open') log.warn({ offer: offerKey }, 'the breaker of an offer opened');
      else log.info({ offer: offerKey, state }, 'the breaker of an offer moved');
    },
    offersSeen: counted.offersSeen,
    catalogueLoaded: (index) => log.info({ version: index.version, names: index.names().length }, 'catalogue loaded'),
    catalogueTrouble: (error) => warn('catalogue', { error }, 'the catalogue could not be fetched'),
  };
}

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
