import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureOf } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterEach(async () => {
  bench.simulator.reset();
  await expect.poll(() => bench.metrics()).toContain('gateway_image_bytes_held 0\n');
});
afterAll(() => bench.close());

interface SentEvent {
  b64_json?: string;
  type?: string;
  [member: string]: unknown;
}

async function streamed(body: object, { at = bench, operation = 'generate', ...options }: StreamOptions = {}) {
  const { head, body: bytes } = await at.open(operation, { ...lamp, stream: true, ...body }, options);
  const text = Buffer.from(await bytes.bytes()).toString();
  const blocks = text.split('\n\n').filter((block) => block !== '');
  const events = blocks.flatMap((block): SentEvent[] => {
    const data = /^data: (\{.*\})$/m.exec(block)?.[1];
    return data === undefined ? [] : [JSON.parse(data)];
  });
  return { head, text, events, isWhole: text.endsWith('data: [DONE]\n\n') };
}

interface StreamOptions extends AskOptions {
  at?: ImageBench;
  operation?: 'generate' | 'edit';
}

const principal = { accountId: 'account', keyId: 'key' };
const lamp = { model: 'sandbox-image', prompt: 'a lamp', size: '64x64' };
const sentBodies = () => bench.simulator.requests.map(({ body }) => JSON.parse(body));
const facts = { created_at: expect.any(Number), size: '64x64', quality: 'medium', background: 'opaque' };
const isPng = expect.stringMatching(/^iVBORw0KGgo/);
const partial = (index: number) => ({
  type: 'image_generation.partial_image',
  b64_json: isPng,
  ...facts,
  output_format: 'png',
  partial_image_index: index,
});

test('sends partial images, then the image with its usage', async () => {
  const { head, events, text, isWhole } = await streamed({ partial_images: 2 });
  const usage = {
    input_tokens: 2,
    input_tokens_details: { image_tokens: 0, text_tokens: 2 },
    output_tokens: 205,
    output_tokens_details: { image_tokens: 205, text_tokens: 0 },
    total_tokens: 207,
    images: 1,
    cost: 0.04,
  };
  expect(events).toEqual([
    partial(0),
    partial(1),
    {
      type: 'image_generation.completed',
      b64_json: isPng,
      ...facts,
      output_format: 'png',
      usage,
      metadata: expect.objectContaining({ used_provider: 'sandbox-a', routing: [expect.anything()] }),
    },
  ]);
  expect(new Set(events.map(({ b64_json: image }) => image)).size).toBe(3);
  expect(text).toMatch(/^event: image_generation\.partial_image\ndata: /);
  expect([isWhole, head.status, head.headers['content-type'], head.headers['x-tallyport-provider']]).toEqual([
    true,
    200,
    'text/event-stream; charset=utf-8',
    'sandbox-a',
  ]);
  expect(sentBodies()).toEqual([expect.objectContaining({ stream: true, partial_images: 2 })]);
});

test('several images have their partial ones, and the last event has the usage of all', async () => {
  const { events } = await streamed({ n: 2, partial_images: 1 });
  const types = events.map(({ type }) => type?.split('.')[1]);
  expect(types).toEqual(['partial_image', 'partial_image', 'completed', 'completed']);
  expect(events.slice(2).map(({ usage }) => usage)).toEqual([
    { input_tokens: 0, output_tokens: 0, total_tokens: 0, images: 0 },
    expect.objectContaining({ output_tokens: 210, images: 2, cost: 0.08 }),
  ]);
});

test.each([
  ['without partial images', {}],
  ['with none of them', { partial_images: 0 }],
])('%s there is one event, and the provider is asked for a whole answer', async (_name, members) => {
  const { events } = await streamed(members);
  expect(events.map(({ type }) => type)).toEqual(['image_generation.completed']);
  expect(sentBodies()).toEqual([expect.not.objectContaining({ stream: true })]);
});

test('a provider that streams no images sends the finished one, in the requested format', async () => {
  const { events } = await streamed({
    model: 'grok-imagine-image',
    size: undefined,
    partial_images: 3,
    output_format: 'webp',
  });
  expect(events).toEqual([
    expect.objectContaining({
      type: 'image_generation.completed',
      b64_json: expect.stringMatching(/^UklGR/),
      output_format: 'webp',
      quality: 'auto',
      background: 'auto',
    }),
  ]);
});

test('partial images are scaled as the image is', async () => {
  const { events } = await streamed({ model: 'gpt-image-1', size: '512x512', partial_images: 1 });
  expect(events.map(({ size }) => size)).toEqual(['512x512', '512x512']);
  expect(events[1]?.metadata).toMatchObject({ images: [{ requested_size: '512x512', made_size: '1024x1024' }] });
});

test('edits have their own names of events', async () => {
  const images = [{ image_url: await pictureOf('png') }];
  const { events } = await streamed({ size: '1024x1024', images, partial_images: 1 }, { operation: 'edit' });
  expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed']);
});

test('a stream that is cut after a partial image ends with an error, and no other provider is asked', async () => {
  bench.simulator.faults.set({ fault: 'error-mid-stream:1', times: 1 });
  const { events, isWhole } = await streamed({ partial_images: 2 }, { principal });
  expect(events).toEqual([partial(0), { error: expect.objectContaining({ code: 'upstream_error' }) }]);
  expect([isWhole, bench.simulator.requests.length]).toEqual([false, 1]);

  const { length } = (await streamed({ partial_images: 2 })).text;
  bench.simulator.reset();
  bench.simulator.faults.set({ fault: `cut:${Math.floor(length / 2)}`, times: 1 });
  const cut = await streamed({ partial_images: 2 }, { principal });
  expect(cut.events.at(-1)).toEqual({ error: expect.objectContaining({ code: 'stream_truncated' }) });
  expect([cut.events[0], cut.isWhole, bench.simulator.requests.length]).toEqual([partial(0), false, 1]);
  await expect.poll(() => bench.usage.at(-1)).toMatchObject({ endReason: 'upstream_cut', images: 0 });
  expect(bench.usage.at(-1)).not.toHaveProperty('provider');
});

test.each(['cut-after-headers', 'error-in-200', 'error-in-200;body=json', 'status:503'])(
  'after %s another provider makes the image',
  async (fault) => {
    bench.simulator.faults.set({ fault, times: 1 });
    const { head, events } = await streamed({ partial_images: 1 });
    expect(events).toEqual([partial(0), expect.objectContaining({ type: 'image_generation.completed' })]);
    expect([head.headers['x-tallyport-attempts'], bench.simulator.requests.length]).toEqual(['2', 2]);
  },
);

test('an event that cannot be read is skipped', async () => {
  bench.simulator.faults.set({ fault: 'malformed-line' });
  const { events } = await streamed({ partial_images: 1 });
  expect(events).toEqual([partial(0), expect.objectContaining({ type: 'image_generation.completed' })]);
});

test('some of several images are an answer', async () => {
  const whole = await streamed({ n: 2, partial_images: 1 });
  bench.simulator.reset();
  bench.simulator.faults.set({ fault: 'error-mid-stream:3', times: 1 });
  const { events, isWhole } = await streamed({ n: 2, partial_images: 1 });
  expect(whole.events).toHaveLength(4);
  expect([events.map(({ type }) => type?.split('.')[1]), isWhole]).toEqual([
    ['partial_image', 'partial_image', 'completed'],
    true,
  ]);
  expect(events.at(-1)?.metadata).toMatchObject({ missing: [{ code: 'upstream_error' }] });
});

test('a refusal before the first event has its own status', async () => {
  await expect(streamed({ prompt: 'a lamp [safety]', partial_images: 1 })).rejects.toMatchObject({
    code: 'content_policy_violation',
    status: 400,
  });
});

test('comments, not whitespace, are sent while the image is made', async () => {
  const own = await startImageBench({ environment: { IMAGE_KEEP_ALIVE_MS: '100', IMAGE_KEEP_ALIVE: 'true' } });
  own.simulator.faults.set({ fault: 'slow-first-byte:400', times: 1 });
  const { text, events, isWhole } = await streamed({ partial_images: 1 }, { at: own });
  expect(text).toMatch(/^(: keep-alive\n\n)+event: /);
  expect([events.length, isWhole]).toEqual([2, true]);
  await own.close();
});

test('a client that leaves after a partial image cancels the call and is billed for the image', async () => {
  bench.simulator.faults.set({ fault: 'drip:60000' });
  const leaving = new AbortController();
  const before = bench.usage.length;
  const body = { ...lamp, stream: true, partial_images: 1 };
  const answer = await bench.open('generate', body, { principal, signal: leaving.signal });
  const reader = answer.body[Symbol.asyncIterator]();
  const first = await reader.next();
  expect(Buffer.from(first.value ?? []).toString()).toContain('partial_image');
  leaving.abort();
  await expect.poll(() => bench.usage.length).toBe(before + 1);
  expect(bench.usage.at(-1)).toMatchObject({ endReason: 'client_gone', source: 'estimated', cost: '0.04', images: 0 });
  await bench.simulator.waitFor(({ requests }) => requests.every(({ outcome }) => outcome === 'aborted'));
});

test('a repeated Idempotency-Key gets the same events without a call', async () => {
  const options = { principal, headers: { 'idempotency-key': 'stream' } };
  const first = await streamed({ partial_images: 2 }, options);
  const again = await streamed({ partial_images: 2 }, options);
  expect([first.events.length, bench.simulator.requests.length]).toEqual([3, 1]);
  expect([again.events, again.isWhole]).toEqual([first.events, true]);
  const headers = { 'idempotency-key': 'stream', 'last-event-id': '1' };
  const rest = await streamed({ partial_images: 2 }, { principal, headers });
  expect(rest.events).toEqual(first.events.slice(1));
});

test('neither streams nor their images are cached', async () => {
  const members = { partial_images: 1, prompt: 'cached' };
  await streamed(members, { principal });
  const { head } = await streamed(members, { principal });
  expect([head.headers['x-tallyport-cache'], bench.simulator.requests.length]).toEqual(['BYPASS', 2]);
});

test('a provider that falls silent after a partial image ends the stream with an error', async () => {
  const own = await startImageBench({ environment: { UPSTREAM_IDLE_TIMEOUT_MS: '100' } });
  own.simulator.faults.set({ fault: 'drip:60000' });
  const { events } = await streamed({ partial_images: 1 }, { at: own });
  expect(events).toEqual([partial(0), { error: expect.objectContaining({ code: 'upstream_timeout' }) }]);
  await own.close();
});

test('a stream that never ends is cut at the limit of a response, and no more partial images are sent than requested', async () => {
  const own = await startImageBench({ environment: { UPSTREAM_MAX_RESPONSE_BYTES: '262144' } });
  own.simulator.faults.set({ fault: 'endless' });
  const { events } = await streamed({ partial_images: 1 }, { at: own });
  expect(events).toEqual([partial(0), { error: expect.objectContaining({ code: 'upstream_error' }) }]);
  await own.simulator.waitFor(({ requests }) => requests.every(({ outcome }) => outcome === 'aborted'));
  await own.close();
});
