import type { Model } from '@tallyport/contracts';
import type { SentModel } from '@tallyport/endpoints';
import { findImageProvider, type ImageAbilities } from '@tallyport/providers';

/** The sizes that a model makes at its first known provider, in the format of the API. */
export function imageSizesOf({ outputModalities, offers }: Model): Pick<SentModel, 'image_sizes'> {
  if (!outputModalities.includes('image')) return {};
  const [sizes] = offers.flatMap((offer) => findImageProvider(offer.providerId)?.abilities(offer).sizes ?? []);
  return sizes === undefined ? {} : { image_sizes: written(sizes) };
}

function written(sizes: ImageAbilities['sizes']): NonNullable<SentModel['image_sizes']> {
  switch (sizes.kind) {
    case 'fixed':
      return { kind: 'fixed', sizes: sizes.sizes };
    case 'free':
      return {
        kind: 'free',
        min_side: sizes.minSide,
        max_side: sizes.maxSide,
        min_pixels: sizes.leastPixels,
        max_pixels: sizes.maxPixels,
        max_ratio: sizes.maxRatio,
        multiple_of: sizes.multipleOf,
      };
    case 'shape':
      return { kind: 'ratio', aspect_ratios: sizes.aspectRatios, image_sizes: Object.keys(sizes.classes) };
    case 'none':
      return { kind: 'provider' };
    default:
      return sizes satisfies never;
  }
}
