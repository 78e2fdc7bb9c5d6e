import { randomUUID } from 'node:crypto';
import type { Entry } from '@tallyport/serving/cache';
import type { ExchangeAnswer } from '@tallyport/bus';
import { hitHeaders, jsonHeaders, metadataOf, offerOf } from '@tallyport/serving';
import { parseKeepingLongStrings, stringifyWithLongStrings } from '@tallyport/wire';
import { z } from 'zod';
import { leasedAnswer } from '../answer/leased-answer.ts';
import type { PlannedImages } from '../planned-images.ts';

const keptSchema = z.looseObject({
  created: z.number(),
  data: z.array(z.looseObject({ b64_json: z.string() })).min(1),
  usage: z.looseObject({}),
  metadata: z.object({ images: z.array(z.looseObject({})).optional(), style: z.looseObject({}).optional() }),
});

/** Longer strings are images and stay the stored bytes. */
const longStringBytes = 1024;

/** Builds the answer from another request's images, at no cost. Throws if the entry holds no images. */
export function imagesFrom({ body, provider }: Entry, { head, plan, planMs, lease }: PlannedImages): ExchangeAnswer {
  const { value, strings } = parseKeepingLongStrings([body], { threshold: longStringBytes, nonce: randomUUID });
  const kept = keptSchema.parse(value);
  const served = { head, plan, offer: offerOf(plan, provider) };
  const answer = {
    ...kept,
    usage: { ...kept.usage, cost: 0 },
    metadata: { ...metadataOf(served, []), cached: true, ...kept.metadata },
  };
  const headers = { ...jsonHeaders, ...hitHeaders(served, planMs) };
  return leasedAnswer({ status: 200, headers }, stringifyWithLongStrings(answer, strings), lease);
}
