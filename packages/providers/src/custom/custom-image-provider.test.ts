import { expect, test } from 'vitest';
import { png } from '../testing/image-formats.ts';
import { imageCallOf, imageContextOf, imageOfferOf } from '../testing/images.ts';
import { customImageProvider } from './custom-image-provider.ts';

const provider = customImageProvider({ id: 'own', baseUrl: 'https://a.example/v1', keyVariable: 'OWN' });

test('sends the request unchanged', () => {
  const call = imageCallOf({ size: '777x333', quality: 'low', style: 'natural', n: 2 });
  const { path, body } = provider.request(call, imageOfferOf(provider, 'sd'));
  expect(path).toBe('/images/generations');
  expect(JSON.parse(body)).toEqual({
    model: 'sd',
    prompt: 'A red bird',
    n: 2,
    size: '777x333',
    quality: 'low',
    style: 'natural',
    response_format: 'b64_json',
  });
});

test('reads images as base64 and as URLs', () => {
  const body = { data: [{ b64_json: png }, { url: 'https://a.example/1.png' }, { b64_json: '', url: null }] };
  expect(provider.response(body, imageContextOf(provider, 'sd'))).toMatchObject({
    images: [{ source: { base64: png } }, { source: { url: 'https://a.example/1.png' } }],
  });
});
