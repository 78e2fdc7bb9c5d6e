import type { GatewayError, Offer, RequestHead } from '@switchyard/contracts';
import type { ImageOutcome, Plan } from '@switchyard/dispatch';
import { attemptSpans, type RoutingEvents, routingEvents } from '@switchyard/dispatch-kit';
import type { ImageOperation } from '@switchyard/providers';
import { afterSending, type Kit } from '@switchyard/service-kit';
import type { FinishedImage } from './answer/finish-images.ts';
import { type HeldBytes, imageMetrics } from './metrics.ts';

export interface Begun {
  head: RequestHead;
  plan: Plan;
  operation: ImageOperation;
}

export interface Made {
  plan: Plan;
  operation: ImageOperation;
  offer: Offer;
  images: readonly Pick<FinishedImage, 'size'>[];
}

export interface ImageEvents extends RoutingEvents {
  /** Images are being made; the function given back is told of the end. */
  begin(begun: Begun): (outcome: ImageOutcome) => void;
  /** Images are ready to be answered. */
  made(made: Made): void;
  /** Checking and planning took so long. */
  planned(operation: ImageOperation, planMs: number): void;
  /** A request that never came to a provider: broken, unknown, not allowed, too much. */
  refused(operation: ImageOperation, head: RequestHead, error: GatewayError): void;
}

/** What happens here, each counted and logged once. */
export function imageEvents(
  { log, metrics, tracing }: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  held: HeldBytes,
): ImageEvents {
  const counted = imageMetrics(metrics, held);
  const traced = attemptSpans(tracing);
  return {
    ...routingEvents({ log, metrics }),
    begin({ head, plan, operation }) {
      counted.begun(plan);
      const ended = (outcome: ImageOutcome): void => {
        counted.ended(operation, plan, outcome);
        const { requestId, principal } = head;
        const fields = { requestId, accountId: principal?.accountId, operation, ...told(plan, outcome) };
        if (outcome.error === undefined) log.info(fields, 'images made');
        else log.info({ ...fields, error: outcome.error }, 'images failed');
      };
      const logged = tracing?.keep(ended) ?? ended;
      return (outcome) => {
        traced({ head, plan, operation: `${operation}_image`, attempts: outcome.attempts });
        afterSending(() => logged(outcome));
      };
    },
    made: counted.made,
    planned: counted.planned,
    refused(operation, { requestId, principal }, error) {
      counted.refused(operation, error);
      log.info({ requestId, accountId: principal?.accountId, operation, error }, 'images refused');
    },
  };
}

const told = (plan: Plan, { served, images, cost, attempts, endReason, durationMs }: ImageOutcome) => ({
  model: plan.model.id,
  provider: served?.providerId,
  attempts: attempts.length,
  endReason,
  durationMs: Math.round(durationMs),
  images: images.length,
  bytes: images.reduce((sum, { bytes }) => sum + bytes, 0),
  cost,
});
