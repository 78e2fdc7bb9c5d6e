import { type PictureSize } from '@tallyport/sandbox';

/**
 * About `side` squared pixels in this ratio, in steps of 16; anything that is not a ratio, such as `auto`, is square.
 */
export function ratioSize(ratio: string, side: number): PictureSize {
  const [across, down] = ratio.split(':').map(Number);
  if (!across || !down) return { width: side, height: side };
  const stretch = Math.sqrt(across / down);
  return { width: inSteps(side * stretch), height: inSteps(side / stretch) };
}

const inSteps = (pixels: number): number => Math.max(16, Math.round(pixels / 16) * 16);
