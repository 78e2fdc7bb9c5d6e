import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ImageBench, imageModelEntry, startImageBench } from './testing/image-bench.ts';
import { pictureBytes, pictureOf } from './testing/pictures.ts';

const [sandbox] = imageModelEntry().offers;
const mixed = imageModelEntry({
  id: 'mixed',
  offers: [
    { ...sandbox!, providerId: 'xai', modelName: 'grok-imagine-image' },
    { ...sandbox!, providerId: 'openai', modelName: 'gpt-image-1' },
  ],
});
const withoutMasks = imageModelEntry({ id: 'without-masks', offers: mixed.offers.slice(0, 1) });

let bench: ImageBench;
beforeAll(async () => {
  const catalogue = { version: '1', models: [imageModelEntry(), mixed, withoutMasks] };
  bench = await startImageBench({ catalogue, environment: { CACHE_IMAGES: 'true' } });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const edit = { model: 'sandbox-image', prompt: 'a hat' };
const sent = () => bench.simulator.requests.map(({ provider, body }) => ({ provider, body: JSON.parse(body) }));

test('the mask reaches the provider with the image, from JSON and from a form', async () => {
  const [image, mask] = [await pictureOf('png'), await pictureOf('png')];
  const json = await bench.edit({ ...edit, images: [{ image_url: image }], mask: { image_url: mask } });
  const form = new FormData();
  for (const [name, value] of Object.entries(edit)) form.set(name, value);
  form.set('image', new Blob([await pictureBytes('png')]), 'a.png');
  form.set('mask', new Blob([await pictureBytes('png')]), 'mask.png');
  const response = new Response(form);
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  const formed = await bench.edit(Buffer.from(await response.arrayBuffer()), { headers });
  expect([json.status, formed.body.data]).toEqual([200, json.body.data]);
  const expected = expect.objectContaining({ images: [{ image_url: image }], mask: { image_url: mask } });
  expect(sent().map(({ body }) => body)).toEqual([expected, expected]);
});

test('only offers that take masks are tried', async () => {
  const images = [{ image_url: await pictureOf('png') }];
  const body = { ...edit, model: 'mixed', images, mask: { image_url: await pictureOf('png') } };
  expect((await bench.edit(body)).headers['x-tallyport-provider']).toBe('openai');
  const { error } = await bench.edit({ ...body, model: 'without-masks' });
  expect([error?.code, error?.param, error?.message]).toEqual([
    'unsupported_parameter',
    'mask',
    'mask: grok-imagine-image of xai does not support masks; omit it and describe the change in the prompt.',
  ]);
  expect(sent().map(({ provider }) => provider)).toEqual(['openai']);
});

test('requests that differ in their mask are not the same for the cache', async () => {
  const principal = { accountId: 'account', keyId: 'key' };
  const images = [{ image_url: await pictureOf('png') }];
  const masked = { ...edit, images, mask: { image_url: await pictureOf('png') } };
  const cacheOf = async (body: object) => (await bench.edit(body, { principal })).headers['x-tallyport-cache'];
  expect([await cacheOf(masked), await cacheOf({ ...edit, images }), await cacheOf(masked)]).toEqual([
    'MISS',
    'MISS',
    'HIT',
  ]);
});
