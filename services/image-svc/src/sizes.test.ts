import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClientAnswer, type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureOf } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

/** The sizes that an answer reports, and those of its pixels. */
async function sizesIn({ status, body }: ClientAnswer) {
  const pixels = body.data.map(async ({ b64_json: base64 }) => {
    const { width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
    return `${width}x${height}`;
  });
  const { images } = (body['metadata'] ?? {}) as { images?: unknown };
  return { status, size: body['size'], pixels: await Promise.all(pixels), images };
}

const generated = async (model: string, changes: object) =>
  sizesIn(await bench.generate({ model, prompt: 'a lamp', ...changes }));

describe('the requested size', () => {
  test.each([
    // Made by the vendor.
    ['gpt-image-1', '1536x1024', undefined],
    ['gpt-image-2', '2048x1152', undefined],
    ['qwen-image-plus', '1664x928', undefined],
    ['qwen-image-2.0', '2688x1536', undefined],
    ['seedream-4-0-250828', '1024x1024', undefined],
    ['gemini-2.5-flash-image', '1024x1024', undefined],
    ['cogview-4-250304', '2048x1024', undefined],
    ['black-forest-labs/FLUX.1-schnell', '1536x1024', undefined],
    // Scaled down from a larger one.
    ['gpt-image-1', '512x512', '1024x1024'],
    ['gpt-image-2', '1920x1080', '1920x1088'],
    ['gpt-image-2', '1000x1000', '1008x1008'],
    ['qwen-image-plus', '1024x1024', '1328x1328'],
    ['qwen-image-plus', '1280x720', '1664x928'],
    ['qwen-image-2.0', '1000x1000', '1008x1008'],
    ['wan2.2-t2i-flash', '1000x1000', '1008x1008'],
    ['seedream-4-5-251128', '1024x1024', '1920x1920'],
    ['gemini-2.5-flash-image', '512x512', '1024x1024'],
    ['google/gemini-2.5-flash-image', '512x512', '1024x1024'],
    ['grok-imagine-image', '1000x1000', '1024x1024'],
    ['grok-2-image', '640x640', '1024x1024'],
    ['cogview-4-250304', '500x500', '512x512'],
    ['glm-image', '512x512', '1024x1024'],
    ['black-forest-labs/FLUX.1-schnell', '250x250', '1024x1024'],
  ])('%s makes %s (from %s)', async (model, size, originalSize) => {
    const images = originalSize && [{ requested_size: size, size, made_size: originalSize }];
    expect(await generated(model, { size })).toEqual({ status: 200, size, pixels: [size], images });
  });

  test('applies to each image, and to edits', async () => {
    const image = { requested_size: '1024x1024', size: '1024x1024', made_size: '1328x1328' };
    expect(await generated('qwen-image-plus', { size: '1024x1024', n: 2 })).toEqual({
      status: 200,
      size: '1024x1024',
      pixels: ['1024x1024', '1024x1024'],
      images: [image, image],
    });
    const images = [{ image_url: await pictureOf('png') }];
    const edited = await bench.edit({ model: 'seedream-4-5-251128', prompt: 'a lamp', size: '1024x1024', images });
    expect(await sizesIn(edited)).toEqual({
      status: 200,
      size: '1024x1024',
      pixels: ['1024x1024'],
      images: [{ requested_size: '1024x1024', size: '1024x1024', made_size: '1920x1920' }],
    });
  });

  test.each(['png', 'jpeg', 'webp'])('can be combined with %s', async (output_format) => {
    const answer = await bench.generate({ model: 'qwen-image-plus', prompt: 'x', size: '1024x1024', output_format });
    const [image] = answer.body.data;
    const { width, height, format } = await sharp(Buffer.from(image?.b64_json ?? '', 'base64')).metadata();
    expect([width, height, format, answer.body['output_format']]).toEqual([1024, 1024, output_format, output_format]);
  });
});

describe('another size is returned as the vendor made it, and reported', () => {
  test.each([
    ['of another ratio', 'qwen-image-plus', '1024x1536', '1104x1472'],
    ['of another ratio', 'gpt-image-1', '1792x1024', '1536x1024'],
    ['that is larger', 'qwen-image-plus', '2048x2048', '1328x1328'],
    ['that is larger', 'gemini-2.5-flash-image', '2048x2048', '1024x1024'],
    ['that is larger', 'cogview-4-250304', '2048x2048', '1440x1440'],
  ])('%s: %s, %s becomes %s', async (_why, model, requested, made) => {
    expect(await generated(model, { size: requested })).toEqual({
      status: 200,
      size: made,
      pixels: [made],
      images: [{ requested_size: requested, size: made }],
    });
  });
});

test.each([undefined, 'auto'])('size %s lets the vendor choose', async (size) => {
  expect(await generated('qwen-image-plus', { size })).toEqual({
    status: 200,
    size: '1328x1328',
    pixels: ['1328x1328'],
    images: undefined,
  });
});

describe('an image is scaled up to IMAGE_MAX_PIXELS, and returned as it was made beyond that', () => {
  test.each([
    ['with exactly as many', 1328 * 1328, { size: '1024x1024', made_size: '1328x1328' }],
    ['with one more', 1328 * 1328 - 1, { size: '1328x1328' }],
  ])('%s', async (_name, maxPixels, expected) => {
    const limited = await startImageBench({ environment: { IMAGE_MAX_PIXELS: String(maxPixels) } });
    const answer = await limited.generate({ model: 'qwen-image-plus', prompt: 'a lamp', size: '1024x1024' });
    expect(await sizesIn(answer)).toEqual({
      status: 200,
      size: expected.size,
      pixels: [expected.size],
      images: [{ requested_size: '1024x1024', ...expected }],
    });
    await limited.close();
  });
});
