import {
  bearerOf,
  isAcceptedKey,
  isObject,
  jsonOf,
  type FamilySettings,
  type ArrivedRequest,
  type VendorRoute,
  type RouteAnswer,
  createImageEncoder,
  redirectsIn,
  hasImageDirective,
} from '@tallyport/sandbox';
import { notJson } from '../refusals.ts';
import { resultRoute, resultUrl } from './results.ts';
import type { ImageTurn, ImageVendor } from './vendor.ts';
import { createAlibaba } from './vendors/alibaba.ts';
import { bytedanceImages } from './vendors/bytedance.ts';
import { togetherImages } from './vendors/together.ts';
import { xaiImages } from './vendors/xai.ts';
import { zaiImages } from './vendors/zai.ts';

/** The vendors with their own image format, and the downloads of their results. */
export function imageRoutes(settings: FamilySettings): VendorRoute[] {
  const vendors: readonly ImageVendor[] = [...createAlibaba(), bytedanceImages, togetherImages, xaiImages, zaiImages];
  const names = [...new Set(vendors.map(({ id }) => id))];
  return [...vendors.map((vendor) => routeOf(vendor, settings)), resultRoute(names, settings)];
}

function routeOf(vendor: ImageVendor, settings: FamilySettings): VendorRoute {
  const encode = createImageEncoder();
  return {
    method: vendor.method ?? 'POST',
    path: vendor.path,
    provider: vendor.id,
    faulty: true,
    dialect: vendor.dialect,
    answer: (request) => {
      if (!isAcceptedKey(bearerOf(request.headers), settings.apiKeys)) return { answer: vendor.dialect.failure(401) };
      const body = vendor.method === 'GET' ? {} : jsonOf(request.body.toString());
      if (!isObject(body)) return { answer: vendor.refusal(notJson) };
      return answerWith(vendor, { body, request, encode, ...publisherOf(request, settings) });
    },
  };
}

const dayInSeconds = 24 * 60 * 60;

function publisherOf(request: ArrivedRequest, settings: FamilySettings): Pick<ImageTurn, 'now' | 'publish'> {
  const now = settings.now();
  return {
    now,
    publish: (spec, prompt) => {
      const expires = hasImageDirective(prompt, 'expired') ? now - 1 : now + dayInSeconds;
      return resultUrl(spec, { request, expires, redirects: redirectsIn(prompt) });
    },
  };
}

function answerWith(vendor: ImageVendor, turn: ImageTurn): RouteAnswer {
  const model = typeof turn.body.model === 'string' ? { model: turn.body.model } : {};
  const result = vendor.answer(turn);
  if ('status' in result) return { ...model, answer: vendor.refusal(result) };
  return { ...model, answer: result.reply, ...(result.images > 0 && { images: result.images }) };
}
