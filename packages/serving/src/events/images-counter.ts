import type { Counter, Metrics } from '@tallyport/service-kit';

const ways = ['generate', 'edit', 'chat'] as const;
const sizeClasses = ['small', '1k', '2k', '4k', 'unknown'] as const;

const labels = { provider: 'any', model: 'model', op: ways, size_class: sizeClasses } as const;

/** The metric of all services that make images. The size of images made in a chat is not measured. */
export const imagesCounter = (metrics: Metrics): Counter<typeof labels> =>
  metrics.counter({ name: 'gateway_images_total', help: 'Images made, by size class.', labels });
