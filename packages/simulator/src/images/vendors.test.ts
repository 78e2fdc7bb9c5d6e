import { isObject, objectsOf, makeImage, formatOf } from '@tallyport/sandbox';
import { ask } from '@tallyport/sandbox/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const authorization = 'Bearer sim-key';

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const { status, text } = await ask({ url: simulator.url + path, body, headers: { authorization, ...headers } });
  return { status, body: JSON.parse(text) };
}

/** Every URL in an answer, at any depth. */
function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('http') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(urlsIn);
  return isObject(value) ? Object.values(value).flatMap(urlsIn) : [];
}

const download = (url: string) => ask({ url, method: 'GET' });

const picture = `data:image/png;base64,${makeImage({ about: 'cat', width: 64, height: 64, format: 'png' }).toString('base64')}`;

const qwen = '/alibaba/api/v1/services/aigc/multimodal-generation/generation';
const wan = '/alibaba/api/v1/services/aigc/text2image/image-synthesis';

const chatOf = (model: string, { text = 'A fox', images = [] as string[], parameters = {} }) => ({
  model,
  input: { messages: [{ role: 'user', content: [...images.map((image) => ({ image })), { text }] }] },
  parameters,
});

/** For each vendor: a valid request, its images, and invalid requests. */
const vendors = [
  {
    path: qwen,
    good: chatOf('qwen-image-plus', { parameters: { size: '1664*928', seed: 1 } }),
    withPrompt: (text: string) => chatOf('qwen-image-2.0', { text, parameters: { n: 3 } }),
    format: 'png',
    refused: [
      [chatOf('qwen-image', { parameters: { n: 2 } }), 'InvalidParameter'],
      [chatOf('qwen-image', { parameters: { size: '1024*1024' } }), 'InvalidParameter'],
      [chatOf('qwen-image', { images: [picture] }), 'InvalidParameter'],
      [chatOf('qwen-image-2.0', { parameters: { n: 7 } }), 'InvalidParameter'],
      [chatOf('qwen-image-2.0', { parameters: { size: '1024x1024' } }), 'InvalidParameter'],
      [chatOf('qwen-image-2.0', { parameters: { size: '2048*2064' } }), 'InvalidParameter'],
      [chatOf('qwen-image-edit', { images: [picture], parameters: { size: '512*512' } }), 'InvalidParameter'],
      [chatOf('qwen-image-edit', {}), 'InvalidParameter'],
      [chatOf('qwen-image-edit-plus', { images: Array(4).fill(picture) }), 'InvalidParameter'],
      [chatOf('qwen-image-edit-plus', { images: ['data:image/png;base64,AAAA'] }), 'InvalidParameter'],
      [chatOf('qwen-image', { text: 'x'.repeat(801) }), 'InvalidParameter'],
      [chatOf('qwen-image', { text: 'A [safety] fox' }), 'DataInspectionFailed'],
      [chatOf('nobody', {}), 'ModelNotFound'],
    ],
  },
  {
    path: '/zai/api/paas/v4/images/generations',
    good: { model: 'cogview-4-250304', prompt: 'A fox', size: '2048x1024' },
    withPrompt: (prompt: string) => ({ model: 'glm-image', prompt }),
    format: 'png',
    refused: [
      [{ model: 'cogview-4-250304', prompt: 'A fox', n: 2 }, '1210'],
      [{ model: 'cogview-4-250304', prompt: 'A fox', size: '2048x2048' }, '1210'],
      [{ model: 'cogview-4-250304', prompt: 'A fox', size: '1000x1000' }, '1210'],
      [{ model: 'glm-image', prompt: 'A fox', size: '512x512' }, '1210'],
      [{ model: 'glm-image', prompt: 'A fox', quality: 'standard' }, '1210'],
      [{ model: 'glm-image', prompt: 'A [safety] fox' }, '1301'],
      [{ model: 'cogview-9', prompt: 'A fox' }, '1211'],
    ],
  },
  {
    path: '/bytedance/api/v3/images/generations',
    good: { model: 'seedream-4-5-251128', prompt: 'A fox', size: '2K', image: [picture, picture], watermark: false },
    withPrompt: (prompt: string) => ({
      model: 'seedream-4-0-250828',
      prompt,
      size: '1024x1024',
      sequential_image_generation: 'auto',
      sequential_image_generation_options: { max_images: 3 },
    }),
    format: 'jpeg',
    refused: [
      [{ model: 'seedream-4-5-251128', prompt: 'A fox', size: '1024x1024' }, 'InvalidParameter'],
      [{ model: 'seedream-4-5-251128', prompt: 'A fox', size: '1K' }, 'InvalidParameter'],
      [{ model: 'seedream-4-0-250828', prompt: 'A fox', n: 2 }, 'InvalidParameter'],
      [{ model: 'seedream-4-0-250828', prompt: 'A fox', image: Array(15).fill(picture) }, 'InvalidParameter'],
      [{ model: 'seedream-4-0-250828', prompt: 'A fox', image: picture.replace('png', 'PNG') }, 'InvalidParameter'],
      [{ model: 'seedream-4-0-250828', prompt: 'A [safety] fox' }, 'InputTextSensitiveContentDetected'],
      [{ model: 'seedream-4-0', prompt: 'A fox' }, 'InvalidEndpointOrModel.NotFound'],
    ],
  },
  {
    path: '/xai/v1/images/generations',
    good: { model: 'grok-imagine-image', prompt: 'A fox', n: 2, aspect_ratio: '16:9', resolution: '2k' },
    withPrompt: (prompt: string) => ({ model: 'grok-imagine-image', prompt, n: 3 }),
    format: 'jpeg',
    refused: [
      [{ model: 'grok-imagine-image', prompt: 'A fox', size: '1024x1024' }, 'Client specified an invalid argument'],
      [{ model: 'grok-imagine-image', prompt: 'A fox', style: 'vivid' }, 'Client specified an invalid argument'],
      [{ model: 'grok-imagine-image', prompt: 'A fox', quality: 'high' }, 'Client specified an invalid argument'],
      [{ model: 'grok-imagine-image', prompt: 'A fox', n: 11 }, 'Client specified an invalid argument'],
      [{ model: 'grok-imagine-image', prompt: 'A fox', aspect_ratio: '5:4' }, 'Client specified an invalid argument'],
    ],
  },
  {
    path: '/together/v1/images/generations',
    good: { model: 'black-forest-labs/FLUX.1-schnell', prompt: 'A fox', width: 512, height: 768, steps: 4 },
    withPrompt: (prompt: string) => ({ model: 'black-forest-labs/FLUX.1-schnell', prompt, n: 3 }),
    format: 'jpeg',
    refused: [
      [{ model: 'a/b', prompt: 'A fox', n: 5 }, 'invalid_request'],
      [{ model: 'a/b', prompt: 'A fox', size: '512x512' }, 'unsupported_parameter'],
      [{ model: 'a/b', prompt: 'A fox', response_format: 'b64_json' }, 'invalid_request'],
      [{ model: 'a/b', prompt: 'A [safety] fox' }, 'content_policy_violation'],
    ],
  },
] as const;

describe.each(vendors)('$path', ({ path, good, withPrompt, format, refused }) => {
  test('makes images that can be downloaded without a key', async () => {
    const { status, body } = await post(path, good);
    expect(status).toBe(200);
    const urls = urlsIn(body);
    const results = await Promise.all(urls.map(download));
    expect(results.map((result) => [result.status, result.headers['content-type'], formatOf(result.body)])).toEqual(
      urls.map(() => [200, `image/${format}`, format]),
    );
    expect(urls.length).toBe('n' in good ? good.n : 1);
    expect(simulator.requests[0]?.images).toBe(urls.length);
  });

  test.each(refused.map(([body, code]) => [code, body] as const))('refuses with %s: %o', async (code, body) => {
    const answer = await post(path, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.code ?? answer.body.error.code).toBe(code);
    expect(simulator.requests[0]).not.toHaveProperty('images');
  });

  test('has signed URLs that expire and may redirect', async () => {
    const [expired = ''] = urlsIn((await post(path, withPrompt('A fox [expired]'))).body);
    expect((await download(expired)).text).toContain('Request has expired.');
    expect((await download(expired.replace(/Expires=\d+/, 'Expires=9999999999'))).status).toBe(403);
    const [first = ''] = urlsIn((await post(path, withPrompt('A fox [redirects:1]'))).body);
    const redirect = await download(first);
    expect(redirect.status).toBe(302);
    expect(formatOf((await download(String(redirect.headers.location))).body)).toBe(format);
  });

  test('applies faults to downloads only', async () => {
    simulator.faults.set({ model: 'result', fault: 'status:503', times: 1 });
    const [url = ''] = urlsIn((await post(path, withPrompt('A fox'))).body);
    expect((await download(url)).status).toBe(503);
    expect((await download(url)).status).toBe(200);
  });

  test('declares a wrong type and pads to exact bytes on request', async () => {
    const [url = ''] = urlsIn((await post(path, withPrompt('A fox [mislabelled] [bytes:1000000]'))).body);
    const { body } = await download(url);
    expect(formatOf(body)).not.toBe(format);
    expect(body).toHaveLength(1_000_000);
  });

  test('requires a key', async () => {
    expect(await post(path, good, { authorization: 'Bearer wrong' })).toMatchObject({
      status: expect.toBeOneOf([400, 401]),
    });
  });

  test('applies faults in its own format', async () => {
    simulator.faults.set({ fault: 'status:429' });
    const { status, body } = await post(path, good);
    expect(status).toBe(429);
    expect(JSON.stringify(body)).toMatch(/Throttling|1302|RateLimit|exhausted|rate_limit/);
  });
});

test('some of several images fail beside good ones', async () => {
  const [qwenTwo, , seedream, grok] = vendors;
  const made = async ({ path, withPrompt }: (typeof vendors)[number]) =>
    (await post(path, withPrompt('A fox [partial]'))).body;
  expect(urlsIn(await made(qwenTwo))).toHaveLength(2);
  const { data } = await made(seedream);
  expect(objectsOf(data).map((member) => Object.keys(member))).toEqual([['url', 'size'], ['error'], ['url', 'size']]);
  expect(objectsOf((await made(grok)).data).map((member) => member.respect_moderation)).toEqual([true, false, true]);
});

test('edits accept images, at most three at xAI', async () => {
  const edit = (count: number) =>
    post('/xai/v1/images/edits', {
      model: 'grok-imagine-image',
      prompt: 'A hat',
      images: Array.from({ length: count }, () => ({ url: picture, type: 'image_url' })),
      response_format: 'b64_json',
    });
  expect(formatOf(Buffer.from((await edit(3)).body.data[0].b64_json, 'base64'))).toBe('jpeg');
  expect((await edit(4)).status).toBe(400);
});

describe('a job at DashScope', () => {
  const begin = (prompt: string, n = 1, headers = { 'x-dashscope-async': 'enable' }) =>
    post(wan, { model: 'wan2.6-t2i', input: { prompt }, parameters: { n, size: '1280*1280' } }, headers);

  async function poll(id: string) {
    const url = `${simulator.url}/alibaba/api/v1/tasks/${id}`;
    return JSON.parse((await ask({ url, method: 'GET', headers: { authorization } })).text);
  }

  test('is pending, runs, and finishes with the images that could be made', async () => {
    const { task_id: id, task_status: first } = (await begin('A fox [partial]', 2)).body.output;
    expect([first, (await poll(id)).output.task_status]).toEqual(['PENDING', 'RUNNING']);
    const { output, usage } = await poll(id);
    expect(output).toMatchObject({
      task_status: 'SUCCEEDED',
      task_metrics: { TOTAL: 2, SUCCEEDED: 1, FAILED: 1 },
      results: [{ orig_prompt: 'A fox [partial]' }, { code: 'InternalError.Timeout' }],
    });
    expect(usage).toEqual({ image_count: 1 });
    await poll(id);
    expect(simulator.requests.map(({ images = 0 }) => images)).toEqual([0, 0, 1, 0]);
  });

  test('fails late for safety, is unknown to other keys, and must be requested as a job', async () => {
    const { task_id: id } = (await begin('A [safety] fox')).body.output;
    await poll(id);
    expect((await poll(id)).output).toMatchObject({ task_status: 'FAILED', code: 'DataInspectionFailed' });
    expect((await poll('nobody')).output).toMatchObject({ task_status: 'UNKNOWN' });
    const at = { model: 'wan2.6-t2i', input: { prompt: 'A fox' } };
    expect(await post(wan, at)).toMatchObject({ status: 403, body: { code: 'AccessDenied' } });
  });
});
