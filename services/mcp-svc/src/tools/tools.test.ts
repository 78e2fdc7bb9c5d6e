import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '@switchyard/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering, type CalledTool, openMcp, type OpenMcp } from '../testing/open-mcp.ts';

let mcp: OpenMcp;
beforeAll(async () => {
  mcp = await openMcp();
});
afterAll(() => mcp.stop());

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const jpeg = Buffer.from('\xff\xd8\xff\xe0 not much of a photo', 'latin1').toString('base64');
const text = (words: string) => ({ type: 'text', text: words });
const messages = [{ role: 'user', content: 'Hi' }];
const failed = (words: unknown, error: object): CalledTool => ({
  content: [{ type: 'text', text: words as string }],
  isError: true,
  _meta: { 'switchyard/error': error },
});

describe('chat', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const completion = (message: object) => ({
    id: 'chatcmpl-1',
    model: 'sandbox-a/sandbox-chat',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { ...usage, cost: 0.1 },
  });

  test('asks what it is asked, and answers as text and as data', async () => {
    let body: unknown;
    mcp.behind.complete = async (asked) => {
      body = JSON.parse(Buffer.from(await asked.body.bytes()).toString());
      return answering(completion({ content: 'Hello' }));
    };
    const request = { model: 'sandbox-chat', messages, temperature: 2, max_tokens: 5 };
    expect(await mcp.callTool('chat', request)).toEqual({
      content: [text('Hello')],
      structuredContent: { model: 'sandbox-a/sandbox-chat', content: 'Hello', finish_reason: 'stop', usage },
    });
    expect(body).toEqual(request);
  });

  test('shows images a model makes, labelled by their bytes', async () => {
    const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${jpeg}` } }];
    mcp.behind.complete = async () => answering(completion({ content: '', images }));
    const { content } = await mcp.callTool('chat', { model: 'm', messages });
    expect(content).toEqual([{ type: 'image', data: jpeg, mimeType: 'image/jpeg' }]);
  });

  test.each([
    ['no model', { messages }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['an empty conversation', { model: 'm', messages: [] }, 'messages'],
    ['a message without a role', { model: 'm', messages: [{ content: 'x' }] }, 'messages.0.role'],
    ['temperature 2.1', { model: 'm', messages, temperature: 2.1 }, 'temperature'],
    ['temperature -0.1', { model: 'm', messages, temperature: -0.1 }, 'temperature'],
    ['max_tokens 0', { model: 'm', messages, max_tokens: 0 }, 'max_tokens'],
    ['half a token', { model: 'm', messages, max_tokens: 1.5 }, 'max_tokens'],
    ['a parameter that is not there', { model: 'm', messages, tempreature: 1 }, 'tempreature'],
  ])('%s is told in a sentence', async (_name, input, named) => {
    const words = expect.stringMatching(new RegExp(`^The arguments do not fit\\. .*${named}`));
    expect(await mcp.callTool('chat', input)).toEqual(failed(words, { code: 'invalid_parameters' }));
  });

  test.each([
    [
      new GatewayError('rate_limit_exceeded', 'The limit of tokens is reached.', { retryAfterMs: 1500 }),
      'Rate limited. The limit of tokens is reached. Retry after 2 s.',
      { code: 'rate_limit_exceeded', retryAfter: 2 },
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
  ])('%s is told in a sentence', async (error, words, told) => {
    mcp.behind.complete = () => Promise.reject(error);
    expect(await mcp.callTool('chat', { model: 'm', messages })).toEqual(failed(words, told));
  });
});

describe('generate-image', () => {
  test('asks with its defaults and answers with labelled images', async () => {
    let body: unknown;
    mcp.behind.generate = async (asked) => {
      body = JSON.parse(Buffer.from(await asked.body.bytes()).toString());
      const metadata = { used_provider: 'p', used_model: 'some-model' };
      return answering({ created: 1, data: [{ b64_json: pixel }, { b64_json: jpeg }], metadata });
    };
    expect(await mcp.callTool('generate-image', { prompt: 'a cat' })).toEqual({
      content: [
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'image', data: jpeg, mimeType: 'image/jpeg' },
        text('2 images by p/some-model, 1024x1024.'),
      ],
    });
    expect(body).toEqual({ prompt: 'a cat', model: 'qwen-image-plus', size: '1024x1024', n: 1 });
  });

  test.each([0, 5, 1.5])('%d images are too few or too many', async (n) => {
    const result = await mcp.callTool('generate-image', { prompt: 'x', n });
    expect(result).toEqual(failed(expect.stringContaining('n: '), { code: 'invalid_parameters' }));
  });

  test.each([1, 4])('%d images can be asked for', async (n) => {
    mcp.behind.generate = async () => answering({ data: [{ b64_json: pixel }] });
    expect(await mcp.callTool('generate-image', { prompt: 'x', n })).not.toHaveProperty('isError');
  });

  test('no image is a failure', async () => {
    mcp.behind.generate = async () => answering({ data: [] });
    const words = 'The provider made no image. Change the prompt or take another model.';
    expect(await mcp.callTool('generate-image', { prompt: 'x' })).toEqual(failed(words, { code: 'upstream_error' }));
  });
});

describe('generate-preview-image', () => {
  const answerPixel = async () => answering({ data: [{ b64_json: pixel }], metadata: { used_model: 'm' } });
  const shown = { type: 'image', data: pixel, mimeType: 'image/png' };

  test('shows the image, and writes nothing without UPLOAD_DIR', async () => {
    let body: unknown;
    mcp.behind.generate = async (asked) => {
      body = JSON.parse(Buffer.from(await asked.body.bytes()).toString());
      return answerPixel();
    };
    const result = await mcp.callTool('generate-preview-image', {
      prompt: 'x',
      aspect_ratio: '16:9',
      filename: 'a.png',
    });
    expect(result).toEqual({ content: [shown, text('1 image by m, 16:9.')] });
    expect(body).toEqual({ prompt: 'x', model: 'gemini-3-pro-image-preview', n: 1, size: '1344x768' });
  });

  test('refuses a name before anything is paid for, with UPLOAD_DIR or without', async () => {
    mcp.behind.generate = () => Promise.reject(new Error('It was asked.'));
    const words = 'Invalid filename: it has a path separator. Give a plain name such as cat.png.';
    const result = await mcp.callTool('generate-preview-image', { prompt: 'x', filename: '../cat.png' });
    expect(result).toEqual(failed(words, { code: 'invalid_parameters' }));
  });

  test('saves where UPLOAD_DIR says, and tells when it cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-previews-'));
    const saving = await openMcp({ UPLOAD_DIR: folder });
    saving.behind.generate = answerPixel;
    const call = () => saving.callTool('generate-preview-image', { prompt: 'x', filename: 'cat.png' });
    expect((await call()).content).toEqual([shown, text('1 image by m. Saved as cat.png.')]);
    expect((await call()).content).toEqual([shown, text('1 image by m. Saved as cat-1.png.')]);
    expect(readFileSync(join(folder, 'cat-1.png')).toString('base64')).toBe(pixel);
    await saving.callTool('generate-preview-image', { prompt: 'x' });
    expect(readdirSync(folder).toSorted()).toEqual([
      'cat-1.png',
      'cat.png',
      expect.stringMatching(/^preview-image-[\dTZ-]+\.png$/),
    ]);
    rmSync(folder, { recursive: true });
    await saving.stop();

    const broken = await openMcp({ UPLOAD_DIR: '/dev/null' });
    broken.behind.generate = answerPixel;
    expect(await broken.callTool('generate-preview-image', { prompt: 'x' })).toEqual({
      content: [shown, text('1 image by m. It could not be saved: the upload folder of the server is not a folder.')],
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
    record('b', 'two', ['image'], { image: '0.03' }),
    record('c', 'two', ['text', 'image'], { image: '0' }),
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
    ['a family nobody knows', { family: 'x' }, [], 0],
  ])('list-models shows %s', async (_name, input, ids, total) => {
    mcp.behind.listModels = async () => answering({ object: 'list', data });
    const { structuredContent, content } = await mcp.callTool('list-models', input);
    const { models } = structuredContent as { models: { id: string }[] };
    expect([models.map(({ id }) => id), structuredContent?.total]).toEqual([ids, total]);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });

  test('list-models shows twenty unless told', async () => {
    mcp.behind.listModels = async () => answering({ data: Array.from({ length: 21 }, () => data[0]) });
    const { structuredContent } = await mcp.callTool('list-models', {});
    expect(structuredContent).toEqual({
      models: Array.from({ length: 20 }, () => entry('a', 'One', ['text'], { prompt: '0.1' })),
      total: 21,
    });
  });

  test.each([0, 1001, 'ten'])('list-models cannot show %s', async (limit) => {
    const result = await mcp.callTool('list-models', { limit });
    expect(result).toEqual(failed(expect.stringContaining('limit: '), { code: 'invalid_parameters' }));
  });

  test('list-image-models is Markdown with a price for each', async () => {
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

test('a client that leaves cancels what was asked for it', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  mcp.behind.generate = ({ signal }) => {
    asked.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  };
  const leaving = new AbortController();
  const params = { name: 'generate-image', arguments: { prompt: 'x' } };
  const call = mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { signal: leaving.signal });
  const signal = await asked.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => signal.aborted).toBe(true);
  await expect.poll(mcp.metrics).toContain('tool="generate-image",outcome="error"');
});
