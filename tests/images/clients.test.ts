import OpenAI, { APIError, toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Rig, startRig } from '../clients/rig.ts';
import { imageEnvironment, imageFamilies } from './image-families.ts';
import { formatOf, pixelsOf, samplePng } from './image-bytes.ts';
import { resultsSuite } from './results.suite.ts';

/** Tests the OpenAI SDK against every family that makes images: generations, edits and chats. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ further: imageEnvironment });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig?.stop());

/** Without it the gateway would soon use another provider, because faults lower the health of an offer. */
const defaultHeaders = { 'x-no-fallback': 'true' };

const client = () =>
  new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey, maxRetries: 0, defaultHeaders });

const bytesOf = ({ b64_json: base64 = '' }: Pick<OpenAI.Image, 'b64_json'>) => Buffer.from(base64, 'base64');

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const failureOf = async (request: Promise<unknown>) => {
  const thrown: unknown = await request.catch((error: unknown) => error);
  if (!(thrown instanceof APIError)) throw new Error('It did not fail as an API error.', { cause: thrown });
  return { status: thrown.status, code: thrown.code, param: thrown.param };
};

/** A chat message with images, which the SDK's type lacks. */
interface MessageWithImages {
  content: string | null;
  images?: { type: string; image_url: { url: string }; index: number }[];
}

describe('streams', () => {
  test('generates an image with partial ones before it', async () => {
    const model = 'openai/gpt-image-2';
    const prompt = 'A red fox';
    const stream = await client().images.generate({ model, prompt, stream: true, partial_images: 2 });
    const events = await allOf(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(events.map(bytesOf).map(formatOf)).toEqual(['png', 'png', 'png']);
    expect(events.map((event) => ('partial_image_index' in event ? event.partial_image_index : event.usage))).toEqual([
      0,
      1,
      expect.objectContaining({ output_tokens: 1256 }),
    ]);
  });

  test('edits an image with a mask', async () => {
    const file = (name: string) => toFile(samplePng(name), `${name}.png`, { type: 'image/png' });
    const [image, mask] = await Promise.all([file('cat'), file('dog')]);
    const asked = { model: 'openai/gpt-image-2', prompt: 'A hat', image, mask };
    const events = await allOf(await client().images.edit({ ...asked, stream: true, partial_images: 1 }));
    expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed']);
    const { data = [] } = await client().images.edit(asked);
    expect(data.map((each) => each.b64_json)).toEqual([events[1]?.b64_json]);
  });

  test('an error in the middle of a stream is thrown', async () => {
    rig.simulator.faults.set({ fault: 'error-mid-stream:1' });
    const asked = { model: 'openai/gpt-image-2', prompt: 'A red fox', stream: true, partial_images: 2 } as const;
    const stream = await client().images.generate(asked);
    const types: string[] = [];
    const reading = async () => {
      for await (const { type } of stream) types.push(type);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(types).toEqual(['image_generation.partial_image']);
  });
});

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
  const chat = async (changes: object = {}): Promise<MessageWithImages> => {
    const answer = await client().chat.completions.create(ask(changes));
    return answer.choices[0]!.message as MessageWithImages;
  };
  const chatStreamed = async (changes: object = {}): Promise<MessageWithImages> => {
    const stream = client().chat.completions.stream({ ...ask(changes), stream: true });
    const message: Required<MessageWithImages> = { content: '', images: [] };
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as Partial<MessageWithImages> | undefined;
      message.content += delta?.content ?? '';
      message.images.push(...(delta?.images ?? []));
    }
    return message;
  };

  test('generates two images as PNG', async () => {
    const { data = [], created } = await generate({ n: 2 });
    expect(data.map(bytesOf).map(formatOf)).toEqual(['png', 'png']);
    expect(created).toBeGreaterThan(1_700_000_000);
    expect(made()).toBe(2);
  });

  test('accepts unsupported hints and uses the nearest size', async () => {
    const { data = [] } = await generate({
      size: '1536x1024',
      quality: 'high',
      style: 'vivid',
      response_format: 'b64_json',
    });
    const [width = 0, height = 0] = data.map(bytesOf).flatMap(pixelsOf);
    expect(width).toBeGreaterThan(height);
  });

  test.runIf(family.edits)('edits images from a form and from JSON', async () => {
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

  test.runIf(family.edits)('returns edits as WebP or JPEG for every vendor', async () => {
    const image = await toFile(samplePng('cat'), 'cat.png', { type: 'image/png' });
    for (const output_format of ['webp', 'jpeg'] as const) {
      const { data = [] } = await client().images.edit({ model, prompt: 'A hat', image, output_format });
      expect(data.map(bytesOf).map(formatOf)).toEqual([output_format]);
    }
  });

  test.skipIf(family.edits)('refuses edits', async () => {
    const image = await toFile(samplePng('cat'), 'cat.png', { type: 'image/png' });
    const failure = await failureOf(client().images.edit({ model, prompt: 'A hat', image }));
    expect(failure).toMatchObject({ status: 400, code: 'unsupported_capability' });
  });

  test('makes an image in a chat with image_config, streamed or not', async () => {
    const whole = await chat({ image_config: family.config });
    const urls = whole.images?.map(({ image_url: { url } }) => url) ?? [];
    expect(urls.map((url) => url.slice(0, url.indexOf(',')))).toEqual([`data:image/${family.sends};base64`]);
    const [bytes = Buffer.alloc(0)] = urls.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    expect([formatOf(bytes), ...pixelsOf(bytes)]).toEqual([family.sends, ...family.pixels]);
    expect(whole.content).toBe(family.speaks === true ? 'Here is a simulated image.' : '');
    expect(await chatStreamed({ image_config: family.config })).toEqual({
      content: whole.content,
      images: whole.images?.map(({ type, image_url, index }) => expect.objectContaining({ type, image_url, index })),
    });
  });

  test.runIf(family.edits)('edits the image of the last chat message', async () => {
    const url = `data:image/png;base64,${samplePng('cat').toString('base64')}`;
    const content = [
      { type: 'text', text: 'A hat' },
      { type: 'image_url', image_url: { url } },
    ];
    const { images } = await chat({ messages: [{ role: 'user', content }] });
    expect(images).toHaveLength(1);
    expect(rig.simulator.requests.at(0)?.body).toContain(samplePng('cat').toString('base64'));
  });

  test('names an unsupported setting', async () => {
    const [member] = Object.keys(family.wrong);
    const failure = { status: 400, param: `image_config.${member}` };
    expect(await failureOf(chat({ image_config: family.wrong }))).toMatchObject(failure);
    expect(await failureOf(chatStreamed({ image_config: family.wrong }))).toMatchObject(failure);
    expect(rig.simulator.requests).toEqual([]);
  });

  const offensive = 'A [safety] fox';
  const refused = { status: 400, code: 'content_policy_violation' };
  const asking = () => ask({ messages: [{ role: 'user', content: offensive }] });
  const streaming = () =>
    client()
      .chat.completions.stream({ ...asking(), stream: true })
      .finalChatCompletion();

  test('reports a content policy refusal without cost', async () => {
    expect(await failureOf(generate({ prompt: offensive }))).toMatchObject(refused);
    expect(made()).toBe(0);
  });

  test.skipIf(family.speaks)('reports a content policy refusal as an error in a chat', async () => {
    expect(await failureOf(client().chat.completions.create(asking()))).toMatchObject(refused);
    expect(await failureOf(streaming())).toMatchObject(refused);
  });

  test.runIf(family.speaks)('a model that also writes text ends a refused chat with content_filter', async () => {
    const filtered = { choices: [{ finish_reason: 'content_filter' }] };
    expect(await client().chat.completions.create(asking())).toMatchObject(filtered);
    expect(await streaming()).toMatchObject(filtered);
  });

  test.runIf(family.fansOut)('returns the successful images when one of several calls fails', async () => {
    rig.simulator.faults.set({ provider, fault: 'status:500', times: 1 });
    const { data = [] } = await generate({ n: 3 });
    expect(data).toHaveLength(2);
  });

  test('corrects a wrong media type', async () => {
    const prompt = 'A fox [mislabelled]';
    const { images = [] } = await chat({ messages: [{ role: 'user', content: prompt }] });
    const [url = ''] = images.map((image) => image.image_url.url);
    const type = /^data:image\/(\w+);/.exec(url)?.[1];
    expect(type).toBe(family.sends === 'png' ? 'jpeg' : 'png');
    expect(formatOf(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))).toBe(type);
  });

  const { largeBytes = 0 } = family;
  test.runIf(largeBytes > 0)('returns a large image unchanged, in generations and chats', async () => {
    const prompt = `A fox [bytes:${largeBytes}]`;
    const { data = [] } = await generate({ prompt });
    expect(data.map(bytesOf).map(({ length }) => length)).toEqual([largeBytes]);
    const messages = [{ role: 'user', content: prompt }];
    for (const { images = [] } of [await chat({ messages }), await chatStreamed({ messages })]) {
      const length = 'data:image/png;base64,'.length + (largeBytes / 3) * 4;
      expect(images.map((image) => image.image_url.url.length)).toEqual([length]);
    }
  });
});

describe('images that a vendor returns as a URL', () => resultsSuite(() => rig));
