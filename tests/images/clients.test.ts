import OpenAI, { APIError, toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Rig, startRig } from '../clients/rig.ts';
import { imageEnvironment, imageFamilies } from './image-families.ts';
import { formatOf, pixelsOf, samplePng } from './looking.ts';

/** The OpenAI SDK against every family that makes images, at all three places where they are made. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ further: imageEnvironment });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig?.stop());

/** Faults add up: without it the gateway would soon ask somebody else. */
const defaultHeaders = { 'x-no-fallback': 'true' };

const client = () =>
  new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey, maxRetries: 0, defaultHeaders });

const bytesOf = ({ b64_json: base64 = '' }: OpenAI.Image) => Buffer.from(base64, 'base64');

const failureOf = async (asked: Promise<unknown>) => {
  const thrown: unknown = await asked.catch((error: unknown) => error);
  if (!(thrown instanceof APIError)) throw new Error('It did not fail as an API error.', { cause: thrown });
  return { status: thrown.status, code: thrown.code, param: thrown.param };
};

/** A chat's message, with what the SDK has no words for. */
interface Painted {
  content: string | null;
  images?: { type: string; image_url: { url: string }; index: number }[];
}

describe.each(imageFamilies)('$name', (family) => {
  const { name: model, provider } = family;
  const generate = (members: Partial<OpenAI.ImageGenerateParamsNonStreaming> = {}) =>
    client().images.generate({ model, prompt: 'A red fox', ...members });
  const made = () => rig.simulator.requests.reduce((sum, { images = 0 }) => sum + images, 0);

  const ask = (changes: object = {}): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
    model,
    messages: [{ role: 'user', content: 'A red fox' }],
    ...changes,
  });
  const paint = async (changes: object = {}): Promise<Painted> => {
    const answer = await client().chat.completions.create(ask(changes));
    return answer.choices[0]!.message as Painted;
  };
  const paintStreamed = async (changes: object = {}): Promise<Painted> => {
    const stream = client().chat.completions.stream({ ...ask(changes), stream: true });
    const painted: Required<Painted> = { content: '', images: [] };
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as Partial<Painted> | undefined;
      painted.content += delta?.content ?? '';
      painted.images.push(...(delta?.images ?? []));
    }
    return painted;
  };

  test('generates two images as PNG', async () => {
    const { data = [], created } = await generate({ n: 2 });
    expect(data.map(bytesOf).map(formatOf)).toEqual(['png', 'png']);
    expect(created).toBeGreaterThan(1_700_000_000);
    expect(made()).toBe(2);
  });

  test('takes hints it has no counterpart for, and a size that is near', async () => {
    const { data = [] } = await generate({
      size: '1536x1024',
      quality: 'high',
      style: 'vivid',
      response_format: 'b64_json',
    });
    const [width = 0, height = 0] = data.map(bytesOf).flatMap(pixelsOf);
    expect(width).toBeGreaterThan(height);
  });

  test.runIf(family.edits)('edits files of a form, and the same images in JSON', async () => {
    const files = ['cat', 'dog'].map((name) => toFile(samplePng(name), `${name}.png`, { type: 'image/png' }));
    const form = await client().images.edit({ model, prompt: 'Join them', image: await Promise.all(files) });
    expect((form.data ?? []).map(bytesOf).map(formatOf)).toEqual(['png']);
    const images = ['cat', 'dog'].map((name) => ({
      image_url: `data:image/png;base64,${samplePng(name).toString('base64')}`,
    }));
    const json: OpenAI.ImagesResponse = await client().post('/images/edits', {
      body: { model, prompt: 'Join them', images, output_format: 'png' },
    });
    expect(json.data).toEqual(form.data);
  });

  test.runIf(family.edits)('edits as WebP or JPEG when asked, whatever its vendor can', async () => {
    const image = await toFile(samplePng('cat'), 'cat.png', { type: 'image/png' });
    for (const output_format of ['webp', 'jpeg'] as const) {
      const { data = [] } = await client().images.edit({ model, prompt: 'A hat', image, output_format });
      expect(data.map(bytesOf).map(formatOf)).toEqual([output_format]);
    }
  });

  test.skipIf(family.edits)('edits nothing, and says so', async () => {
    const image = await toFile(samplePng('cat'), 'cat.png', { type: 'image/png' });
    const failure = await failureOf(client().images.edit({ model, prompt: 'A hat', image }));
    expect(failure).toMatchObject({ status: 400, code: 'unsupported_capability' });
  });

  test('paints in a chat as image_config says, streamed or not', async () => {
    const whole = await paint({ image_config: family.config });
    const urls = whole.images?.map(({ image_url: { url } }) => url) ?? [];
    expect(urls.map((url) => url.slice(0, url.indexOf(',')))).toEqual([`data:image/${family.sends};base64`]);
    const [bytes = Buffer.alloc(0)] = urls.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    expect([formatOf(bytes), ...pixelsOf(bytes)]).toEqual([family.sends, ...family.pixels]);
    expect(whole.content).toBe(family.speaks === true ? 'Here is a simulated image.' : '');
    expect(await paintStreamed({ image_config: family.config })).toEqual({
      content: whole.content,
      images: whole.images?.map(({ type, image_url, index }) => expect.objectContaining({ type, image_url, index })),
    });
  });

  test.runIf(family.edits)('changes the image of a chat’s last message', async () => {
    const url = `data:image/png;base64,${samplePng('cat').toString('base64')}`;
    const content = [
      { type: 'text', text: 'A hat' },
      { type: 'image_url', image_url: { url } },
    ];
    const { images } = await paint({ messages: [{ role: 'user', content }] });
    expect(images).toHaveLength(1);
    expect(rig.simulator.requests.at(0)?.body).toContain(samplePng('cat').toString('base64'));
  });

  test('names the setting it does not have', async () => {
    const [member] = Object.keys(family.wrong);
    const failure = { status: 400, param: `image_config.${member}` };
    expect(await failureOf(paint({ image_config: family.wrong }))).toMatchObject(failure);
    expect(await failureOf(paintStreamed({ image_config: family.wrong }))).toMatchObject(failure);
    expect(rig.simulator.requests).toEqual([]);
  });

  const offensive = 'A [safety] fox';
  const refused = { status: 400, code: 'content_policy_violation' };
  const asking = () => ask({ messages: [{ role: 'user', content: offensive }] });
  const streaming = () =>
    client()
      .chat.completions.stream({ ...asking(), stream: true })
      .finalChatCompletion();

  test('a refusal for safety is told as one, and costs nothing', async () => {
    expect(await failureOf(generate({ prompt: offensive }))).toMatchObject(refused);
    expect(made()).toBe(0);
  });

  test.skipIf(family.speaks)('it is an error of a chat too', async () => {
    expect(await failureOf(client().chat.completions.create(asking()))).toMatchObject(refused);
    expect(await failureOf(streaming())).toMatchObject(refused);
  });

  test.runIf(family.speaks)('who speaks says nothing in a chat, and why', async () => {
    const filtered = { choices: [{ finish_reason: 'content_filter' }] };
    expect(await client().chat.completions.create(asking())).toMatchObject(filtered);
    expect(await streaming()).toMatchObject(filtered);
  });

  test.runIf(family.fansOut)('what came of several is answered when one of them fails', async () => {
    rig.simulator.faults.set({ provider, fault: 'status:500', times: 1 });
    const { data = [] } = await generate({ n: 3 });
    expect(data).toHaveLength(2);
  });

  test('a label that lies is put right', async () => {
    const prompt = 'A fox [mislabelled]';
    const { images = [] } = await paint({ messages: [{ role: 'user', content: prompt }] });
    const [url = ''] = images.map((image) => image.image_url.url);
    const type = /^data:image\/(\w+);/.exec(url)?.[1];
    expect(type).toBe(family.sends === 'png' ? 'jpeg' : 'png');
    expect(formatOf(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))).toBe(type);
  });

  const { largeBytes = 0 } = family;
  test.runIf(largeBytes > 0)('a large image arrives to the byte, wherever it is asked for', async () => {
    const prompt = `A fox [bytes:${largeBytes}]`;
    const { data = [] } = await generate({ prompt });
    expect(data.map(bytesOf).map(({ length }) => length)).toEqual([largeBytes]);
    const messages = [{ role: 'user', content: prompt }];
    for (const { images = [] } of [await paint({ messages }), await paintStreamed({ messages })]) {
      const length = 'data:image/png;base64,'.length + (largeBytes / 3) * 4;
      expect(images.map((image) => image.image_url.url.length)).toEqual([length]);
    }
  });
});
