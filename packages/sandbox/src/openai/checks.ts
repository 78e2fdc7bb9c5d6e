import { inputImageOf } from '../images/input.ts';
import { sizeOf } from '../images/size.ts';
import { hasImageDirective } from '../images/directives.ts';
import { isObject, type JsonObject, objectsOf } from '../json.ts';
import { type ApiError, invalidRequest } from './errors.ts';
import type { ImagesOperation } from './provider.ts';

/** Refuses a chat without messages and a very large `n`. */
export function refuseUnanswerableChat({ messages, n }: JsonObject): ApiError | undefined {
  if (messages === undefined) return missing('messages');
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isObject))
    return invalid('messages', 'expected an array of objects with at least one of them');
  return refuseCount(n, 128);
}

export function refuseUnanswerableImages(body: JsonObject, operation: ImagesOperation): ApiError | undefined {
  const { prompt, n, size, images } = body;
  if (typeof prompt !== 'string' || prompt === '') return missing('prompt');
  const given = objectsOf(images);
  if (operation === 'edits' && given.length === 0) return missing('images');
  if (given.some((image) => inputImageOf(image.image_url) === undefined))
    return invalidRequest('Invalid image file or mode.', 'images', 'invalid_image_file');
  if (!isDrawable(size)) return invalid('size', `expected up to ${longestSide}x${longestSide}`);
  return refuseCount(n, 10) ?? (hasImageDirective(prompt, 'safety') ? blockedPrompt : undefined);
}

export const blockedPrompt: ApiError = {
  ...invalidRequest(
    'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_simulated. safety_violations=[violence].',
    null,
    'moderation_blocked',
  ),
  type: 'image_generation_user_error',
};

const missing = (param: string): ApiError =>
  invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');

const invalid = (param: string, reason: string): ApiError =>
  invalidRequest(`Invalid '${param}': ${reason}.`, param, 'invalid_value');

function refuseCount(n: unknown, most: number): ApiError | undefined {
  const fits = n === undefined || n === null || (Number.isInteger(n) && Number(n) >= 1 && Number(n) <= most);
  return fits ? undefined : invalid('n', `expected an integer from 1 to ${most}`);
}

const longestSide = 4096;

function isDrawable(size: unknown): boolean {
  if (size === undefined || size === null || size === 'auto') return true;
  const { width = Infinity, height = Infinity } = sizeOf(size) ?? {};
  return Math.max(width, height) <= longestSide;
}
