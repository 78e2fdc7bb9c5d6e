export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** `1024x1024`; some vendors write an asterisk. */
export function sizeOf(text: unknown, sign = 'x'): PictureSize | undefined {
  const [width, height, ...more] = typeof text === 'string' ? text.split(sign) : [];
  if (!isLength(width) || !isLength(height) || more.length > 0) return undefined;
  return { width: Number(width), height: Number(height) };
}

const isLength = (text: string | undefined): boolean => text !== undefined && /^[1-9]\d{0,4}$/.test(text);

export const writeSize = ({ width, height }: PictureSize, sign = 'x'): string => `${width}${sign}${height}`;

export const pixelCount = ({ width, height }: PictureSize): number => width * height;

/** The longer side divided by the shorter one. */
export const stretchOf = ({ width, height }: PictureSize): number => Math.max(width, height) / Math.min(width, height);
