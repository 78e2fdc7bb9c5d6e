export interface PixelSize {
  width: number;
  height: number;
}

export const sizeText = ({ width, height }: PixelSize): string => `${width}x${height}`;
