import { makeImage, formatOf } from '@switchyard/sandbox';
import OpenAI, { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../../index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const imagesOf = (provider?: string) =>
  new OpenAI({ baseURL: simulator.baseUrl(provider), apiKey: 'sim-key', maxRetries: 0 }).images;

const bytesOf = (image?: OpenAI.Image) => Buffer.from(image?.b64_json ?? '', 'base64');

/** As a PNG says it itself. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

const cat = makeImage({ about: 'cat', width: 64, height: 64, format: 'png' });

describe('the OpenAI client', () => {
  test('gets images, each another one, and the same for the same words', async () => {
    const ask = () =>
      imagesOf().generate({ model: 'gpt-image-1.5', prompt: 'A fox', n: 2, size: '1536x1024', quality: 'low' });
    const { data = [], created, ...rest } = await ask();
    expect(data.map(bytesOf).map(sizeOf)).toEqual([
      [1536, 1024],
      [1536, 1024],
    ]);
    expect(data[0]).not.toEqual(data[1]);
    expect((await ask()).data).toEqual(data);
    expect(created).toBeGreaterThan(1_700_000_000);
    expect(rest).toEqual({
      background: 'opaque',
      output_format: 'png',
      quality: 'low',
      size: '1536x1024',
      usage: {
        input_tokens: 2,
        input_tokens_details: { image_tokens: 0, text_tokens: 2 },
        output_tokens: 816,
        output_tokens_details: { image_tokens: 816, text_tokens: 0 },
        total_tokens: 818,
      },
    });
    expect(simulator.requests.map(({ images }) => images)).toEqual([2, 2]);
  });

  test('edits files as a form, which is the same as their data URLs in JSON', async () => {
    const image = [await toFile(cat, 'cat.png', { type: 'image/png' }), await toFile(cat, 'two.png')];
    const form = await imagesOf().edit({ model: 'gpt-image-1.5', image: image[0]!, prompt: 'A hat', n: 1 });
    const url = `data:image/png;base64,${cat.toString('base64')}`;
    const json = await new OpenAI({ baseURL: simulator.baseUrl(), apiKey: 'sim-key' }).post('/images/edits', {
      body: { model: 'gpt-image-1.5', images: [{ image_url: url }], prompt: 'A hat', n: 1 },
    });
    expect(json).toMatchObject({ data: form.data });
    expect(simulator.requests.map(({ model }) => model)).toEqual(['gpt-image-1.5', 'gpt-image-1.5']);
    // A file without a type is none of an image here.
    const untyped = imagesOf().edit({ model: 'gpt-image-1.5', image, prompt: 'Two hats' });
    await expect(untyped).rejects.toMatchObject({ status: 400, code: 'invalid_image_file' });
  });

  test.each([
    ['png', 'png'],
    ['jpeg', 'jpeg'],
    ['webp', 'webp'],
  ] as const)('%s, when it asks for it', async (output_format, format) => {
    const { data = [] } = await imagesOf().generate({ model: 'gpt-image-1', prompt: 'A fox', output_format });
    expect(data.map(bytesOf).map(formatOf)).toEqual([format]);
  });

  test.each([
    [{ response_format: 'b64_json' as const }, 'response_format', 'unknown_parameter'],
    [{ style: 'vivid' as const }, 'style', 'unknown_parameter'],
    [{ size: '512x512' as const }, 'size', 'invalid_value'],
    [{ n: 11 }, 'n', 'integer_above_max_value'],
    [{ quality: 'hd' as const }, 'quality', 'invalid_value'],
    [{ background: 'transparent' as const, output_format: 'jpeg' as const }, 'background', 'invalid_value'],
    [{ prompt: 'Something [safety]' }, null, 'moderation_blocked'],
    [{ prompt: '' }, 'prompt', 'missing_required_parameter'],
    [{ model: 'gpt-4o' }, null, 'model_not_found'],
  ])('is refused %o', async (members, param, code) => {
    const asked = imagesOf().generate({ model: 'gpt-image-1', prompt: 'A fox', ...members });
    await expect(asked).rejects.toMatchObject({ param, code });
    expect(simulator.requests.at(-1)).not.toHaveProperty('images');
  });
});
