import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureOf, typesIn } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const model = 'sandbox-image';
const small = { model, prompt: 'a lamp', size: '64x32' };
const paths = () => bench.simulator.requests.map(({ path }) => path);
const routing = (body: { [member: string]: unknown }) =>
  (body.metadata as { routing: { provider: string; error_type: string }[] }).routing.map(
    ({ provider, error_type: type }) => [provider, type],
  );

test('makes an image and reports everything known about it', async () => {
  const { status, headers, body } = await bench.generate(small);
  expect(status).toBe(200);
  expect(headers).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'content-length': expect.stringMatching(/^\d+$/),
    'server-timing': expect.stringMatching(/^plan;dur=[\d.]+, upstream;dur=[\d.]+$/),
    'x-tallyport-attempts': '1',
    'x-tallyport-cache': 'BYPASS',
    'x-tallyport-model': 'sandbox-a/sandbox-image',
    'x-tallyport-provider': 'sandbox-a',
  });
  const provider = 'sandbox-a';
  expect(body).toEqual({
    created: expect.any(Number),
    data: [{ b64_json: expect.stringMatching(/^iVBORw0KGgo/) }],
    background: 'opaque',
    output_format: 'png',
    quality: 'medium',
    size: '64x32',
    usage: expect.objectContaining({ images: 1, cost: 0.04, output_tokens: expect.any(Number) }),
    metadata: {
      request_id: 'req_test',
      requested_model: model,
      requested_provider: null,
      used_model: model,
      used_provider: provider,
      cached: false,
      routing: [
        { provider, model, status_code: 200, error_type: 'none', succeeded: true, duration_ms: expect.any(Number) },
      ],
      not_tried: expect.arrayContaining(
        ['sandbox-b', 'sandbox-c'].map((other) => ({ provider: other, model, reason: 'score' })),
      ),
    },
  });
});

describe('several images', () => {
  test('are made in one call if the vendor makes several', async () => {
    const { body } = await bench.generate({ ...small, n: 3 });
    expect(new Set(body.data.map(({ b64_json: text }) => text)).size).toBe(3);
    expect(paths()).toEqual(['/sandbox-a/v1/images/generations']);
    expect(body.usage).toMatchObject({ images: 3, cost: 0.12 });
  });

  test('are made in one call each, concurrently, if it makes one', async () => {
    const { status, body } = await bench.generate({ model: 'qwen-image-plus', prompt: 'a lamp', n: 3 });
    expect([status, typesIn(body)]).toEqual([200, ['png', 'png', 'png']]);
    const asked = bench.simulator.requests.filter(({ method }) => method === 'POST');
    expect(asked.map(({ images }) => images)).toEqual([1, 1, 1]);
    expect(body.usage).toEqual({ images: 3, cost: 0.12 });
  });

  test('if only some are made, the answer has those and reports the others', async () => {
    bench.simulator.faults.set({ provider: 'alibaba', fault: 'status:500', times: 1 });
    const { status, body } = await bench.generate({ model: 'qwen-image-plus', prompt: 'a lamp', n: 3 });
    expect([status, body.data.length]).toEqual([200, 2]);
    expect(body.metadata).toMatchObject({
      missing: [{ code: 'upstream_error', message: expect.stringContaining('alibaba') }],
    });
    expect(body.usage).toEqual({ images: 2, cost: 0.08 });
  });
});

describe('failover', () => {
  test('moves on to the next provider and reports it', async () => {
    bench.simulator.faults.set({ provider: 'sandbox-a', fault: 'status:503' });
    const { status, headers, body } = await bench.generate(small);
    expect([status, headers['x-tallyport-provider'], headers['x-tallyport-attempts']]).toEqual([200, 'sandbox-b', '2']);
    expect(routing(body)).toEqual([
      ['sandbox-a', 'provider_overloaded'],
      ['sandbox-b', 'none'],
    ]);
  });

  test('does not happen if the client forbids it', async () => {
    bench.simulator.faults.set({ provider: 'sandbox-a', fault: 'status:503' });
    const { error } = await bench.generate(small, { headers: { 'x-no-fallback': 'true' } });
    expect(error).toMatchObject({ code: 'all_providers_failed', status: 502 });
    expect(paths()).toHaveLength(1);
  });

  test.each([
    ['does not happen after a single failure of a prefixed model', {}, 502],
    ['happens after a single failure of a prefixed model on request', { 'x-fallback': 'any-failure' }, 200],
  ])('%s', async (_, headers, expected) => {
    bench.simulator.faults.set({ provider: 'sandbox-a', fault: 'status:503', times: 1 });
    const { status, error } = await bench.generate({ ...small, model: `sandbox-a/${model}` }, { headers });
    expect(error?.status ?? status).toBe(expected);
  });

  test('does not happen if the vendor refuses the prompt', async () => {
    const { error } = await bench.generate({ ...small, prompt: 'a lamp [safety]' });
    expect(error).toMatchObject({ code: 'content_policy_violation', status: 400 });
    expect(paths()).toHaveLength(1);
  });

  test('reports the attempts if all fail', async () => {
    bench.simulator.faults.set({ fault: 'reset' });
    const { error } = await bench.generate(small);
    const attempts = bench.providers.map((provider) => ({
      provider,
      status: null,
      kind: 'provider_connection_failed',
    }));
    expect(error).toMatchObject({ code: 'all_providers_failed', status: 502, attempts });
  });

  test('treats an answer without an image as a failure', async () => {
    const { error } = await bench.generate({ model: 'qwen-image-plus', prompt: '[no-image]' });
    expect(error).toMatchObject({ code: 'all_providers_failed', status: 502 });
  });
});

describe('results behind a URL', () => {
  const qwen = { model: 'qwen-image-plus', prompt: 'a lamp' };
  const made = () => bench.simulator.requests.filter(({ method }) => method === 'POST').length;

  test('are downloaded, following redirects', async () => {
    const { status, body } = await bench.generate({ ...qwen, prompt: '[redirects:3]' });
    expect([status, typesIn(body)]).toEqual([200, ['png']]);
    expect(made()).toBe(1);
  });

  test('are downloaded again after a storage error', async () => {
    bench.simulator.faults.set({ provider: 'alibaba', model: 'result', fault: 'status:503', times: 1 });
    const { status } = await bench.generate(qwen);
    expect([status, made(), bench.simulator.requests.length]).toEqual([200, 1, 3]);
  });

  test.each([
    ['[expired]', 'returned status 403'],
    ['[redirects:4]', 'redirected more than 3 times'],
  ])('are never made again because they cannot be downloaded: %s', async (prompt, reason) => {
    const { error } = await bench.generate({ ...qwen, prompt });
    expect(error).toMatchObject({ code: 'upstream_error', status: 502, message: expect.stringContaining(reason) });
    expect(made()).toBe(1);
  });

  test('are polled until the job is done', async () => {
    const { status, body } = await bench.generate({ model: 'wan2.2-t2i-flash', prompt: 'a lamp' });
    expect([status, typesIn(body)]).toEqual([200, ['png']]);
    expect(body.data[0]?.revised_prompt).toBe('Simulated: a lamp');
    expect(paths().filter((path) => path.includes('/tasks/'))).toHaveLength(2);
    expect(made()).toBe(1);
  });
});

describe('the output format', () => {
  const jpegs = { model: 'seedream-4-0-250828', prompt: 'a lamp', size: '1024x1024' };

  test.each([
    [undefined, 'png'],
    ['png', 'png'],
    ['jpeg', 'jpeg'],
    ['webp', 'webp'],
  ])('%s from a vendor of JPEG is %s', async (output_format, expected) => {
    const { body } = await bench.generate({ ...jpegs, output_format });
    expect([typesIn(body), body.output_format]).toEqual([[expected], expected]);
  });

  test('is detected from the bytes, whatever the vendor declares', async () => {
    const { body } = await bench.generate({ ...small, prompt: '[mislabelled]', output_format: 'jpeg' });
    expect([typesIn(body), body.output_format]).toEqual([['jpeg'], 'jpeg']);
  });

  test('is compressed by the gateway if the vendor cannot', async () => {
    const sizes = [90, 10].map(async (output_compression) => {
      const { body } = await bench.generate({ ...jpegs, output_format: 'webp', output_compression });
      return body.data[0]?.b64_json.length ?? 0;
    });
    const [good = 0, rough = 0] = await Promise.all(sizes);
    expect(rough).toBeLessThan(good);
  });
});

describe('edits', () => {
  const inputs = async () => {
    const [first, second] = await Promise.all([pictureOf('png'), pictureOf('jpeg')]);
    return [{ image_url: first }, { image_url: second }];
  };

  test('as JSON: the vendor gets the images with the right labels', async () => {
    const images = await inputs();
    const mislabelled = images.map(({ image_url: url }) => ({
      image_url: url.replace(/^data:[^;]+/, 'data:image/gif'),
    }));
    const { status, body } = await bench.edit({ ...small, size: 'auto', images: mislabelled });
    expect([status, typesIn(body)]).toEqual([200, ['png']]);
    const [received] = bench.simulator.requests;
    expect(JSON.parse(received?.body ?? '').images).toEqual(images);
  });

  test('as a form: the same', async () => {
    const images = await inputs();
    const form = new FormData();
    form.set('model', model);
    form.set('prompt', 'grüner');
    form.set('n', '2');
    for (const { image_url: url } of images) form.append('image[]', await (await fetch(url)).blob(), 'picture');
    const sent = new Response(form);
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    const { status, body } = await bench.edit(Buffer.from(await sent.arrayBuffer()), { headers });
    expect([status, body.data.length]).toEqual([200, 2]);
    const [received] = bench.simulator.requests;
    expect(JSON.parse(received?.body ?? '')).toEqual({ model, prompt: 'grüner', n: 2, images });
  });

  test('of a megabyte arrive byte for byte', async () => {
    const noise = await sharp(randomBytes(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
      .png()
      .toBuffer();
    const url = `data:image/png;base64,${noise.toString('base64')}`;
    const { status } = await bench.edit({ ...small, size: 'auto', images: [{ image_url: url }] });
    const [received] = bench.simulator.requests;
    const sent = JSON.stringify({ model, prompt: small.prompt, n: 1, images: [{ image_url: url }] });
    expect(status).toBe(200);
    expect(received?.bodyBytes).toBeGreaterThanOrEqual(sent.length);
    expect(received?.body.slice(0, 200_000)).toContain(url.slice(0, 150_000));
  });
});

describe('a client that leaves', () => {
  test('ends the upstream call at once, and no bytes stay held', async () => {
    bench.simulator.faults.set({ fault: 'hang' });
    const leaving = new AbortController();
    const pending = bench.open('generate', small, { signal: leaving.signal });
    await bench.simulator.waitFor(({ requests }) => requests.length === 1);
    leaving.abort();
    await expect(pending).rejects.toMatchObject({ code: 'client_closed_request' });
    await bench.simulator.waitFor(({ aborted }) => aborted.length === 1);
    await expect.poll(() => bench.metrics()).toContain('gateway_image_bytes_held 0\n');
  });
});

test('counts the images made', async () => {
  await bench.generate({ ...small, n: 2 });
  await expect
    .poll(() => bench.metrics())
    .toMatch(/gateway_images_total\{provider="sandbox-a",model="sandbox-image",op="generate",size_class="small"\} \d+/);
  const text = await bench.metrics();
  expect(text).toContain('gateway_inflight_requests{service="image"} 0\n');
  expect(text).toMatch(/gateway_request_duration_seconds_count\{operation="image_generation",provider="sandbox-a"/);
});
