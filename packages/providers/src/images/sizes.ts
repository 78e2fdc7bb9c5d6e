import type { FreeSizes, PixelSizes, ShapeSizes } from '../spec/image-provider.ts';

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The most pixels of a size that the API names. Other images are not enlarged beyond it. */
export const mostScaledPixels = 4096 * 4096;

/** The dimensions in `1024x1536`; `undefined` for any other text. */
export function dimensionsOf(size: string): Dimensions | undefined {
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size) ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** The size to request in place of the client's; `undefined` if the vendor decides. */
export function allowedPixels(requested: Dimensions, sizes: PixelSizes): Dimensions | undefined {
  switch (sizes.kind) {
    case 'fixed':
      return nearestSize(requested, sizes.sizes);
    case 'free':
      return fittingSize(requested, sizes);
    case 'none':
      return undefined;
    default:
      return sizes satisfies never;
  }
}

/** The nearest ratio, and among equal ratios the nearest area. */
export function nearestSize(requested: Dimensions, sizes: readonly string[]): Dimensions | undefined {
  const known = sizes.flatMap((size) => dimensionsOf(size) ?? []);
  return nearest(known, (size) => [distance(ratio(size), ratio(requested)), distance(area(size), area(requested))]);
}

/**
 * The same size if it is within the limits, else the least scaling that fits, keeping the ratio as well as whole steps
 * allow.
 */
export function fittingSize(requested: Dimensions, sizes: FreeSizes): Dimensions {
  if (fits(requested, sizes)) return requested;
  const { width, height } = withinRatio(requested, sizes.maxRatio);
  const least = Math.max(sizes.minSide / Math.min(width, height), Math.sqrt(sizes.leastPixels / (width * height)));
  const most = Math.min(sizes.maxSide / Math.max(width, height), Math.sqrt(sizes.maxPixels / (width * height)));
  const scale = Math.min(Math.max(1, least), most);
  const scaled = { width: width * scale, height: height * scale };
  const rounded = roundings(scaled, sizes.multipleOf);
  return rounded.find((size) => fits(size, sizes)) ?? rounded[0]!;
}

/** A size requested as a ratio and, if the model has any, a class. */
export interface Shape {
  readonly aspectRatio?: string;
  /** The client's name of the class. */
  readonly imageSize?: string;
}

/** The shape nearest to the given pixels. */
export function nearestShape(requested: Dimensions, { aspectRatios, classes }: ShapeSizes): Shape {
  const aspectRatio = nearest(aspectRatios.filter(isRatio), (text) => [distance(ratioIn(text), ratio(requested))]);
  const imageSize = nearest(Object.keys(classes), (word) => [distance(pixelsIn(word), area(requested))]);
  return { ...(aspectRatio && { aspectRatio }), ...(imageSize && { imageSize }) };
}

const ratio = ({ width, height }: Dimensions): number => width / height;
const area = ({ width, height }: Dimensions): number => width * height;

/** The ratio between the two numbers, in either direction, as a logarithm. */
const distance = (left: number, right: number): number => Math.abs(Math.log(left / right));

const isRatio = (text: string): boolean => /^[\d.]+:[\d.]+$/.test(text);

function ratioIn(text: string): number {
  const [width = 1, height = 1] = text.split(':').map(Number);
  return width / height;
}

/** `2K` means 2048 pixels a side for a square; a class without a unit is the side itself. */
function pixelsIn(word: string): number {
  const side = Number.parseFloat(word) * (word.endsWith('K') ? 1024 : 1);
  return side * side;
}

/** The item with the smallest measures, the first measure counting most. Measures within a hundredth are equal. */
function nearest<Item>(items: readonly Item[], measures: (item: Item) => readonly number[]): Item | undefined {
  const rounded = (item: Item) => measures(item).map((measure) => Math.round(measure * 100));
  const [first] = items
    .map((item) => ({ item, by: rounded(item) }))
    .toSorted((left, right) => left.by.map((value, at) => value - right.by[at]!).find((found) => found !== 0) ?? 0);
  return first?.item;
}

function fits({ width, height }: Dimensions, sizes: FreeSizes): boolean {
  const [shorter, longer] = width < height ? [width, height] : [height, width];
  const pixels = width * height;
  const inSteps = width % sizes.multipleOf === 0 && height % sizes.multipleOf === 0;
  const sides = shorter >= sizes.minSide && longer <= sizes.maxSide && longer / shorter <= sizes.maxRatio;
  return inSteps && sides && pixels >= sizes.leastPixels && pixels <= sizes.maxPixels;
}

/** Lengthens a shorter side that is too short for the ratio: what is too much can be cut off. */
function withinRatio({ width, height }: Dimensions, most: number): Dimensions {
  return { width: Math.max(width, height / most), height: Math.max(height, width / most) };
}

/**
 * In order of preference: an image that is at least as large can be scaled down to the exact size. The last option
 * keeps every ratio that was within the limit.
 */
function roundings({ width, height }: Dimensions, step: number): readonly Dimensions[] {
  const inSteps = (across: (value: number) => number, down = across): Dimensions => ({
    width: Math.max(step, across(width / step) * step),
    height: Math.max(step, down(height / step) * step),
  });
  const { ceil, floor, round } = Math;
  return [inSteps(ceil), inSteps(round), inSteps(floor), width > height ? inSteps(floor, ceil) : inSteps(ceil, floor)];
}
