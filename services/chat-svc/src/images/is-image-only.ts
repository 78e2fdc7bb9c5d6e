import type { Model } from '@tallyport/contracts';

/** Whether a model answers only with images. Models that also write text are handled like any chat. */
export const isImageOnly = ({ outputModalities: output }: Model): boolean =>
  output.includes('image') && !output.includes('text');
