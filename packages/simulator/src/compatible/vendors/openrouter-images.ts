import {
  emptyChoice,
  makeImage,
  inputImageOf,
  imageSpecOf,
  hasImageDirective,
  isObject,
  objectsOf,
  type JsonObject,
  type Choice,
  invalidRequest,
  type ApiError,
} from '@tallyport/sandbox';
import { ratioSize } from '../../ratio.ts';
import type { VendorChat } from '../vendor.ts';

const makesImages = ({ model }: JsonObject): boolean => /image|flux|seedream|riverflow/.test(String(model));

const wantsImages = ({ modalities }: JsonObject): boolean => Array.isArray(modalities) && modalities.includes('image');

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9', '1:4', '4:1', '1:8', '8:1'];
const sides: Readonly<Record<string, number>> = { '0.5K': 512, '1K': 1024, '2K': 2048, '4K': 4096 };

export function refuseImageSettings(body: JsonObject): ApiError | undefined {
  if (wantsImages(body) && !makesImages(body))
    return {
      ...invalidRequest('No endpoints found that support the requested output modalities: image, text', null),
      status: 404,
    };
  const { image_config: config } = body;
  if (!isObject(config)) return undefined;
  const { aspect_ratio: ratio = '1:1', image_size: size = '1K' } = config;
  const known = ratios.includes(String(ratio)) && Object.hasOwn(sides, String(size));
  return known ? undefined : invalidRequest('Invalid image_config.', 'image_config');
}

/** An image beside text, or without text if only images are requested. */
export function openRouterImage({ body, question }: VendorChat): Choice | undefined {
  if (!makesImages(body) || !wantsImages(body)) return undefined;
  const { lastText: prompt } = question;
  const words = (body.modalities as unknown[]).includes('text') ? 'Here is a simulated image.' : '';
  const choice: Choice = { ...emptyChoice, content: words };
  if (hasImageDirective(prompt, 'safety'))
    return { ...choice, content: null, refusal: 'The image was blocked.', finishReason: 'refusal' };
  if (hasImageDirective(prompt, 'no-image') || hasImageDirective(prompt, 'text-only'))
    return { ...choice, content: 'I only talk about it.' };
  const image = makeImage(imageSpecOf(orderOf(body, prompt), 0));
  return { ...choice, images: [{ mediaType: 'image/png', base64: image.toString('base64') }] };
}

function orderOf(body: JsonObject, prompt: string) {
  const config = isObject(body.image_config) ? body.image_config : {};
  const parts = objectsOf(body.messages).flatMap(({ content }) => objectsOf(content));
  const urls = parts.map(({ image_url: image }) => (isObject(image) ? image.url : undefined));
  return {
    provider: 'openrouter',
    prompt,
    inputs: urls.flatMap((url) => inputImageOf(url) ?? []),
    size: ratioSize(String(config.aspect_ratio ?? '1:1'), sides[String(config.image_size)] ?? 1024),
    format: 'png' as const,
    seed: body.seed,
  };
}
