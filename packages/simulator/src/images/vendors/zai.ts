import {
  jsonReply,
  type JsonObject,
  invalidRequest,
  type ApiError,
  imageSpecOf,
  pixelCount,
  sizeOf,
  type PictureSize,
  hasImageDirective,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf } from '../../compatible/dialect.ts';
import { refuseMembers } from '../../refusals.ts';
import { zaiVendor } from '../../compatible/vendors/zai.ts';
import type { ImageVendor } from '../vendor.ts';

interface Rules {
  readonly qualities: readonly string[];
  readonly size: PictureSize;
  readonly minSide: number;
  readonly multipleOf: number;
  readonly maxPixels: number;
  /** Sizes that are accepted although they are not multiples. */
  readonly others: readonly string[];
}

const rulesOf: Readonly<Record<string, Rules>> = {
  'glm-image': {
    qualities: ['hd'],
    size: { width: 1280, height: 1280 },
    minSide: 1024,
    multipleOf: 32,
    maxPixels: 2 ** 22,
    others: ['1568x1056', '1056x1568', '960x1728', '1728x960'],
  },
  'cogview-4-250304': {
    qualities: ['standard', 'hd'],
    size: { width: 1024, height: 1024 },
    minSide: 512,
    multipleOf: 16,
    maxPixels: 2 ** 21,
    others: [],
  },
};

/** One image per call, returned as a URL. */
export const zaiImages: ImageVendor = {
  id: 'zai',
  path: /^\/zai\/api\/paas\/v4\/images\/generations$/,
  dialect: dialectOf(zaiVendor),
  refusal: (error) => refusalOf(zaiVendor, error),
  answer: ({ body, request, now, publish }) => {
    const rules = rulesOf[String(body.model)];
    if (rules === undefined) return refuse('Unknown Model, please check the model code.', '1211');
    const fault = findFault(body, rules);
    if (fault) return fault;
    const prompt = String(body.prompt);
    const order = { provider: request.provider, prompt, inputs: [], size: sizeOf(body.size) ?? rules.size };
    const url = publish(imageSpecOf({ ...order, format: 'png' }, 0), prompt);
    const data = hasImageDirective(prompt, 'no-image') ? [] : [{ url }];
    const reply = jsonReply(200, {
      created: now,
      data,
      content_filter: [{ role: 'assistant', level: 3 }],
      id: 'simulated',
      request_id: 'simulated',
    });
    return { reply, images: data.length };
  },
};

function refuse(message: string, code = '1210'): ApiError {
  return invalidRequest(message, null, code);
}

function findFault(body: JsonObject, rules: Rules): ApiError | undefined {
  const { prompt } = body;
  const unknown = refuseMembers(body, ['n', 'image', 'images', 'response_format', 'style', 'seed']);
  if (unknown) return refuse(`Invalid API parameter: ${unknown.param}.`);
  if (typeof prompt !== 'string' || prompt === '') return refuse('prompt must not be empty');
  return checkSettings(body, rules) ?? (hasImageDirective(prompt, 'safety') ? sensitive : undefined);
}

const sensitive = refuse('System detected potentially unsafe or sensitive content in input or generation.', '1301');

function checkSettings({ quality, size, user_id: user }: JsonObject, rules: Rules): ApiError | undefined {
  if (quality !== undefined && !rules.qualities.includes(String(quality)))
    return refuse(`quality must be one of ${rules.qualities.join(', ')}`);
  if (size !== undefined && !fits(size, rules)) return refuse('size is invalid');
  const named = user === undefined || (typeof user === 'string' && user.length >= 6 && user.length <= 128);
  return named ? undefined : refuse('user_id must have 6 to 128 characters');
}

function fits(text: unknown, { minSide, multipleOf, maxPixels, others }: Rules): boolean {
  const size = sizeOf(text);
  if (size === undefined) return false;
  const sides = [size.width, size.height];
  const free = sides.every((side) => side >= minSide && side <= 2048 && side % multipleOf === 0);
  return others.includes(String(text)) || (free && pixelCount(size) <= maxPixels);
}
