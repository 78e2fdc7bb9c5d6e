import { formatOf } from '@tallyport/sandbox';
import { GoogleGenAI, type GenerateContentConfig } from '@google/genai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

/** Google's SDK with the image models. */
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const pro = 'gemini-3-pro-image';
const flash = 'gemini-3.1-flash-image';

const models = () =>
  new GoogleGenAI({ apiKey: 'sim-key', httpOptions: { baseUrl: simulator.baseUrl('google') } }).models;

const make = (contents: string, config: GenerateContentConfig = {}, model = pro) =>
  models().generateContent({ model, contents, config });

const sizeOf = (base64 = '') => {
  const png = Buffer.from(base64, 'base64');
  return [formatOf(png), png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('returns text and an image of the requested ratio and size, with its tokens', async () => {
  const imageConfig = { aspectRatio: '16:9', imageSize: '2K' };
  const { candidates, usageMetadata } = await make('A fox', { imageConfig });
  const content = { parts: [{ text: 'Here is a simulated image.' }, { thoughtSignature: expect.any(String) }] };
  expect(candidates).toMatchObject([{ content, finishReason: 'STOP' }]);
  const { inlineData } = candidates?.[0]?.content?.parts?.[1] ?? {};
  expect([inlineData?.mimeType, ...sizeOf(inlineData?.data)]).toEqual(['image/png', 'png', 2752, 1536]);
  expect(usageMetadata?.candidatesTokensDetails).toEqual([{ modality: 'IMAGE', tokenCount: 1120 }]);
  expect(simulator.requests.at(-1)?.images).toBe(1);
});

test('returns only an image on request, in half size too', async () => {
  const answer = await make('A fox', { responseModalities: ['IMAGE'], imageConfig: { imageSize: '512' } }, flash);
  expect(answer.candidates?.[0]?.content?.parts).toHaveLength(1);
  expect(sizeOf(answer.data)).toEqual(['png', 512, 512]);
});

test('streams it as one part', async () => {
  const parts = [];
  for await (const chunk of await models().generateContentStream({ model: pro, contents: 'A fox [draft]' }))
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  const images = parts.filter(({ inlineData }) => inlineData !== undefined);
  expect(images.map(({ thought = false }) => thought)).toEqual([true, false]);
});

test.each([
  ['[safety]', 'IMAGE_SAFETY', 0],
  ['[no-image]', 'NO_IMAGE', 0],
  ['[text-only]', 'STOP', 1],
])('%s: no image, %s', async (word, finishReason, count) => {
  const { candidates } = await make(`A fox ${word}`);
  expect(candidates?.[0]).toMatchObject({ finishReason });
  expect(candidates?.[0]?.content?.parts ?? []).toHaveLength(count);
  expect(simulator.requests.at(-1)).not.toHaveProperty('images');
});

test.each([
  ['a size in lower case', { imageConfig: { imageSize: '1k' } }, pro],
  ['half size on the pro model', { imageConfig: { imageSize: '512' } }, pro],
  ['the gateway’s name for half size', { imageConfig: { imageSize: '0.5K' } }, flash],
  ['an extreme ratio on the pro model', { imageConfig: { aspectRatio: '1:8' } }, pro],
  ['any size on the oldest model', { imageConfig: { imageSize: '1K' } }, 'gemini-2.5-flash-image'],
  ['instructions on the oldest model', { systemInstruction: 'Be bright.' }, 'gemini-2.5-flash-image'],
  ['several', { candidateCount: 2 }, pro],
  ['tools', { tools: [{ functionDeclarations: [{ name: 'draw' }] }] }, pro],
  ['images from a text model', { responseModalities: ['IMAGE'] }, 'gemini-2.5-flash'],
])('refuses %s', async (_name, config, model) => {
  await expect(make('A fox', config, model)).rejects.toMatchObject({ status: 400 });
});

test('refuses more images than a model accepts, and retired names', async () => {
  const { data = '' } = await make('A fox', { imageConfig: { imageSize: '512' } }, flash);
  const image = { inlineData: { mimeType: 'image/png', data } };
  const edit = (count: number) =>
    models().generateContent({
      model: 'gemini-2.5-flash-image',
      contents: [...Array.from({ length: count }, () => image), { text: 'Join them' }],
    });
  expect((await edit(3)).data).toEqual(expect.any(String));
  await expect(edit(4)).rejects.toMatchObject({ status: 400 });
  await expect(make('A fox', {}, 'gemini-3-pro-image-preview')).rejects.toMatchObject({ status: 404 });
});
