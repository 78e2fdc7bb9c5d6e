import { expect, test } from 'vitest';
import { jpeg } from '../testing/image-formats.ts';
import { imageContextOf } from '../testing/images.ts';
import { bytedanceImage } from './image.ts';

const read = (body: unknown) => bytedanceImage.response(body, imageContextOf(bytedanceImage, 'seedream-4-0-250828'));
const blocked = { error: { code: 'OutputImageSensitiveContentDetected', message: 'Sensitive.' } };
const broken = { error: { code: 'InternalServiceError', message: 'Oh.' } };

test('reads a failed image among good ones', () => {
  const body = {
    data: [{ b64_json: jpeg, size: '2048x2048' }, blocked],
    usage: { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 },
  };
  expect(read(body)).toMatchObject({
    kind: 'made',
    images: [{ source: { base64: jpeg, mediaType: 'image/jpeg' }, size: '2048x2048' }],
    failures: [{ code: 'content_policy_violation', domain: 'policy' }],
    usage: { input_tokens: 0, output_tokens: 16_384, total_tokens: 16_384 },
  });
});

test('is a refusal if all were refused, and a provider fault if one only failed', () => {
  expect(() => read({ data: [blocked, blocked] })).toThrow(expect.objectContaining({ domain: 'policy', status: 400 }));
  expect(() => read({ data: [blocked, broken] })).toThrow(expect.objectContaining({ domain: 'provider' }));
});
