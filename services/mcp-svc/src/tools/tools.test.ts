import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '@tallyport/contracts';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answering, type CalledTool, openMcp, type OpenMcp } from '../testing/open-mcp.ts';

let mcp: OpenMcp;
beforeAll(async () => {
  mcp = await openMcp();
});
afterAll(() => mcp.stop());

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const jpeg = Buffer.from('\xff\xd8\xff\xe0 not much of a photo', 'latin1').toString('base64');
/** An image of one colour, as base64. */
async function blank(width: number, height: number, format: 'png' | 'jpeg' | 'webp'): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: '#357' } });
  return (await image.toFormat(format).toBuffer()).toString('base64');
}
const text = (words: string) => ({ type: 'text', text: words });
const messages = [{ role: 'user', content: 'Hi' }];
const failed = (words: unknown, error: object): CalledTool => ({
  content: [{ type: 'text', text: words as string }],
  isError: true,
  _meta: { 'tallyport/error': error },
});

describe('chat', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const completion = (message: object) => ({
    id: 'chatcmpl-1',
    model: 'sandbox-a/sandbox-chat',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { ...usage, cost: 0.1 },
  });

  test('sends the request and returns the answer as text and as data', async () => {
    let body: unknown;
    mcp.behind.complete = async (exchange) => {
      body = JSON.parse(Buffer.from(await exchange.body.bytes()).toString());
      return answering(completion({ content: 'Hello' }));
    };
    const request = { model: 'sandbox-chat', messages, temperature: 2, max_tokens: 5 };
    expect(await mcp.callTool('chat', request)).toEqual({
      content: [text('Hello')],
      structuredContent: { model: 'sandbox-a/sandbox-chat', content: 'Hello', finish_reason: 'stop', usage },
    });
    expect(body).toEqual(request);
  });

  test.each([
    ['null next to tool calls', { content: null, tool_calls: [{ id: 'a', type: 'function', function: {} }] }],
    ['missing next to tool calls', { tool_calls: [{ id: 'a', type: 'function', function: {} }] }],
  ])('forwards a message whose content is %s', async (_name, message) => {
    let body: unknown;
    mcp.behind.complete = async (exchange) => {
      body = JSON.parse(Buffer.from(await exchange.body.bytes()).toString());
      return answering(completion({ content: 'Hello' }));
    };
    const request = { model: 'm', messages: [...messages, { role: 'assistant', ...message }] };
    expect(await mcp.callTool('chat', request)).not.toHaveProperty('isError');
    expect(body).toEqual(request);
  });

  test('returns images of a model, labelled by their bytes', async () => {
    const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${jpeg}` } }];
    mcp.behind.complete = async () => answering(completion({ content: '', images }));
    const { content } = await mcp.callTool('chat', { model: 'm', messages });
    expect(content).toEqual([{ type: 'image', data: jpeg, mimeType: 'image/jpeg' }]);
  });

  test.each([
    ['no model', { messages }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['an empty list of messages', { model: 'm', messages: [] }, 'messages'],
    ['a message without a role', { model: 'm', messages: [{ content: 'x' }] }, 'messages.0.role'],
    ['temperature 2.1', { model: 'm', messages, temperature: 2.1 }, 'temperature'],
    ['temperature -0.1', { model: 'm', messages, temperature: -0.1 }, 'temperature'],
    ['max_tokens 0', { model: 'm', messages, max_tokens: 0 }, 'max_tokens'],
    ['a fraction of a token', { model: 'm', messages, max_tokens: 1.5 }, 'max_tokens'],
    ['an unknown parameter', { model: 'm', messages, tempreature: 1 }, 'tempreature'],
  ])('explains %s', async (_name, input, named) => {
    const words = expect.stringMatching(new RegExp(`^Invalid arguments\\. .*${named}`));
    expect(await mcp.callTool('chat', input)).toEqual(failed(words, { code: 'invalid_parameters' }));
  });

  test.each([
    [
      new GatewayError('rate_limit_exceeded', 'The limit of tokens is reached.', { retryAfterMs: 1500 }),
      'Rate limited. The limit of tokens is reached. Retry after 2 s.',
      { code: 'rate_limit_exceeded', retryAfter: 2 },
    ],
    [
      new GatewayError('rate_limit_exceeded', 'The limit is reached. Try again in 61 seconds.', {
        retryAfterMs: 60_500,
      }),
      'Rate limited. The limit is reached. Try again in 61 seconds.',
      { code: 'rate_limit_exceeded', retryAfter: 61 },
    ],
    [
      new GatewayError('unavailable', 'We are busy. Try again in a moment.', { retryAfterMs: 1000 }),
      'We are busy. Try again in a moment.',
      { code: 'unavailable', retryAfter: 1 },
    ],
    [
      new GatewayError('model_not_found', "There is no model 'm'. GET /v1/models lists all."),
      "There is no model 'm'. list-models lists all.",
      { code: 'model_not_found' },
    ],
    [
      new GatewayError('model_not_found', 'There is no model m. Did you mean n?'),
      'There is no model m. Did you mean n?',
      { code: 'model_not_found' },
    ],
    [
      new Error('the secret cause'),
      'Something went wrong on our side. Try again; if it stays, send us the request id.',
      { code: 'internal_error' },
    ],
  ])('translates %s', async (error, words, details) => {
    mcp.behind.complete = () => Promise.reject(error);
    expect(await mcp.callTool('chat', { model: 'm', messages })).toEqual(failed(words, details));
  });
});

describe('generate-image', () => {
  test('uses its defaults and returns labelled images', async () => {
    let body: unknown;
    mcp.behind.generate = async (exchange) => {
      body = JSON.parse(Buffer.from(await exchange.body.bytes()).toString());
      const metadata = { used_provider: 'p', used_model: 'some-model' };
      return answering({ created: 1, data: [{ b64_json: pixel }, { b64_json: jpeg }], metadata });
    };
    expect(await mcp.callTool('generate-image', { prompt: 'a cat' })).toEqual({
      content: [
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'image', data: jpeg, mimeType: 'image/jpeg' },
        text('2 images by p/some-model, 1x1.'),
      ],
    });
    expect(body).toEqual({ prompt: 'a cat', model: 'qwen-image-plus', size: '1024x1024', n: 1 });
  });

  test.each([
    ['the configured one if it is listed', ['stable-one', 'qwen-image-plus'], 'qwen-image-plus'],
    ['else the first stable one', ['old', 'early', 'stable-one', 'stable-two'], 'stable-one'],
    ['else one that is not deprecated', ['old', 'early'], 'early'],
    ['else any', ['old'], 'old'],
    ['the configured one if none is listed', [], 'qwen-image-plus'],
  ])('without a model uses %s, which list-image-models lists first', async (_name, ids, used) => {
    const stability = (id: string) => ({ old: 'deprecated', early: 'preview' })[id] ?? 'stable';
    const data = ids.map((id) => ({
      id,
      name: id,
      description: id,
      family: 'f',
      architecture: { input_modalities: ['text'], output_modalities: ['image'] },
      providers: [{ providerId: 'p' }],
      pricing: {},
      stability: stability(id),
    }));
    let requested: unknown;
    mcp.behind.listModels = async () => answering({ data });
    mcp.behind.generate = async (exchange) => {
      requested = JSON.parse(Buffer.from(await exchange.body.bytes()).toString()).model;
      return answering({ data: [{ b64_json: pixel }] });
    };
    await mcp.callTool('generate-image', { prompt: 'a cat' });
    expect(requested).toBe(used);
    const [listed] = (await mcp.callTool('list-image-models', {})).content;
    expect(listed?.text?.match(/(?<=\*\*Model ID:\*\* `).*(?=`)/)?.[0]).toBe(ids.length === 0 ? undefined : used);
  });

  test('reports the sizes of the images, and how many are missing', async () => {
    const images = await Promise.all([blank(1328, 1328, 'png'), blank(1328, 1328, 'jpeg'), blank(64, 32, 'webp')]);
    mcp.behind.generate = async () => answering({ data: images.map((image) => ({ b64_json: image })) });
    const { content } = await mcp.callTool('generate-image', { prompt: 'x', model: 'm', n: 4, size: '1024x1024' });
    expect(content.at(-1)).toEqual(text('3 images of 4 by m, 1328x1328 and 64x32.'));
  });

  test.each([0, 5, 1.5])('refuses to generate %d images', async (n) => {
    const result = await mcp.callTool('generate-image', { prompt: 'x', n });
    expect(result).toEqual(failed(expect.stringContaining(' n must be '), { code: 'invalid_parameters' }));
  });

  test.each([1, 4])('generates %d images', async (n) => {
    mcp.behind.generate = async () => answering({ data: [{ b64_json: pixel }] });
    expect(await mcp.callTool('generate-image', { prompt: 'x', n })).not.toHaveProperty('isError');
  });

  test.each([
    [{ model: 'x' }, "No provider of 'x' can be called.", ' list-image-models lists the models you can call.'],
    [{ model: 'x' }, 'There is no model x. Did you mean y?', ''],
    [{ model: 'x' }, 'There is no model x. GET /v1/models lists all.', ''],
  ])('explains a model that cannot be used: %j, %s', async (input, message, advice) => {
    mcp.behind.generate = () => Promise.reject(new GatewayError('model_not_found', message, { param: 'model' }));
    const words = message.replace('GET /v1/models', 'list-image-models') + advice;
    const result = await mcp.callTool('generate-image', { prompt: 'x', ...input });
    expect(result).toEqual(failed(words, { code: 'model_not_found' }));
  });

  test('fails without an image', async () => {
    mcp.behind.generate = async () => answering({ data: [] });
    const words = 'The provider returned no image. Change the prompt or use another model.';
    expect(await mcp.callTool('generate-image', { prompt: 'x' })).toEqual(failed(words, { code: 'upstream_error' }));
  });
});

describe('generate-preview-image', () => {
  const answerPixel = async () => answering({ data: [{ b64_json: pixel }], metadata: { used_model: 'm' } });
  const shown = { type: 'image', data: pixel, mimeType: 'image/png' };

  test.each([
    ['1:1', '1024x1024'],
    ['16:9', '1344x756'],
    ['4:3', '1152x864'],
    ['5:4', '1120x896'],
  ])('asks for an image of exactly %s', async (ratio, size) => {
    let body: unknown;
    mcp.behind.generate = async (exchange) => {
      body = JSON.parse(Buffer.from(await exchange.body.bytes()).toString());
      return answerPixel();
    };
    await mcp.callTool('generate-preview-image', { prompt: 'x', aspect_ratio: ratio });
    expect(body).toEqual({ prompt: 'x', model: 'gemini-3-pro-image-preview', n: 1, size });
    const [width, height] = size.split('x').map(Number);
    const [across, down] = ratio.split(':').map(Number);
    expect(width! * down!).toBe(height! * across!);
  });

  test('shows the image, and writes nothing without UPLOAD_DIR', async () => {
    mcp.behind.generate = answerPixel;
    const result = await mcp.callTool('generate-preview-image', { prompt: 'x', filename: 'a.png' });
    expect(result).toEqual({ content: [shown, text('1 image by m, 1x1.')] });
  });

  test('checks the name before anything is paid for, with or without UPLOAD_DIR', async () => {
    mcp.behind.generate = () => Promise.reject(new Error('It was called.'));
    const words = 'Invalid filename: it contains a path separator. Use a plain name such as cat.png.';
    const result = await mcp.callTool('generate-preview-image', { prompt: 'x', filename: '../cat.png' });
    expect(result).toEqual(failed(words, { code: 'invalid_parameters' }));
  });

  test('saves in UPLOAD_DIR, and reports when it cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallyport-previews-'));
    const saving = await openMcp({ UPLOAD_DIR: folder });
    saving.behind.generate = answerPixel;
    const call = () => saving.callTool('generate-preview-image', { prompt: 'x', filename: 'cat.png' });
    expect((await call()).content).toEqual([shown, text('1 image by m, 1x1. Saved as cat.png.')]);
    expect((await call()).content).toEqual([shown, text('1 image by m, 1x1. Saved as cat-1.png.')]);
    expect(readFileSync(join(folder, 'cat-1.png')).toString('base64')).toBe(pixel);
    await saving.callTool('generate-preview-image', { prompt: 'x' });
    expect(readdirSync(folder).toSorted()).toEqual([
      'cat-1.png',
      'cat.png',
      expect.stringMatching(/^preview-image-[\dTZ-]+\.png$/),
    ]);
    for (const others of [() => false, () => Promise.reject(new Error('Away.'))]) {
      saving.behind.isOnlyAccount = others;
      expect((await call()).content.at(-1)?.text).toMatch(/Saved as acc_1\/cat(-1)?\.png\.$/);
    }
    expect(readFileSync(join(folder, 'acc_1', 'cat-1.png')).toString('base64')).toBe(pixel);
    rmSync(folder, { recursive: true });
    await saving.stop();

    const broken = await openMcp({ UPLOAD_DIR: '/dev/null' });
    broken.behind.generate = answerPixel;
    expect(await broken.callTool('generate-preview-image', { prompt: 'x' })).toEqual({
      content: [shown, text("1 image by m, 1x1. It could not be saved: the server's upload folder is not a folder.")],
      isError: true,
    });
    expect(await broken.metrics()).toContain('gateway_mcp_save_failures_total 1');
    await broken.stop();
  });
});

describe('lists', () => {
  const record = (id: string, family: string, output: string[], pricing: object) => ({
    id,
    family,
    pricing,
    name: `Model ${id}`,
    description: `What ${id} does.`,
    object: 'model',
    created: 1,
    architecture: { input_modalities: ['text'], output_modalities: output, tokenizer: 'Other' },
    providers: [{ providerId: 'p', modelName: id }],
    stability: 'stable',
  });
  const data = [
    record('a', 'One', ['text'], { prompt: '0.1' }),
    record('b', 'two', ['image'], { image: '0.03', request: '0', completion: '0' }),
    record('c', 'two', ['text', 'image'], { image: '0' }),
    record('d', 'two', ['embeddings'], { prompt: '0' }),
  ];
  const entry = (id: string, family: string, output: string[], pricing: object) => ({
    id,
    family,
    output,
    pricing,
    name: `Model ${id}`,
    description: `What ${id} does.`,
    providers: ['p'],
    input: ['text'],
    stability: 'stable',
  });

  test.each([
    ['all', {}, ['a', 'b', 'c'], 3],
    ['two of them', { limit: 2 }, ['a', 'b'], 3],
    ['a family', { family: ' TWO ' }, ['b', 'c'], 2],
    ['an unknown family', { family: 'x' }, [], 0],
  ])('list-models shows %s', async (_name, input, ids, total) => {
    mcp.behind.listModels = async () => answering({ object: 'list', data });
    const { structuredContent, content } = await mcp.callTool('list-models', input);
    const { models } = structuredContent as { models: { id: string }[] };
    expect([models.map(({ id }) => id), structuredContent?.total]).toEqual([ids, total]);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });

  test('list-models shows twenty by default', async () => {
    mcp.behind.listModels = async () => answering({ data: Array.from({ length: 21 }, () => data[0]) });
    const { structuredContent } = await mcp.callTool('list-models', {});
    expect(structuredContent).toEqual({
      models: Array.from({ length: 20 }, () => entry('a', 'One', ['text'], { prompt: '0.1' })),
      total: 21,
    });
  });

  describe('omit models and providers that cannot be called', () => {
    const both = [
      { ...data[2]!, id: 'two-providers', providers: ['p', 'q', 'r'].map((providerId) => ({ providerId })) },
      { ...data[2]!, id: 'locked', providers: [{ providerId: 'q' }] },
      { ...data[2]!, id: 'gone', providers: [{ providerId: 'q' }] },
    ];
    const offers = [
      { model: 'two-providers', provider: 'p', obstacle: null },
      { model: 'two-providers', provider: 'q', obstacle: 'set Q_API_KEY to use q' },
      { model: 'locked', provider: 'q', obstacle: 'set Q_API_KEY to use q' },
    ];
    const listed = async (name: string) => {
      mcp.behind.listModels = async () => answering({ object: 'list', data: both });
      return mcp.callTool(name, {});
    };
    afterEach(() => {
      mcp.behind.providers = async () => answering({ data: [] });
    });

    test('in list-models', async () => {
      mcp.behind.providers = async () => answering({ object: 'list', data: offers });
      expect((await listed('list-models')).structuredContent).toEqual({
        models: [
          {
            ...entry('two-providers', 'two', ['text', 'image'], { image: '0' }),
            name: 'Model c',
            description: 'What c does.',
          },
          {
            ...entry('gone', 'two', ['text', 'image'], { image: '0' }),
            providers: ['q'],
            name: 'Model c',
            description: 'What c does.',
          },
        ],
        total: 2,
      });
    });

    test('in list-image-models', async () => {
      mcp.behind.providers = async () => answering({ object: 'list', data: offers });
      const [shown] = (await listed('list-image-models')).content;
      expect(shown?.text?.match(/`.*`/g)).toEqual(['`two-providers`', '`gone`']);
      mcp.behind.providers = async () => answering({ data: both.map(({ id }) => ({ ...offers[2], model: id })) });
      expect((await listed('list-image-models')).content).toEqual([
        text('# Image Generation Models\n\nNone can be called: no provider of an image model has a key.'),
      ]);
    });

    test('but list all while chat-svc is unavailable', async () => {
      mcp.behind.providers = () => Promise.reject(new GatewayError('unavailable', 'Away.'));
      expect((await listed('list-models')).structuredContent).toMatchObject({ total: 3 });
    });
  });

  test.each([0, 1001, 'ten'])('list-models refuses the limit %s', async (limit) => {
    const result = await mcp.callTool('list-models', { limit });
    expect(result).toEqual(failed(expect.stringContaining(' limit must be '), { code: 'invalid_parameters' }));
  });

  test('list-image-models returns Markdown with a price for each model', async () => {
    mcp.behind.listModels = async () => answering({ object: 'list', data });
    const { content } = await mcp.callTool('list-image-models', undefined);
    expect(content).toEqual([
      text(
        [
          '# Image Generation Models',
          '## Model b\n- **Model ID:** `b`\n- **Description:** What b does.\n- **Price per request:** $0.03',
          '## Model c\n- **Model ID:** `c`\n- **Description:** What c does.\n- **Price per request:** free',
        ].join('\n\n'),
      ),
    ]);
  });
});

test('a disconnecting client cancels its call', async () => {
  const exchange = Promise.withResolvers<AbortSignal>();
  mcp.behind.generate = ({ signal }) => {
    exchange.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  };
  const leaving = new AbortController();
  const params = { name: 'generate-image', arguments: { prompt: 'x' } };
  const call = mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { signal: leaving.signal });
  const signal = await exchange.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => signal.aborted).toBe(true);
  await expect.poll(mcp.metrics).toContain('tool="generate-image",outcome="error"');
});
