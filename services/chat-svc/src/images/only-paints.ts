import type { Model } from '@switchyard/contracts';

/** Models that answer with nothing but images. Those that also speak are asked as any chat. */
export const onlyPaints = ({ outputModalities: output }: Model): boolean =>
  output.includes('image') && !output.includes('text');
