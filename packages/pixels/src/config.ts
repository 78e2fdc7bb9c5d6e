import { defineConfig, wholeNumber } from '@tallyport/service-kit';

/** Settings of services that decode images. */
export const pixelsConfig = defineConfig({
  IMAGE_MAX_PIXELS: {
    schema: wholeNumber(1024, 2 ** 28),
    default: '67108864',
    description: 'Maximum pixels of an image that is edited, converted or scaled. Small files can decode to gigabytes.',
  },
});
