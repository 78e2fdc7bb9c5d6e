import { type JsonObject, pixelCount, sizeOf, type PictureSize } from '@tallyport/sandbox';

export interface QwenRules {
  /** Minimum and maximum number of input images. */
  readonly inputs: readonly [least: number, most: number];
  /** The default size. */
  readonly size: PictureSize;
  /** All images are in one choice; otherwise each is in a separate choice. */
  readonly together: boolean;
  /** The vendor's error for these parameters; `undefined` if they are valid. */
  refuse(parameters: JsonObject): string | undefined;
}

const square = (side: number): PictureSize => ({ width: side, height: side });

const countRule =
  (most: number) =>
  ({ n = 1 }: JsonObject): string | undefined => {
    if (Number.isInteger(n) && Number(n) >= 1 && Number(n) <= most) return undefined;
    return most === 1 ? 'num_images_per_prompt must be 1' : `num_images_per_prompt must be in [1, ${most}]`;
  };

const sizeRule =
  (fits: (size: PictureSize) => boolean, said: string) =>
  ({ size }: JsonObject): string | undefined => {
    if (size === undefined) return undefined;
    const asked = sizeOf(size, '*');
    return asked !== undefined && fits(asked) ? undefined : `The size does not match the allowed size ${said}.`;
  };

const five = ['1664*928', '1472*1104', '1328*1328', '1104*1472', '928*1664'];

const fixedSizes = ({ size }: JsonObject): string | undefined =>
  size === undefined || five.includes(String(size))
    ? undefined
    : `The size does not match the allowed size ${five.join(',')}.`;

const freeSize = sizeRule(
  (size) => pixelCount(size) >= 512 * 512 && pixelCount(size) <= 2048 * 2048,
  'of 512*512 to 2048*2048 pixels',
);

const sideWithin = (least: number, most: number) =>
  sizeRule(
    ({ width, height }) => Math.min(width, height) >= least && Math.max(width, height) <= most,
    `of ${least} to ${most} a side`,
  );

const noSize = ({ size }: JsonObject): string | undefined =>
  size === undefined ? undefined : 'size is not supported by this model.';

const onlyOneWithSize = ({ size, n = 1 }: JsonObject): string | undefined =>
  size === undefined || n === 1 ? undefined : 'size is only supported when n is 1.';

type Rule = (parameters: JsonObject) => string | undefined;

const all =
  (...rules: readonly Rule[]): Rule =>
  (parameters) =>
    rules.map((rule) => rule(parameters)).find((fault) => fault !== undefined);

const edits = { inputs: [1, 3], size: square(1024), together: false } as const;
const free = { inputs: [0, 3], size: square(2048), together: true, refuse: all(countRule(6), freeSize) } as const;

/** The first pattern that matches a model's name applies. */
const lines: readonly (readonly [name: RegExp, rules: QwenRules])[] = [
  [/^qwen-image-edit-(plus|max)/, { ...edits, refuse: all(countRule(6), onlyOneWithSize, sideWithin(512, 2048)) }],
  [/^qwen-image-edit/, { ...edits, refuse: all(countRule(1), noSize) }],
  [/^qwen-image-[23]\.0/, free],
  [
    /^qwen-image(-plus|-max)?(-\d{4}-\d{2}-\d{2})?$/,
    { inputs: [0, 0], size: square(1328), together: true, refuse: all(countRule(1), fixedSizes) },
  ],
  [
    /^wan2\.\d/,
    { inputs: [0, 0], size: square(1280), together: false, refuse: all(countRule(4), sideWithin(512, 1440)) },
  ],
];

export const qwenRulesOf = (model: string): QwenRules | undefined => lines.find(([name]) => name.test(model))?.[1];
