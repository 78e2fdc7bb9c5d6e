import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sampleImageProviders } from '@tallyport/simulator';
import { partOf } from '../../../tests/support/scale.ts';
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

/** Of requests, and how images of the model become those. */
const otherSizes: [model: string, size: string, changes: object][] = [
  // Scaled down from a larger one.
  ['gpt-image-1', '512x512', { made_size: '1024x1024', scale: 0.5 }],
  ['gpt-image-2', '1920x1080', { made_size: '1920x1088', cropped_size: '1920x1080' }],
  ['gpt-image-2', '1000x1000', { made_size: '1008x1008', scale: 0.992 }],
  ['qwen-image-plus', '1024x1024', { made_size: '1328x1328', scale: 0.771 }],
  ['qwen-image-2.0', '1000x1000', { made_size: '1008x1008', scale: 0.992 }],
  ['wan2.2-t2i-flash', '1000x1000', { made_size: '1008x1008', scale: 0.992 }],
  ['seedream-4-5-251128', '1024x1024', { made_size: '1920x1920', scale: 0.533 }],
  ['gemini-2.5-flash-image', '512x512', { made_size: '1024x1024', scale: 0.5 }],
  ['google/gemini-2.5-flash-image', '512x512', { made_size: '1024x1024', scale: 0.5 }],
  ['grok-imagine-image', '1000x1000', { made_size: '1024x1024', scale: 0.977 }],
  ['grok-2-image', '640x640', { made_size: '1024x1024', scale: 0.625 }],
  ['cogview-4-250304', '500x500', { made_size: '512x512', scale: 0.977 }],
  ['glm-image', '512x512', { made_size: '1024x1024', scale: 0.5 }],
  ['black-forest-labs/FLUX.1-schnell', '250x250', { made_size: '1024x1024', scale: 0.244 }],
  // Cropped from the nearest ratio.
  ['qwen-image-plus', '1280x720', { made_size: '1664x928', cropped_size: '1650x928', scale: 0.776 }],
  ['qwen-image-plus', '1024x1536', { made_size: '1104x1472', cropped_size: '981x1472', scale: 1.043 }],
  ['qwen-image-plus', '1536x1024', { made_size: '1472x1104', cropped_size: '1472x981', scale: 1.043 }],
  ['gpt-image-1', '1792x1024', { made_size: '1536x1024', cropped_size: '1536x878', scale: 1.167 }],
  // Enlarged from the largest one.
  ['qwen-image-plus', '2048x2048', { made_size: '1328x1328', scale: 1.542 }],
  ['gemini-2.5-flash-image', '2048x2048', { made_size: '1024x1024', scale: 2 }],
  ['cogview-4-250304', '2048x2048', { made_size: '1440x1440', scale: 1.422 }],
  ['gpt-image-1', '4096x4096', { made_size: '1024x1024', scale: 4 }],
];

describe('the requested size', () => {
  test.each([
    ['gpt-image-1', '1536x1024'],
    ['gpt-image-2', '2048x1152'],
    ['qwen-image-plus', '1664x928'],
    ['qwen-image-2.0', '2688x1536'],
    ['seedream-4-0-250828', '1024x1024'],
    ['gemini-2.5-flash-image', '1024x1024'],
    ['cogview-4-250304', '2048x1024'],
    ['black-forest-labs/FLUX.1-schnell', '1536x1024'],
  ])('%s makes %s itself', async (model, size) => {
    expect(await generated(model, { size })).toEqual({ status: 200, size, pixels: [size], images: undefined });
  });

  test.each(partOf(otherSizes, { one: 3 }))('%s makes %s from another size: %j', async (model, size, changes) => {
    const images = [{ requested_size: size, size, ...changes }];
    expect(await generated(model, { size })).toEqual({ status: 200, size, pixels: [size], images });
  });

  test('applies to each image, and to edits', async () => {
    const image = { requested_size: '1024x1024', size: '1024x1024', made_size: '1328x1328', scale: 0.771 };
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
      images: [{ requested_size: '1024x1024', size: '1024x1024', made_size: '1920x1920', scale: 0.533 }],
    });
  });

  test.each(['png', 'jpeg', 'webp'])('can be combined with %s', async (output_format) => {
    const answer = await bench.generate({ model: 'qwen-image-plus', prompt: 'x', size: '1024x1024', output_format });
    const [image] = answer.body.data;
    const { width, height, format } = await sharp(Buffer.from(image?.b64_json ?? '', 'base64')).metadata();
    expect([width, height, format, answer.body['output_format']]).toEqual([1024, 1024, output_format, output_format]);
  });
});

/** The sizes that the interface names for any model. */
const namedSizes = ['1024x1024', '1024x1536', '1536x1024', '2048x1024', '1024x2048', '2048x2048'];
const editedSizes = namedSizes.slice(0, 3);
const editOnly = 'qwen-image-edit';
const withoutEdits = ['qwen-image-plus', 'wan2.2-t2i-flash', 'grok-2-image', 'cogview-4-250304', 'glm-image'];
const models = sampleImageProviders.flatMap(({ modelNames }) => modelNames);

describe.each(partOf(models, { one: 4 }))('%s', (model) => {
  test.runIf(model !== editOnly)('makes every size that the interface names', async () => {
    const made = namedSizes.map((size) => generated(model, { size }));
    const whole = namedSizes.map((size) => expect.objectContaining({ size, pixels: [size] }));
    expect(await Promise.all(made)).toEqual(whole);
  });

  test.runIf(!withoutEdits.includes(model))('edits in every size that the interface names', async () => {
    const images = [{ image_url: await pictureOf('png') }];
    for (const size of editedSizes) {
      const edited = await sizesIn(await bench.edit({ model, prompt: 'a lamp', size, images }));
      expect(edited).toMatchObject({ status: 200, size, pixels: [size] });
    }
  });
});

test('an image is not enlarged beyond the largest size that the interface names', async () => {
  expect(await generated('qwen-image-plus', { size: '4097x4096' })).toEqual({
    status: 200,
    size: '1328x1328',
    pixels: ['1328x1328'],
    images: [{ requested_size: '4097x4096', size: '1328x1328' }],
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
    ['with exactly as many', 1328 * 1328, { size: '1024x1024', made_size: '1328x1328', scale: 0.771 }],
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
