import { expect, test } from 'vitest';
import { jpeg } from '../testing/image-formats.ts';
import { imageContextOf, imageOfferOf } from '../testing/images.ts';
import { xaiImage } from './image.ts';

const read = (body: unknown) => xaiImage.response(body, imageContextOf(xaiImage, 'grok-imagine-image'));

test('reads a blocked image among good ones, and the cost', () => {
  const body = {
    data: [{ b64_json: jpeg, mime_type: 'image/jpeg', respect_moderation: true }, { respect_moderation: false }],
    usage: { cost_in_usd_ticks: 400_000_000 },
  };
  expect(read(body)).toMatchObject({
    images: [{ source: { base64: jpeg, mediaType: 'image/jpeg' } }],
    failures: [{ code: 'content_policy_violation' }],
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: 0.04 },
  });
});

test('gives the old model one size and no edits', () => {
  const { sizes, inputs } = xaiImage.abilities(imageOfferOf(xaiImage, 'grok-2-image'));
  expect({ sizes, inputs }).toEqual({ sizes: { kind: 'none' }, inputs: undefined });
});
