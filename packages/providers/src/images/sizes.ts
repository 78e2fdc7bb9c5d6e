import type { FreeSizes, PixelSizes, ShapeSizes } from '../image-provider.ts';

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** What `1024x1536` says; `undefined` for any other text. */
export function dimensionsOf(size: string): Dimensions | undefined {
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size) ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** The size to ask for instead of the one that was wished; `undefined` where the vendor decides. */
export function allowedPixels(wished: Dimensions, sizes: PixelSizes): Dimensions | undefined {
  switch (sizes.kind) {
    case 'fixed':
      return nearestSize(wished, sizes.sizes);
    case 'free':
      return fittingSize(wished, sizes);
    case 'none':
      return undefined;
    default:
      return sizes satisfies never;
  }
}

/** The nearest by ratio, and of equal ratios the nearest by area. */
export function nearestSize(wished: Dimensions, sizes: readonly string[]): Dimensions | undefined {
  const known = sizes.flatMap((size) => dimensionsOf(size) ?? []);
  return nearest(known, (size) => [distance(ratio(size), ratio(wished)), distance(area(size), area(wished))]);
}

/** The same where it fits, else scaled no more than it takes, its ratio kept as well as whole steps allow. */
export function fittingSize(wished: Dimensions, sizes: FreeSizes): Dimensions {
  if (fits(wished, sizes)) return wished;
  const { width, height } = withinRatio(wished, sizes.mostRatio);
  const least = Math.max(sizes.leastSide / Math.min(width, height), Math.sqrt(sizes.leastPixels / (width * height)));
  const most = Math.min(sizes.mostSide / Math.max(width, height), Math.sqrt(sizes.mostPixels / (width * height)));
  const scale = Math.min(Math.max(1, least), most);
  const scaled = { width: width * scale, height: height * scale };
  const rounded = roundings(scaled, sizes.multipleOf);
  return rounded.find((size) => fits(size, sizes)) ?? rounded[0]!;
}

/** Asked for as a ratio and, where the model has any, a class. */
export interface Shape {
  readonly aspectRatio?: string;
  /** The client's word. */
  readonly imageSize?: string;
}

/** The shape nearest to some pixels. */
export function nearestShape(wished: Dimensions, { aspectRatios, classes }: ShapeSizes): Shape {
  const aspectRatio = nearest(aspectRatios.filter(isRatio), (text) => [distance(ratioIn(text), ratio(wished))]);
  const imageSize = nearest(Object.keys(classes), (word) => [distance(pixelsIn(word), area(wished))]);
  return { ...(aspectRatio && { aspectRatio }), ...(imageSize && { imageSize }) };
}

const ratio = ({ width, height }: Dimensions): number => width / height;
const area = ({ width, height }: Dimensions): number => width * height;

/** How many times one is the other, whichever is larger. */
const distance = (left: number, right: number): number => Math.abs(Math.log(left / right));

const isRatio = (text: string): boolean => /^[\d.]+:[\d.]+$/.test(text);

function ratioIn(text: string): number {
  const [width = 1, height = 1] = text.split(':').map(Number);
  return width / height;
}

/** `2K` is 2048 a side if it is square; a class without a unit is its side. */
function pixelsIn(word: string): number {
  const side = Number.parseFloat(word) * (word.endsWith('K') ? 1024 : 1);
  return side * side;
}

/** The one whose measures are smallest, the first of them counting most; measures within a hundredth are equal. */
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
  const sides = shorter >= sizes.leastSide && longer <= sizes.mostSide && longer / shorter <= sizes.mostRatio;
  return inSteps && sides && pixels >= sizes.leastPixels && pixels <= sizes.mostPixels;
}

/** A longer side than the ratio allows is cut. */
function withinRatio({ width, height }: Dimensions, most: number): Dimensions {
  return { width: Math.min(width, height * most), height: Math.min(height, width * most) };
}

/** In the order of preference; the last keeps every ratio that was kept before. */
function roundings({ width, height }: Dimensions, step: number): readonly Dimensions[] {
  const inSteps = (across: (value: number) => number, down = across): Dimensions => ({
    width: Math.max(step, across(width / step) * step),
    height: Math.max(step, down(height / step) * step),
  });
  const { ceil, floor, round } = Math;
  return [inSteps(round), inSteps(ceil), inSteps(floor), width > height ? inSteps(floor, ceil) : inSteps(ceil, floor)];
}
