export { pixelsConfig } from './config.ts';
export { type FinishedPixels, finishImage, type FinishTerms } from './finish-image.ts';
export { imageSizes, sizeText } from './image-sizes.ts';
export { createPixels, type Pixels, type PixelSize } from './pixels.ts';
export type { TypedImage } from './typed-image.ts';
export { wantedFormat } from './wanted-format.ts';
