import { defineConfig, wholeNumber } from '@tallyport/service-kit';

/** Settings of services that decode images. */
export const pixelsConfig = defineConfig({
  IMAGE_MAX_PIXELS: {
    schema: wholeNumber(1024, 2 ** 28),
    default: '67108864',
    description: 'Maximum pixels of an image that is edited, converted or scaled. Small files can decode to gigabytes.',
  },
  IMAGE_CONVERT_CONCURRENT: {
    schema: wholeNumber(1, 64),
    default: '2',
    description: 'Images that one process converts or scales at once, each in its own thread. Others wait in a queue.',
  },
});
