import type { ImageAbilities } from '../spec/image-provider.ts';
import { inputsOf } from '../images/inputs.ts';

const maxSeed = 2_147_483_647;

/** Text-to-image models with five fixed sizes and one image per call. */
const first: ImageAbilities = {
  sizes: { kind: 'fixed', sizes: ['1328x1328', '1664x928', '1472x1104', '1104x1472', '928x1664'] },
  mostPerCall: 1,
  config: ['image_size', 'n', 'seed'],
  maxImages: 4,
  maxSeed,
  transparency: false,
  outputFormats: [],
  maxPromptLength: 800,
};

const squares = (least: number, most: number) => ({ leastPixels: least * least, maxPixels: most * most });

const inputs = inputsOf({ count: 3, bytes: 10 * 1024 * 1024, totalBytes: 30 * 1024 * 1024 });

const second: ImageAbilities = {
  ...first,
  // The vendor limits the number of pixels, not the sides: it recommends 2688*1536 for 16:9.
  sizes: { kind: 'free', minSide: 512, maxSide: 4096, multipleOf: 16, ...squares(512, 2048), maxRatio: 4 },
  mostPerCall: 6,
  inputs,
};

const edits: ImageAbilities = {
  ...second,
  sizes: { kind: 'free', minSide: 512, maxSide: 2048, multipleOf: 16, ...squares(512, 2048), maxRatio: 4 },
  mostPerCall: 1,
  editsOnly: true,
};

const wan: ImageAbilities = {
  ...first,
  sizes: { kind: 'free', minSide: 512, maxSide: 1440, multipleOf: 16, ...squares(512, 1440), maxRatio: 2.5 },
  mostPerCall: 4,
};

/** The first pattern that matches a model's name applies; models newer than this table use the newest of their kind. */
const models: readonly (readonly [RegExp, ImageAbilities])[] = [
  // These models accept a size only for a single image, so each image is a separate call.
  [/^qwen-image-edit-(plus|max)/, edits],
  [/^qwen-image-edit/, { ...edits, sizes: { kind: 'none' }, config: ['n', 'seed'], inputs: { ...inputs, count: 1 } }],
  [/^qwen-image(-plus|-max)?(-\d{4}|$)/, first],
  [/^wan/, wan],
];

export const abilitiesOf = (modelName: string): ImageAbilities =>
  models.find(([names]) => names.test(modelName))?.[1] ?? second;

/** True for older models, which run as jobs and are polled until they finish. */
export const runsAsJob = (modelName: string): boolean => /^wanx|^wan2\.[1-5]/.test(modelName);
