import type { GatewayError, Offer } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import type { PixelSize } from '@tallyport/pixels';
import type { ImageOperation } from '@tallyport/providers';
import type { Metrics } from '@tallyport/service-kit';
import { type ByteBudget, imagesCounter } from '@tallyport/serving';
import type { FinishedImage } from './answer/finish-images.ts';

export interface MadeEvent {
  plan: Plan;
  operation: ImageOperation;
  offer: Offer;
  images: readonly Pick<FinishedImage, 'size'>[];
}

interface ImageMetrics {
  made(event: MadeEvent): void;
  refused(operation: ImageOperation, error: GatewayError): void;
}

export function imageMetrics(metrics: Metrics, budget: Pick<ByteBudget, 'held' | 'limit'>): ImageMetrics {
  const images = imagesCounter(metrics);
  const refused = metrics.counter({
    name: 'gateway_image_refused_total',
    help: 'Image requests refused before a provider was called.',
    labels: { op: ['generate', 'edit'], code: 'any' },
  });
  metrics.gauge({
    name: 'gateway_image_bytes_held',
    help: 'Bytes of images held or reserved, in base64.',
    read: budget.held,
  });
  metrics
    .gauge({ name: 'gateway_image_bytes_limit', help: 'Limit of gateway_image_bytes_held.' })
    .with()
    .set(budget.limit);
  return {
    made({ plan, operation, offer, images: made }) {
      const labels = { provider: offer.providerId, model: plan.model.id, op: operation };
      for (const { size } of made) images.with({ ...labels, size_class: sizeClass(size) }).increment();
    },
    refused: (operation, { code }) => refused.with({ op: operation, code }).increment(),
  };
}

const megapixel = 1024 * 1024;

/** Classes are named after squares, with tolerance for other ratios. */
function sizeClass(size: PixelSize | undefined): string {
  if (size === undefined) return 'unknown';
  const pixels = size.width * size.height;
  if (pixels < 0.6 * megapixel) return 'small';
  if (pixels < 2.5 * megapixel) return '1k';
  return pixels < 9 * megapixel ? '2k' : '4k';
}
