import type { GatewayError } from '@switchyard/contracts';
import type { ImageOutcome, Plan } from '@switchyard/dispatch';
import { imagesCounter, type RoutedPath, routingMetrics } from '@switchyard/dispatch-kit';
import type { ImageOperation } from '@switchyard/providers';
import { inflightRequests, type Metrics } from '@switchyard/service-kit';
import type { Made } from './events.ts';
import type { Size } from './pixels/pixels.ts';

export interface ImageMetrics {
  begun(plan: Plan): void;
  planned(operation: ImageOperation, planMs: number): void;
  ended(operation: ImageOperation, plan: Plan, outcome: ImageOutcome): void;
  made(made: Made): void;
  refused(operation: ImageOperation, error: GatewayError): void;
}

export interface HeldBytes {
  heldBytes(): number;
  maxBytes: number;
}

const routes = { generate: '/v1/images/generations', edit: '/v1/images/edits' } as const satisfies Record<
  ImageOperation,
  RoutedPath
>;
const operations = { generate: 'generate_image', edit: 'edit_image' } as const;
const op = ['generate', 'edit'] as const;

export function imageMetrics(metrics: Metrics, { heldBytes, maxBytes }: HeldBytes): ImageMetrics {
  const routing = routingMetrics(metrics);
  const active = inflightRequests(metrics, 'image');
  const families = declare(metrics);
  metrics.gauge({
    name: 'gateway_image_bytes_held',
    help: 'Bytes of images held or put aside, in base64.',
    read: heldBytes,
  });
  metrics
    .gauge({ name: 'gateway_image_bytes_limit', help: 'Bytes of images that may be held at once.' })
    .with()
    .set(maxBytes);
  return {
    begun(plan) {
      active.add(1);
      routing.begun(plan);
    },
    planned: (operation, planMs) => routing.planned(routes[operation], planMs),
    ended(operation, plan, { attempts, durationMs }) {
      active.add(-1);
      routing.ended(attempts);
      const last = attempts.at(-1);
      routing.took(
        {
          operation: operations[operation],
          provider: last?.provider ?? 'none',
          request_model: plan.model.id,
          error_type: last?.error_type ?? 'none',
        },
        durationMs,
      );
    },
    made({ plan, operation, offer, images }) {
      const made = { provider: offer.providerId, model: plan.model.id, op: operation };
      for (const { size } of images) families.images.with({ ...made, size_class: sizeClass(size) }).increment();
    },
    refused: (operation, { code }) => families.refused.with({ op: operation, code }).increment(),
  };
}

const declare = (metrics: Metrics) => ({
  images: imagesCounter(metrics),
  refused: metrics.counter({
    name: 'gateway_image_refused_total',
    help: 'Requests for images that never came to a provider.',
    labels: { op, code: 'any' },
  }),
});

const megapixel = 1024 * 1024;

/** By what a square of that name has, with room for other ratios. */
function sizeClass(size: Size | undefined): string {
  if (size === undefined) return 'unknown';
  const pixels = size.width * size.height;
  if (pixels < 0.6 * megapixel) return 'small';
  if (pixels < 2.5 * megapixel) return '1k';
  return pixels < 9 * megapixel ? '2k' : '4k';
}
