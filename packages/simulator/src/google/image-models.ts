import { type JsonObject, objectsOf, type PictureSize } from '@tallyport/sandbox';
import { partsOf } from './content-strictness.ts';
import { googleInvalid } from './errors.ts';
import { unknownOf, type GoogleFinding } from './unknown.ts';

/** The sizes of one image model, and the tokens of its images. */
export interface ImageRules {
  /** Pixels by ratio, at the default size. */
  readonly ratios: Readonly<Record<string, PictureSize>>;
  /** By size: the factor for the default sides, and the tokens of one image. */
  readonly sizes: Readonly<Record<string, { readonly times: number; readonly tokens: number }>>;
  readonly usualTokens: number;
  readonly mostInputs: number;
  readonly instructions: boolean;
}

const sizesOf = (ratios: Readonly<Record<string, readonly [width: number, height: number]>>) =>
  Object.fromEntries(Object.entries(ratios).map(([ratio, [width, height]]) => [ratio, { width, height }]));

const ratios = sizesOf({
  '1:1': [1024, 1024],
  '2:3': [848, 1264],
  '3:2': [1264, 848],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1376],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
});

const olderRatios = sizesOf({
  '1:1': [1024, 1024],
  '2:3': [832, 1248],
  '3:2': [1248, 832],
  '3:4': [864, 1184],
  '4:3': [1184, 864],
  '4:5': [896, 1152],
  '5:4': [1152, 896],
  '9:16': [768, 1344],
  '16:9': [1344, 768],
  '21:9': [1536, 672],
});

const extremes = sizesOf({ '1:4': [512, 2048], '4:1': [2048, 512], '1:8': [384, 3072], '8:1': [3072, 384] });

const models: Readonly<Record<string, ImageRules>> = {
  'gemini-2.5-flash-image': {
    ratios: olderRatios,
    sizes: {},
    usualTokens: 1290,
    mostInputs: 3,
    instructions: false,
  },
  'gemini-3-pro-image': {
    ratios,
    sizes: { '1K': { times: 1, tokens: 1120 }, '2K': { times: 2, tokens: 1120 }, '4K': { times: 4, tokens: 2000 } },
    usualTokens: 1120,
    mostInputs: 14,
    instructions: true,
  },
  'gemini-3.1-flash-image': {
    ratios: { ...ratios, ...extremes },
    sizes: {
      '512': { times: 0.5, tokens: 747 },
      '1K': { times: 1, tokens: 1120 },
      '2K': { times: 2, tokens: 1680 },
      '4K': { times: 4, tokens: 2520 },
    },
    usualTokens: 1120,
    mostInputs: 14,
    instructions: true,
  },
  'gemini-nano-banana-2.1': {
    ratios: { ...ratios, ...extremes },
    sizes: { '1K': { times: 1, tokens: 1120 }, '2K': { times: 2, tokens: 1680 }, '4K': { times: 4, tokens: 2520 } },
    usualTokens: 1120,
    mostInputs: 14,
    instructions: true,
  },
};

export const imageRulesOf = (model: string): ImageRules | undefined => models[model];

/** True for retired or invented names of the image models. */
export const isUnknownImageModel = (model: string): boolean => model.includes('-image') && models[model] === undefined;

const modalities = ['TEXT', 'IMAGE', 'AUDIO'];

/** Checks the members that only image models support, or do not support. */
export function checkImageSettings(body: JsonObject, config: JsonObject, model: string): GoogleFinding {
  const { responseModalities: wanted, imageConfig } = config;
  const given = Array.isArray(wanted) ? wanted.map(String) : [];
  const wrong = given.find((modality) => !modalities.includes(modality));
  if (wrong !== undefined) return googleInvalid(`Invalid value at 'generation_config.response_modalities': "${wrong}"`);
  const rules = imageRulesOf(model);
  if (rules !== undefined) return checkImageModel(body, config, rules);
  if (given.includes('IMAGE') || imageConfig !== undefined)
    return googleInvalid(
      `The requested combination of response modalities (IMAGE) is not supported by the model models/${model}.`,
    );
  return undefined;
}

function checkImageModel(body: JsonObject, config: JsonObject, rules: ImageRules): GoogleFinding {
  if (!rules.instructions && body.systemInstruction !== undefined)
    return googleInvalid('Developer instruction is not enabled for this model.');
  if (objectsOf(body.tools).some((tool) => tool.functionDeclarations !== undefined))
    return googleInvalid('Function calling is not enabled for this model.');
  if (Number(config.candidateCount ?? 1) > 1)
    return googleInvalid('Multiple candidates is not enabled for this model.');
  if (config.responseMimeType === 'application/json') return googleInvalid('JSON mode is not enabled for this model.');
  const inputs = objectsOf(body.contents).flatMap((content) => partsOf(content, 'inlineData'));
  if (inputs.length > rules.mostInputs)
    return googleInvalid(`Too many images: at most ${rules.mostInputs} are supported, got ${inputs.length}.`);
  return checkImageConfig(config.imageConfig, rules);
}

function checkImageConfig(config: unknown, { ratios: known, sizes }: ImageRules): GoogleFinding {
  if (config === undefined) return undefined;
  const members = Object.fromEntries(Object.entries(config ?? {}));
  const unknown = unknownOf(members, ['aspectRatio', 'imageSize'], 'generation_config.image_config');
  if (unknown) return unknown;
  const { aspectRatio: ratio, imageSize: size } = members;
  if (ratio !== undefined && !Object.hasOwn(known, String(ratio)))
    return googleInvalid(`Invalid value at 'generation_config.image_config.aspect_ratio': "${String(ratio)}"`);
  if (size !== undefined && !Object.hasOwn(sizes, String(size)))
    return googleInvalid(`Invalid value at 'generation_config.image_config.image_size': "${String(size)}"`);
  return undefined;
}

/** Pixels and tokens of the requested image. */
export function requestedImage(imageConfig: JsonObject, rules: ImageRules): { size: PictureSize; tokens: number } {
  const { aspectRatio = '1:1', imageSize } = imageConfig;
  const { width, height } = rules.ratios[String(aspectRatio)] ?? { width: 1024, height: 1024 };
  const { times, tokens } = rules.sizes[String(imageSize)] ?? { times: 1, tokens: rules.usualTokens };
  return { size: { width: width * times, height: height * times }, tokens };
}
