import type { ImageAbilities } from '../image-provider.ts';
import { inputsOf } from '../images/inputs.ts';

const mostSeed = 2_147_483_647;

/** Text to image in five sizes, one image a call. */
const first: ImageAbilities = {
  sizes: { kind: 'fixed', sizes: ['1328x1328', '1664x928', '1472x1104', '1104x1472', '928x1664'] },
  mostPerCall: 1,
  config: ['image_size', 'n', 'seed'],
  mostWanted: 4,
  mostSeed,
  transparency: false,
  outputFormats: [],
  mostPrompt: 800,
};

const squares = (least: number, most: number) => ({ leastPixels: least * least, mostPixels: most * most });

const inputs = inputsOf({ count: 3, bytes: 10 * 1024 * 1024, totalBytes: 30 * 1024 * 1024 });

const second: ImageAbilities = {
  ...first,
  sizes: { kind: 'free', leastSide: 512, mostSide: 2048, multipleOf: 16, ...squares(512, 2048), mostRatio: 4 },
  mostPerCall: 6,
  mostWanted: 6,
  inputs,
};

const edits: ImageAbilities = { ...second, mostPerCall: 1, onlyEdits: true };

const wan: ImageAbilities = {
  ...first,
  sizes: { kind: 'free', leastSide: 512, mostSide: 1440, multipleOf: 16, ...squares(512, 1440), mostRatio: 2.5 },
  mostPerCall: 4,
};

/** By name, the first that fits; whatever is newer than this table follows the newest of its kind. */
const models: readonly (readonly [RegExp, ImageAbilities])[] = [
  // These take a size only for a single image, so that each image is a call.
  [/^qwen-image-edit-(plus|max)/, edits],
  [/^qwen-image-edit/, { ...edits, sizes: { kind: 'none' }, config: ['n', 'seed'], inputs: { ...inputs, count: 1 } }],
  [/^qwen-image(-plus|-max)?(-\d{4}|$)/, first],
  [/^wan/, wan],
];

export const abilitiesOf = (modelName: string): ImageAbilities =>
  models.find(([names]) => names.test(modelName))?.[1] ?? second;

/** Older models only take orders and are asked again until they are done. */
export const runsAsJob = (modelName: string): boolean => /^wanx|^wan2\.[1-5]/.test(modelName);
