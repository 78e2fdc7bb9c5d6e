import { makeImage, formatOf } from '@tallyport/sandbox';
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

/** The size in the PNG header. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

const cat = makeImage({ about: 'cat', width: 64, height: 64, format: 'png' });

describe('the OpenAI client', () => {
  test('gets different images in one call, and the same for the same prompt', async () => {
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

  test('edits files in a form the same way as data URLs in JSON', async () => {
    const image = [await toFile(cat, 'cat.png', { type: 'image/png' }), await toFile(cat, 'two.png')];
    const form = await imagesOf().edit({ model: 'gpt-image-1.5', image: image[0]!, prompt: 'A hat', n: 1 });
    const url = `data:image/png;base64,${cat.toString('base64')}`;
    const json = await new OpenAI({ baseURL: simulator.baseUrl(), apiKey: 'sim-key' }).post('/images/edits', {
      body: { model: 'gpt-image-1.5', images: [{ image_url: url }], prompt: 'A hat', n: 1 },
    });
    expect(json).toMatchObject({ data: form.data });
    expect(simulator.requests.map(({ model }) => model)).toEqual(['gpt-image-1.5', 'gpt-image-1.5']);
    // A file without a type is not accepted as an image.
    const untyped = imagesOf().edit({ model: 'gpt-image-1.5', image, prompt: 'Two hats' });
    await expect(untyped).rejects.toMatchObject({ status: 400, code: 'invalid_image_file' });
  });

  test.each([
    ['png', 'png'],
    ['jpeg', 'jpeg'],
    ['webp', 'webp'],
  ] as const)('gets %s on request', async (output_format, format) => {
    const { data = [] } = await imagesOf().generate({ model: 'gpt-image-1', prompt: 'A fox', output_format });
    expect(data.map(bytesOf).map(formatOf)).toEqual([format]);
  });

  test('gets partial images, then the image with its usage', async () => {
    const asked = { model: 'gpt-image-1', prompt: 'A fox', quality: 'low', partial_images: 1 } as const;
    const { data = [], usage } = await imagesOf().generate({ ...asked, n: 1 });
    const events: OpenAI.ImageGenStreamEvent[] = [];
    for await (const event of await imagesOf().generate({ ...asked, stream: true })) events.push(event);
    const made = { created_at: expect.any(Number), size: '1024x1024', quality: 'low', background: 'opaque' };
    expect(events).toEqual([
      {
        type: 'image_generation.partial_image',
        ...made,
        output_format: 'png',
        partial_image_index: 0,
        b64_json: expect.any(String),
      },
      {
        type: 'image_generation.completed',
        ...made,
        output_format: 'png',
        b64_json: data[0]?.b64_json,
        usage: expect.objectContaining({ output_tokens: (usage?.output_tokens ?? 0) + 100 }),
      },
    ]);
  });

  test('is refused a mask that is no PNG or has another size', async () => {
    const [image, other] = [cat, makeImage({ about: 'cat', width: 32, height: 64, format: 'png' })];
    const edit = async (mask: Buffer, type: string) =>
      imagesOf().edit({
        model: 'gpt-image-1',
        prompt: 'A hat',
        image: await toFile(image, 'cat.png', { type: 'image/png' }),
        mask: await toFile(mask, 'mask', { type }),
      });
    await expect(edit(other, 'image/png')).rejects.toMatchObject({ code: 'invalid_mask_image_size' });
    await expect(edit(cat, 'image/jpeg')).rejects.toMatchObject({ code: 'invalid_image_format' });
    await expect(edit(cat, 'image/png')).resolves.toMatchObject({ data: [{ b64_json: expect.any(String) }] });
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
