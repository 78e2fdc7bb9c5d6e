import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClientAnswer, type AskOptions, type ImageBench, startImageBench } from '../testing/image-bench.ts';
import { pictureBytes, pictureOf } from '../testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench({ environment: { CACHE_IMAGES: 'true' } });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newLamp = (changes: object = {}) => ({
  model: 'sandbox-image',
  prompt: `a lamp, ${(sequence += 1)}`,
  size: '64x64',
  ...changes,
});
const generate = (body: object, options: AskOptions = {}, at = bench): Promise<ClientAnswer> =>
  at.generate(body, { principal, ...options });
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const calls = (): number => bench.simulator.requests.length;
const nothingHeld = () => expect.poll(() => bench.metrics()).toContain('gateway_image_bytes_held 0\n');

/** Of the same type, with other bytes. */
const anotherPicture = async (): Promise<string> =>
  `data:image/png;base64,${Buffer.concat([await pictureBytes('png'), Buffer.alloc(3)]).toString('base64')}`;

describe('a repeated request for images', () => {
  test('gets the same bytes, marked as cached, at no cost', async () => {
    const lamp = newLamp();
    const first = await generate(lamp);
    const again = await generate(lamp);
    expect([cacheOf(first), cacheOf(again), calls()]).toEqual(['MISS', 'HIT', 1]);
    // A cached answer tried nothing.
    const { not_tried: others, ...metadata } = first.body['metadata'] as Record<string, unknown>;
    expect(others).toHaveLength(2);
    expect(again.body).toEqual({
      ...first.body,
      usage: { ...(first.body['usage'] as object), cost: 0 },
      metadata: { ...metadata, cached: true, routing: [] },
    });
    expect(again.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(JSON.stringify(again.body))),
      'server-timing': expect.stringMatching(/^plan;dur=[\d.]+, upstream;dur=0\.0$/),
      'x-tallyport-attempts': '0',
      'x-tallyport-cache': 'HIT',
      'x-tallyport-model': 'sandbox-a/sandbox-image',
      'x-tallyport-provider': 'sandbox-a',
    });
    await nothingHeld();
  });

  test('reports the size that the provider made', async () => {
    const lamp = newLamp({ model: 'qwen-image-plus', size: '1024x1024' });
    const answers = [await generate(lamp), await generate(lamp)];
    expect(answers.map(cacheOf)).toEqual(['MISS', 'HIT']);
    const image = { requested_size: '1024x1024', size: '1024x1024', made_size: '1328x1328' };
    expect(answers.map(({ body }) => body['metadata'])).toMatchObject([{ images: [image] }, { images: [image] }]);
  });

  test('leaves a record that says so, and is counted', async () => {
    const lamp = newLamp();
    await generate(lamp);
    await generate(lamp);
    await expect
      .poll(() => bench.usage.at(-1))
      .toMatchObject({ operation: 'image_generation', cached: true, cost: '0', images: 0, attempts: [] });
    expect(await bench.metrics()).toMatch(/gateway_cache_requests_total\{result="hit",mode="image"\} [1-9]/);
  });

  test('uses no tokens of a limit', async () => {
    const lamp = newLamp();
    const limited = { principal: { ...principal, tokensPerMinute: { account: 2_100 } } };
    const answers = [await generate(lamp, limited), await generate(lamp, limited), await generate(lamp, limited)];
    expect(answers.map(cacheOf)).toEqual(['MISS', 'HIT', 'HIT']);
  });

  test('is equal for any `user`', async () => {
    const lamp = newLamp();
    await generate({ ...lamp, user: 'one' });
    expect(cacheOf(await generate({ ...lamp, user: 'other', n: 1 }))).toBe('HIT');
  });

  test('of an edit is equal as JSON and as a form', async () => {
    const edit = newLamp({ size: '1024x1024' });
    const form = new FormData();
    for (const [name, value] of Object.entries(edit)) form.set(name, value);
    form.set('image', new Blob([await pictureBytes('png')]), 'a.png');
    const sent = new Response(form);
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    const answers = [
      await bench.edit({ ...edit, images: [{ image_url: await pictureOf('png') }] }, { principal }),
      await bench.edit(new Uint8Array(await sent.arrayBuffer()), { principal, headers }),
      await bench.edit({ ...edit, images: [{ image_url: await pictureOf('jpeg') }] }, { principal }),
      await bench.edit({ ...edit, images: [{ image_url: await anotherPicture() }] }, { principal }),
    ];
    expect(answers.map(cacheOf)).toEqual(['MISS', 'HIT', 'MISS', 'MISS']);
  });
});

describe('no client gets', () => {
  test.each<[string, object, AskOptions]>([
    ["another account's", {}, { principal: { accountId: 'other', keyId: 'key' } }],
    ['those of another prompt', { prompt: 'a chair' }, {}],
    ['those of another size', { size: '64x32' }, {}],
    ['more of them', { n: 2 }, {}],
    ['those of another format', { output_format: 'webp' }, {}],
    ['those of a model by the name of its provider', { model: 'sandbox-a/sandbox-image' }, {}],
    ['those another provider may have made', {}, { headers: { 'x-no-fallback': 'true' } }],
    ['those its key may not use', {}, { principal: { ...principal, allowedProviders: ['sandbox-b'] } }],
  ])('%s', async (_, changes, options) => {
    const lamp = newLamp();
    const answers = [await generate(lamp), await generate({ ...lamp, ...changes }, options)];
    expect([answers.map(cacheOf), calls()]).toEqual([['MISS', 'MISS'], 2]);
  });

  test.each<[string, AskOptions]>([
    ['without an account', { principal: undefined as never }],
    ['with x-no-cache', { headers: { 'x-no-cache': 'true' } }],
    ['with cache-control: no-store', { headers: { 'cache-control': 'no-store' } }],
    ['for a key whose answers are never kept', { principal: { ...principal, cacheTtlSeconds: 0 } }],
  ])('cached images %s', async (_, options) => {
    const lamp = newLamp();
    const answers = [await generate(lamp, options), await generate(lamp, options)];
    expect([answers.map(cacheOf), calls()]).toEqual([['BYPASS', 'BYPASS'], 2]);
  });

  test('cached images unless the operator enables it', async () => {
    const without = await startImageBench();
    const lamp = newLamp();
    expect([await generate(lamp, {}, without), await generate(lamp, {}, without)].map(cacheOf)).toEqual([
      'BYPASS',
      'BYPASS',
    ]);
    await without.close();
  });

  test('fewer images than requested, except the first client', async () => {
    bench.simulator.faults.set({ provider: 'alibaba', fault: 'status:500', times: 1 });
    const lamps = newLamp({ model: 'qwen-image-plus', n: 2, size: undefined });
    const [first, again] = [await generate(lamps), await generate(lamps)];
    expect([first.body.data.length, again.body.data.length]).toEqual([1, 2]);
    expect([first, again].map(cacheOf)).toEqual(['MISS', 'MISS']);
  });

  test('an edit whose images are too large to compare, unlike one at the limit', async () => {
    // Compressible pixels with padding after the end, which is ignored by decoders but counts as input.
    const most = ((16 * 1024 * 1024) / 4) * 3;
    const picture = await pictureBytes('png');
    for (const [bytes, expected] of [
      [most, 'MISS'],
      [most + 3, 'BYPASS'],
    ] as const) {
      const base64 = Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]).toString('base64');
      const images = [{ image_url: `data:image/png;base64,${base64}` }];
      expect(cacheOf(await bench.edit(newLamp({ size: 'auto', images }), { principal }))).toBe(expected);
    }
  });
});

describe('images with several waiting clients', () => {
  test('are made once for a hundred concurrent requests', async () => {
    bench.simulator.faults.set({ fault: 'slow-first-byte:100', times: 1 });
    const lamp = newLamp();
    const answers = await Promise.all(Array.from({ length: 100 }, () => generate(lamp)));
    expect([calls(), new Set(answers.map(({ body }) => body.data[0]?.b64_json)).size]).toEqual([1, 1]);
    expect(answers.map(cacheOf).toSorted()).toEqual([...Array.from({ length: 99 }, () => 'HIT'), 'MISS']);
    await nothingHeld();
  });

  test('are made for the remaining clients when the first one leaves', async () => {
    bench.simulator.faults.set({ fault: 'slow-first-byte:300', times: 1 });
    const lamp = newLamp();
    const leaving = new AbortController();
    const first = generate(lamp, { signal: leaving.signal });
    await expect.poll(calls, { interval: 2 }).toBe(1);
    const other = generate(lamp);
    // It has arrived once images requested after it have been made.
    await generate(newLamp(), { headers: { 'x-no-cache': '1' } });
    leaving.abort();
    await first;
    expect([cacheOf(await other), calls()]).toEqual(['HIT', 2]);
    await nothingHeld();
  });

  test('are not made when no client waits any more', async () => {
    bench.simulator.faults.set({ fault: 'hang', times: 1 });
    const lamp = newLamp();
    const leaving = new AbortController();
    const both = [0, 1].map(() => generate(lamp, { signal: leaving.signal }));
    await expect.poll(calls, { interval: 2 }).toBe(1);
    leaving.abort();
    await Promise.all(both);
    await bench.simulator.waitFor(({ aborted }) => aborted.length === 1);
    expect(cacheOf(await generate(lamp))).toBe('MISS');
    await nothingHeld();
  });

  test('are refused to all as the provider refused them, with one call', async () => {
    bench.simulator.faults.set({ fault: 'slow-first-byte:100' });
    const lamp = newLamp({ prompt: `[safety] ${(sequence += 1)}` });
    const answers = await Promise.all([generate(lamp), generate(lamp), generate(lamp)]);
    expect([answers.map(({ status }) => status), calls()]).toEqual([[400, 400, 400], 1]);
    await nothingHeld();
  });
});

test('images are cached up to the size limit', async () => {
  const lamp = newLamp();
  const { headers } = await generate(lamp);
  const length = Number(headers['content-length']);
  const results: unknown[] = [];
  // The figures in an answer vary in their number of digits.
  for (const limit of [length + 100, length - 100]) {
    const environment = { CACHE_IMAGES: 'true', CACHE_IMAGES_MAX_BYTES: String(limit) };
    const small = await startImageBench({ environment });
    results.push([await generate(lamp, {}, small), await generate(lamp, {}, small)].map(cacheOf));
    await small.close();
  }
  expect(results).toEqual([
    ['MISS', 'HIT'],
    ['MISS', 'MISS'],
  ]);
});
