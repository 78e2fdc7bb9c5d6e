import type { Kit } from '@switchyard/service-kit';

export type ImageOperation = 'generate' | 'edit';

export interface ImageEvents {
  refused(operation: ImageOperation, requestId: string): void;
}

/** What happens here, each counted and logged once. */
export function imageEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): ImageEvents {
  const requests = metrics.counter({
    name: 'gateway_image_requests_total',
    help: 'Image requests and how they ended.',
    labels: { op: ['generate', 'edit'], outcome: ['unavailable'] },
  });
  return {
    refused(operation, requestId) {
      requests.with({ op: operation, outcome: 'unavailable' }).increment();
      log.info({ requestId, operation }, 'image request refused: images are not built yet');
    },
  };
}
