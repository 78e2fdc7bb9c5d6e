import type { Model } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { base64SlicesOf, firstBytes } from '@tallyport/dispatch';
import { createPixels, sizeText } from '@tallyport/pixels';
import { sampleImageProviders } from '@tallyport/simulator';
import { imageTypeOf, longStrings, markBytes } from '@tallyport/wire';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { partOf } from '../../../../tests/support/scale.ts';
import {
  type ChatBench,
  type ClientAnswer,
  eventsIn,
  sharedModelEntry,
  startChatBench,
} from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [...sampleImageProviders, otherQwens].flatMap(paintersOf) },
    environment: ({ baseUrl }) => ({
      CACHE_TTL_SECONDS: '60',
      CACHE_IMAGES: 'true',
      ...Object.fromEntries(
        sampleImageProviders.flatMap(({ providerId, stem, path = '' }) => [
          [`${stem}_API_KEY`, 'key-of-the-bench'],
          [`${stem}_BASE_URL`, baseUrl(providerId) + path],
        ]),
      ),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const otherQwens = { providerId: 'alibaba', modelNames: ['qwen-image', 'qwen-image-max'] };

function paintersOf({ providerId, modelNames }: { providerId: string; modelNames: string[] }): Model[] {
  return modelNames.map((modelName) => ({
    ...sharedModelEntry(),
    id: modelName,
    aliases: [],
    outputModalities: ['image'],
    offers: [offerOf(providerId, { modelName, vision: true })],
  }));
}

const pixels = createPixels({ maxPixels: 2 ** 26 });

async function sizeOf(url: string) {
  const base64 = base64SlicesOf(url, longStrings('none', []));
  const type = imageTypeOf(firstBytes(base64, markBytes));
  const size = type && (await pixels.measure({ type, base64 }));
  return size && `${type} ${sizeText(size)}`;
}

const principal = { accountId: 'account', keyId: 'key' };

async function sizesIn({ status, text }: ClientAnswer) {
  const { choices, metadata } = JSON.parse(text);
  const images: { image_url: { url: string } }[] = choices[0].message.images;
  return {
    status,
    pixels: await Promise.all(images.map(({ image_url: { url } }) => sizeOf(url))),
    images: metadata.images,
  };
}

const chat = (model: string, config: object, changes: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'A lamp' }],
  image_config: config,
  ...changes,
});

describe('image_config.image_size', () => {
  test.each([
    ['qwen-image-plus', '1664x928', 'image/png', undefined],
    ['qwen-image-plus', '1024x1024', 'image/png', { made_size: '1328x1328', scale: 0.771 }],
    ['qwen-image-2.0', '1000x1000', 'image/png', { made_size: '1008x1008', scale: 0.992 }],
    ['seedream-4-0-250828', '1024x1024', 'image/jpeg', undefined],
    ['seedream-4-5-251128', '1024x1024', 'image/jpeg', { made_size: '1920x1920', scale: 0.533 }],
    ['cogview-4-250304', '2048x1024', 'image/png', undefined],
    ['glm-image', '512x512', 'image/png', { made_size: '1024x1024', scale: 0.5 }],
    ['gpt-image-2', '1920x1080', 'image/png', { made_size: '1920x1088', cropped_size: '1920x1080' }],
  ])('%s makes %s', async (model, size, type, changes) => {
    const answer = await bench.ask(chat(model, { image_size: size }));
    expect(await sizesIn(answer)).toEqual({
      status: 200,
      pixels: [`${type} ${size}`],
      images: changes && [{ requested_size: size, size, ...changes }],
    });
  });

  test('another ratio is cropped from the nearest one, and the answer says so for each image', async () => {
    const changes = { made_size: '1104x1472', cropped_size: '981x1472', scale: 1.043 };
    const image = { requested_size: '1024x1536', size: '1024x1536', ...changes };
    expect(await sizesIn(await bench.ask(chat('qwen-image-plus', { image_size: '1024x1536', n: 2 })))).toEqual({
      status: 200,
      pixels: ['image/png 1024x1536', 'image/png 1024x1536'],
      images: [image, image],
    });
  });

  /** By family, the models and the sizes that the interface names for them. */
  const named = [
    [
      ['qwen-image', 'qwen-image-plus', 'qwen-image-max'],
      ['1024x1024', '1024x1536', '1536x1024'],
    ],
    [
      ['cogview-4-250304', 'glm-image'],
      ['1024x1024', '2048x1024', '1024x2048'],
    ],
    [
      ['seedream-4-0-250828', 'seedream-4-5-251128'],
      ['1024x1024', '2048x2048', '4096x4096'],
    ],
  ].flatMap(([models = [], sizes = []]) => models.flatMap((model) => sizes.map((size) => [model, size] as const)));

  test.each(partOf(named, { one: 3 }))('%s returns %s, which the interface names', async (model, size) => {
    const { status, pixels: returned } = await sizesIn(await bench.ask(chat(model, { image_size: size })));
    expect([status, returned.map((text) => text?.split(' ')[1])]).toEqual([200, [size]]);
  });

  test.each([{ n: 1 }, { n: 1, image_size: null }])(
    'without a size, as in %j, the vendor chooses it',
    async (config) => {
      expect(await sizesIn(await bench.ask(chat('qwen-image-plus', config)))).toEqual({
        status: 200,
        pixels: ['image/png 1328x1328'],
        images: undefined,
      });
    },
  );
});

describe('a cached answer reports the same sizes, in either form', () => {
  const images = [{ requested_size: '1024x1024', size: '1024x1024', made_size: '1328x1328', scale: 0.771 }];
  const finishIn = ({ text }: ClientAnswer) =>
    eventsIn(text)
      .filter((event) => event.startsWith('{'))
      .map((event) => JSON.parse(event).metadata)
      .filter((metadata) => metadata !== undefined);

  test.each([
    ['a stream', true],
    ['in one piece', false],
  ])('%s first', async (name, stream) => {
    const messages = [{ role: 'user', content: `A lamp, ${name}` }];
    const asked = chat('qwen-image-plus', { image_size: '1024x1024' }, { messages });
    const answers = [];
    for (const streamed of [stream, false, true]) {
      answers.push(await bench.ask({ ...asked, stream: streamed }, { principal }));
    }
    expect(answers.map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT', 'HIT']);
    const [, whole, again] = answers;
    expect(whole && (await sizesIn(whole))).toEqual({ status: 200, pixels: ['image/png 1024x1024'], images });
    expect(again && finishIn(again)).toMatchObject([{ cached: true, images }]);
  });
});
