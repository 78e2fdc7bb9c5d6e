import type { Model } from '@tallyport/contracts';
import { imageModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, eventsIn, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';
import { patient } from '../../../../tests/support/patience.ts';

/** A model of three providers that makes only images, and one that answers only in text. */
let bench: ChatBench;
let first: string;
let second: string;

function painter(): Model {
  const { offers, ...shared } = sharedModelEntry();
  const painted = offers.map((offer) => ({
    ...offer,
    modelName: imageModel,
    vision: true,
    pricing: { image: '0.02' },
  }));
  return { ...shared, id: imageModel, aliases: [], outputModalities: ['image'], offers: painted };
}

const catalogue = () => ({ version: '1', models: [sharedModelEntry(), painter()] });

beforeAll(async () => {
  bench = await startChatBench({ catalogue: catalogue() });
  [first = '', second = ''] = bench.providers;
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const chat = (changes: object = {}) => ({
  model: imageModel,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'A fox' },
  ],
  ...changes,
});

const sent = () => JSON.parse(bench.simulator.requests.at(-1)?.body ?? '{}');
const chunksIn = (text: string) =>
  eventsIn(text)
    .filter((event) => event.startsWith('{'))
    .map((event) => JSON.parse(event));

/** The label of a data URL, and the size in its bytes: width and height of a PNG are at a fixed offset. */
function look(url: string) {
  const [label, base64 = ''] = url.split(',');
  const bytes = Buffer.from(base64, 'base64');
  return { label, mark: bytes.toString('latin1', 1, 4), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const png = (width: number, height = width) => ({ label: 'data:image/png;base64', mark: 'PNG', width, height });

const attempt = (provider: string, changes: object = {}) => ({
  provider,
  model: imageModel,
  status_code: 200,
  error_type: 'none',
  succeeded: true,
  duration_ms: expect.any(Number),
  ...changes,
});

describe('a whole answer', () => {
  test('has all members, and an image with the right label', async () => {
    const { status, headers, text } = await bench.ask(chat());
    const answer = JSON.parse(text);
    const [image] = answer.choices[0].message.images;
    expect(look(image.image_url.url)).toEqual(png(1024));
    expect({ status, answer }).toEqual({
      status: 200,
      answer: {
        id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
        object: 'chat.completion',
        created: expect.any(Number),
        model: `${first}/${imageModel}`,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: '', refusal: null, images: [{ ...image, index: 0 }] },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: {
          prompt_tokens: 2,
          completion_tokens: 1056,
          total_tokens: 1058,
          prompt_tokens_details: { cached_tokens: 0, text_tokens: 2, image_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0, text_tokens: 0, image_tokens: 1056 },
          cost: 0.02,
        },
        metadata: {
          request_id: 'req_test',
          requested_model: imageModel,
          requested_provider: null,
          cached: false,
          used_model: imageModel,
          used_provider: first,
          routing: [attempt(first)],
          not_tried: expect.arrayContaining(
            bench.providers.slice(1).map((provider) => ({ provider, model: imageModel, reason: 'score' })),
          ),
        },
      },
    });
    expect(headers).toMatchObject({
      'content-length': String(Buffer.byteLength(text)),
      'x-tallyport-provider': first,
      'x-tallyport-attempts': '1',
    });
    expect(sent()).toMatchObject({ prompt: 'A fox', n: 1 });
  });

  test('follows image_config', async () => {
    const { text } = await bench.ask(chat({ image_config: { image_size: '640x352', n: 2 } }));
    const images: { image_url: { url: string }; index: number }[] = JSON.parse(text).choices[0].message.images;
    expect(images.map(({ image_url: { url }, index }) => [index, look(url)])).toEqual([
      [0, png(640, 352)],
      [1, png(640, 352)],
    ]);
    expect(JSON.parse(text).usage.cost).toBe(0.04);
  });

  test('edits the images of the last user message', async () => {
    const { text } = await bench.ask(chat());
    const { url } = JSON.parse(text).choices[0].message.images[0].image_url;
    // A wrong label is corrected, whether the client or a model wrote it.
    const content = [
      { type: 'text', text: 'Put a hat on it.' },
      { type: 'image_url', image_url: { url: url.replace('image/png', 'image/jpeg') } },
    ];
    const messages = [...chat().messages, { role: 'assistant', content: '' }, { role: 'user', content }];
    expect((await bench.ask(chat({ messages }))).status).toBe(200);
    expect(bench.simulator.requests.at(-1)?.path).toMatch(/\/images\/edits$/);
    const [edited] = sent().images ?? [];
    expect(edited).toEqual({ image_url: url });
  });

  test('reports its routing and stays with a pinned provider', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'status:503' });
    const { metadata } = JSON.parse((await bench.ask(chat())).text);
    expect(metadata.routing).toEqual([
      attempt(first, { status_code: 503, error_type: 'provider_overloaded', succeeded: false }),
      attempt(second),
    ]);
    const pinned = await bench.ask(chat({ model: `${second}/${imageModel}` }));
    expect(pinned.headers['x-tallyport-model']).toBe(`${second}/${imageModel}`);
  });

  test('of twelve megabytes is unchanged', async () => {
    const bytes = 9_000_000;
    const messages = [{ role: 'user', content: `A fox [bytes:${bytes}]` }];
    const answer = JSON.parse((await bench.ask(chat({ messages }))).text);
    const [, base64 = ''] = answer.choices[0].message.images[0].image_url.url.split(',');
    expect(Buffer.byteLength(base64, 'base64')).toBe(bytes);
  });
});

describe('a stream', () => {
  test('has the image in its own chunk, metadata on the finish chunk, and ends with [DONE]', async () => {
    const whole = JSON.parse((await bench.ask(chat())).text);
    const { headers, text } = await bench.ask(chat({ stream: true, stream_options: { include_usage: true } }));
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-tallyport-provider': first,
    });
    expect(eventsIn(text).at(-1)).toBe('[DONE]');
    const chunks = chunksIn(text);
    expect(chunks.map(({ choices }) => choices[0])).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
      { index: 0, delta: { images: whole.choices[0].message.images }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop' },
      undefined,
    ]);
    expect(chunks.map(({ usage }) => usage)).toEqual([null, null, null, whole.usage]);
    expect(chunks.map(({ metadata }) => metadata?.used_provider)).toEqual([undefined, undefined, first, undefined]);
    expect(new Set(chunks.map(({ id, object, model }) => [id, object, model].join())).size).toBe(1);
  });

  test('with an Idempotency-Key has the same events with ids, also when it is repeated', async () => {
    const options = { principal: { accountId: 'account', keyId: 'key' }, headers: { 'idempotency-key': 'streamed' } };
    const asked = chat({ stream: true });
    const [first, again] = [await bench.ask(asked, options), await bench.ask(asked, options)];
    expect(again.text).toBe(first.text);
    const events = first.text.split('\n\n').filter((event) => event !== '');
    expect(events.map((event) => event.slice(0, 14))).toEqual([
      'id: 1\ndata: {"',
      'id: 2\ndata: {"',
      'id: 3\ndata: {"',
      'id: 4\ndata: [D',
    ]);
    const [, , image] = events.map((event) => event.split('data: ')[1] ?? '');
    expect(JSON.parse(image ?? '').choices[0].finish_reason).toBe('stop');
    expect(events[1]).toContain('"url":"data:image/');
  });

  test('has no usage unless requested', async () => {
    const { text } = await bench.ask(chat({ stream: true }));
    expect(chunksIn(text).filter((chunk) => 'usage' in chunk)).toEqual([]);
  });
});

describe('a stream of an image that takes long', () => {
  let impatient: ChatBench;
  beforeAll(async () => {
    const environment = { CHAT_HEAD_AFTER_MS: '10', CHAT_KEEP_ALIVE_MS: '10' };
    impatient = await startChatBench({ environment, catalogue: catalogue() });
  });
  afterEach(() => impatient.simulator.reset());
  afterAll(() => impatient.close());

  test('is opened and kept alive with comments', async () => {
    impatient.simulator.faults.set({ fault: 'hang' });
    const { body } = await impatient.open(chat({ stream: true }));
    for await (const bytes of body) {
      expect(Buffer.from(bytes).toString()).toMatch(/^: keep-alive\n\n/);
      break;
    }
  });

  test('can still fail over', async () => {
    impatient.simulator.faults.set({ provider: first, fault: 'status:500,slow-first-byte:150' });
    const { status, headers, text } = await impatient.ask(chat({ stream: true }));
    expect([status, headers['x-tallyport-provider']]).toEqual([200, undefined]);
    expect(chunksIn(text).at(-1).metadata.used_provider).toBe(second);
  });

  test('reports a later failure as an error event', async () => {
    const messages = [{ role: 'user', content: 'A [safety] fox' }];
    impatient.simulator.faults.set({ fault: 'slow-first-byte:100' });
    const { text } = await impatient.ask(chat({ stream: true, messages }));
    const events = eventsIn(text).filter((event) => !event.startsWith(':'));
    expect(events.map((event) => JSON.parse(event).error.code)).toEqual(['content_policy_violation']);
  });
});

describe('a client that leaves', () => {
  test.each([
    ['an answer in one piece', false],
    ['a stream', true],
  ])('%s: the upstream is closed within 300 ms', async (_name, stream) => {
    bench.simulator.faults.set({ fault: 'hang' });
    const leaving = new AbortController();
    const asking = bench.open(chat({ stream }), { signal: leaving.signal });
    const read = asking.then(({ body }) => body.bytes()).catch(() => {});
    await bench.simulator.waitFor(({ requests }) => requests[0]?.body);
    const leftAt = Date.now();
    leaving.abort();
    await read;
    const [aborted] = await bench.simulator.waitFor(({ aborted: all }) => all.length === 1 && all);
    expect((aborted?.endedAt ?? 0) - leftAt).toBeLessThan(patient(3_000));
    await expect.poll(() => bench.metrics()).toContain('gateway_inflight_requests{service="chat"} 0');
  });
});

describe('refuses requests without a possible image before calling a provider', () => {
  const said = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const image = (url: string) => ({ type: 'image_url', image_url: { url } });
  const tool = { type: 'function', function: { name: 'f' } };
  test.each<[string, object, object]>([
    ['an unknown setting', { image_config: { style: 'x' } }, { param: 'image_config.style' }],
    [
      'a ratio for a model with pixel sizes',
      { image_config: { aspect_ratio: '1:1' } },
      { param: 'image_config.aspect_ratio' },
    ],
    ['an invalid size', { image_config: { image_size: '2K' } }, { param: 'image_config.image_size' }],
    ['a size beyond all', { image_config: { image_size: '4096x5000' } }, { param: 'image_config.image_size' }],
    ['half an image', { image_config: { n: 1.5 } }, { param: 'image_config.n' }],
    ['none at all', { image_config: { n: 0 } }, { param: 'image_config.n' }],
    ['too many', { image_config: { n: 11 } }, { param: 'image_config.n' }],
    ['choices', { n: 2 }, { param: 'n', code: 'unsupported_capability' }],
    ['tools', { tools: [tool] }, { param: 'tools', code: 'unsupported_capability' }],
    ['JSON', { response_format: { type: 'json_object' } }, { param: 'response_format' }],
    ['no user message', { messages: [{ role: 'system', content: 'A fox' }] }, { param: 'messages' }],
    ['no words', { messages: [{ role: 'user', content: ' ' }] }, { param: 'messages' }],
    ['no image in a data URL', said(image('data:image/png;base64,AAAA')), { param: 'messages[0].content[0]' }],
    ['an image not in base64', said(image('data:image/png,x')), { param: 'messages[0].content[0]' }],
    [
      'a file',
      said({ type: 'text', text: 'A fox' }, { type: 'file', file: { file_id: 'f' } }),
      { param: 'messages[0].content[1]', code: 'unsupported_capability' },
    ],
    ['a text model', { model: 'sandbox-chat', image_config: { n: 1 } }, { param: 'image_config' }],
  ])('%s', async (_name, changes, expected) => {
    const { error } = await bench.ask(chat(changes));
    expect(error).toMatchObject({ status: 400, ...expected });
    expect(bench.simulator.requests).toEqual([]);
  });

  test('a private address is refused', async () => {
    const { error } = await bench.ask(chat(said({ type: 'text', text: 'A fox' }, image('http://10.0.0.1/cat.png'))));
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameters', param: 'messages[0].content[1]' });
    expect(bench.simulator.requests).toEqual([]);
  });
});

test('a refusal for safety is reported to the client without trying another provider', async () => {
  const { error } = await bench.ask(chat({ messages: [{ role: 'user', content: 'A [safety] fox' }] }));
  expect(error).toMatchObject({ status: 400, code: 'content_policy_violation' });
  expect(bench.simulator.requests).toHaveLength(1);
});

test('images made in chats are counted with all images', async () => {
  const named = `gateway_images_total{provider="${first}",model="${imageModel}",op="chat",size_class="unknown"} `;
  const counted = async () => Number((await bench.metrics()).split(named)[1]?.split('\n')[0] ?? 0);
  const before = await counted();
  await bench.ask(chat({ image_config: { n: 2 } }));
  await expect.poll(counted).toBe(before + 2);
});

test('tokens are reserved and settled as for any chat', async () => {
  const principal = { accountId: 'a', keyId: 'k', tokensPerMinute: { account: 1_500 } };
  const first = await bench.ask(chat(), { principal });
  expect(first.headers['x-ratelimit-limit-tokens']).toBe('1500');
  // It uses 1,058 of them, and the next request would need about a thousand.
  await expect.poll(async () => (await bench.ask(chat(), { principal })).status).toBe(429);
  expect(bench.simulator.requests.length).toBeLessThan(3);
});

test('explain returns the plan', async () => {
  const { text } = await bench.explain(chat());
  expect(JSON.parse(text)).toMatchObject({
    model: imageModel,
    candidates: bench.providers.map((provider) => ({ provider })),
  });
  expect((await bench.explain(chat({ image_config: { n: 11 } }))).error).toMatchObject({ param: 'image_config.n' });
  expect(bench.simulator.requests).toEqual([]);
});
