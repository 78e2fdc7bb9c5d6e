export { pixelsConfig } from './config.ts';
export { type FinishedPixels, finishImage, type FinishTerms } from './finish-image.ts';
export { imageSizes } from './image-sizes.ts';
export { type PixelSize, sizeText } from './pixel-size.ts';
export { createPixels, type Pixels } from './pixels.ts';
export { wantedFormat } from './wanted-format.ts';
