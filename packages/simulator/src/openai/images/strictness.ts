import {
  blockedPrompt,
  openAiUnknownModel,
  type ImagesOperation,
  inputImageOf,
  pixelCount,
  sizeOf,
  stretchOf,
  type PictureSize,
  hasImageDirective,
  isObject,
  type JsonObject,
  invalidRequest,
  type ApiError,
} from '@tallyport/sandbox';
import { unknownMember } from '../../refusals.ts';
import { findFirst } from '../../finding.ts';
import {
  integerCheck,
  oneOfCheck,
  unknownParameter,
  wrongType,
  type Check,
  type OpenAiFinding,
} from '../value-checks.ts';

/** The first error that OpenAI would report for this body. */
export function findImageFault(body: JsonObject, operation: ImagesOperation): ApiError | undefined {
  return (
    checkModel(body, operation) ??
    checkNames(body, operation) ??
    checkPrompt(body.prompt) ??
    checkValues(body) ??
    checkByModel(body) ??
    checkSize(body) ??
    checkBackground(body) ??
    (operation === 'edits' ? (checkImages(body.images) ?? checkMask(body)) : undefined) ??
    (hasImageDirective(String(body.prompt), 'safety') ? blockedPrompt : undefined)
  );
}

const defaultModels: Readonly<Record<ImagesOperation, string>> = { generations: 'gpt-image-1', edits: 'gpt-image-1.5' };

function checkModel({ model }: JsonObject, operation: ImagesOperation): OpenAiFinding {
  const name = typeof model === 'string' ? model : defaultModels[operation];
  return /^(gpt-image|chatgpt-image)/.test(name) && !name.includes('unknown') ? undefined : openAiUnknownModel(name);
}

const text: Check = (param, value) => (typeof value === 'string' ? undefined : wrongType(param, 'a string', value));

const flag: Check = (param, value) => (typeof value === 'boolean' ? undefined : wrongType(param, 'a boolean', value));

const members: Readonly<Record<string, Check>> = {
  background: oneOfCheck(['auto', 'transparent', 'opaque']),
  complexity: oneOfCheck(['low', 'medium', 'high']),
  input_fidelity: oneOfCheck(['high', 'low']),
  moderation: oneOfCheck(['auto', 'low']),
  n: integerCheck(1, 10),
  output_compression: integerCheck(0, 100),
  output_format: oneOfCheck(['png', 'jpeg', 'webp']),
  partial_images: integerCheck(0, 3),
  quality: oneOfCheck(['auto', 'low', 'medium', 'high', 'xhigh', 'max']),
  safety_identifier: text,
  size: text,
  stream: flag,
  user: text,
};

const always = ['model', 'prompt', ...Object.keys(members).filter((name) => name !== 'input_fidelity')];

const known: Readonly<Record<ImagesOperation, readonly string[]>> = {
  generations: always,
  edits: [...always, 'images', 'mask', 'input_fidelity'],
};

function checkNames(body: JsonObject, operation: ImagesOperation): OpenAiFinding {
  const unknown = unknownMember(body, known[operation]);
  return unknown === undefined ? undefined : unknownParameter(unknown);
}

const maxPromptCharacters = 32_000;

function checkPrompt(prompt: unknown): OpenAiFinding {
  if (prompt === undefined || prompt === '')
    return invalidRequest("Missing required parameter: 'prompt'.", 'prompt', 'missing_required_parameter');
  if (typeof prompt !== 'string') return wrongType('prompt', 'a string', prompt);
  if (prompt.length <= maxPromptCharacters) return undefined;
  return invalidRequest(
    `Invalid 'prompt': string too long. Expected a string with maximum length ${maxPromptCharacters}, but got a string with length ${prompt.length} instead.`,
    'prompt',
    'string_above_max_length',
  );
}

function checkValues(body: JsonObject): OpenAiFinding {
  return findFirst(Object.entries(members), ([name, check]) => {
    const value = body[name];
    return value === undefined || value === null ? undefined : check(name, value);
  });
}

/** What only some generations take. */
function checkByModel({ model, quality, complexity, input_fidelity: fidelity }: JsonObject): OpenAiFinding {
  const name = String(model);
  if (fidelity !== undefined && /^gpt-image-(2|.*-mini)/.test(name)) return unknownParameter('input_fidelity');
  if (/^gpt-image-2\.[5-9]/.test(name)) return undefined;
  if (complexity !== undefined) return unknownParameter('complexity');
  return quality === undefined || quality === null
    ? undefined
    : oneOfCheck(['auto', 'low', 'medium', 'high'])('quality', quality);
}

const sizes = ['1024x1024', '1024x1536', '1536x1024', 'auto'];

function checkSize({ size, model }: JsonObject): OpenAiFinding {
  if (size === undefined || size === null || size === 'auto') return undefined;
  if (!String(model).startsWith('gpt-image-2')) return oneOfCheck(sizes)('size', size);
  const wanted = sizeOf(size);
  return wanted !== undefined && isFree(wanted) ? undefined : wrongSize(size);
}

const isFree = (size: PictureSize): boolean =>
  size.width % 16 === 0 && size.height % 16 === 0 && stretchOf(size) <= 3 && pixelCount(size) <= 3840 * 2160;

const wrongSize = (size: unknown): ApiError =>
  invalidRequest(`Invalid size '${String(size)}'.`, 'size', 'invalid_value');

function checkBackground({ background, output_format: format }: JsonObject): OpenAiFinding {
  if (background !== 'transparent' || format !== 'jpeg') return undefined;
  return invalidRequest('Transparent background is not supported for the JPEG format.', 'background', 'invalid_value');
}

const maxImages = 16;
const maxCharacters = 20_971_520;

function checkImages(images: unknown): OpenAiFinding {
  if (!Array.isArray(images) || images.length === 0)
    return invalidRequest("Missing required parameter: 'images'.", 'images', 'missing_required_parameter');
  if (images.length > maxImages)
    return invalidRequest(
      `Invalid 'images': array too long. Expected an array with maximum length ${maxImages}, but got an array with length ${images.length} instead.`,
      'images',
      'array_above_max_length',
    );
  return findFirst(images, (image: unknown, index) => checkImage(image, `images[${index}]`));
}

function checkImage(image: unknown, at: string): OpenAiFinding {
  if (!isObject(image)) return wrongType(at, 'an object', image);
  if ((image.image_url === undefined) === (image.file_id === undefined))
    return invalidRequest(`Provide exactly one of 'image_url' and 'file_id'.`, at, 'invalid_value');
  const input = inputImageOf(image.image_url);
  if (input === undefined)
    return invalidRequest('Invalid image file or mode.', `${at}.image_url`, 'invalid_image_file');
  if (input.characters <= maxCharacters) return undefined;
  return invalidRequest('The image is too large.', `${at}.image_url`, 'string_above_max_length');
}

const maskBytes = 4 * 1024 * 1024;

/** A mask is a PNG of the size of the first image. */
function checkMask({ mask, images }: JsonObject): OpenAiFinding {
  if (mask === undefined || mask === null) return undefined;
  const fault = checkImage(mask, 'mask');
  if (fault) return fault;
  const masked = pngOf(mask);
  if (masked === undefined) return invalidRequest('Invalid mask image format.', 'mask', 'invalid_image_format');
  if (masked.length > maskBytes) return invalidRequest('The mask is too large.', 'mask', 'invalid_image_file');
  const first = pngOf(Array.isArray(images) ? images[0] : undefined);
  if (first === undefined || pngSize(first).equals(pngSize(masked))) return undefined;
  return invalidRequest('Mask size must match the size of the image.', 'mask', 'invalid_mask_image_size');
}

function pngOf(image: unknown): Buffer | undefined {
  const [, base64] = /^data:image\/png;base64,(.*)$/s.exec(String(isObject(image) ? image.image_url : '')) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Width and height in the header. */
const pngSize = (png: Buffer): Buffer => png.subarray(16, 24);
