import { usageOfExchanges } from '@tallyport/contracts';
import type { ImageOutcome } from '@tallyport/dispatch';
import type { ImageOperation } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { type ByteBudget, type RequestEvents, requestEvents } from '@tallyport/serving';
import { type RoutingEvents, routingEvents } from '@tallyport/serving/upstreams';
import { imageMetrics, type MadeEvent } from './metrics.ts';

export interface ImageEvents extends RoutingEvents, Record<ImageOperation, RequestEvents<ImageOutcome>> {
  /** Reports images that are ready to be sent. */
  made(event: MadeEvent): void;
}

const usages = usageOfExchanges('image');

/** Metrics and logs of this service. Each event is counted and logged once. */
export function imageEvents(
  kit: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  budget: Pick<ByteBudget, 'held' | 'limit'>,
): ImageEvents {
  const counted = imageMetrics(kit.metrics, budget);
  const eventsOf = (operation: ImageOperation) =>
    requestEvents<ImageOutcome>(kit, {
      operation: usages[operation],
      messages: { answered: 'images made', failed: 'images failed', refused: 'images refused' },
      fields: { operation },
      outcomeFields,
      onRefused: (error) => counted.refused(operation, error),
    });
  return { ...routingEvents(kit), generate: eventsOf('generate'), edit: eventsOf('edit'), made: counted.made };
}

const outcomeFields = ({ images, cost }: ImageOutcome) => ({
  images: images.length,
  bytes: images.reduce((sum, { bytes }) => sum + bytes, 0),
  cost,
});
