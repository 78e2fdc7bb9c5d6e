import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureOf } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench({ environment: { CACHE_IMAGES: 'true' } });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const vivid = 'a lamp\n\nThe image is vivid: hyper-real and dramatic.';
const natural = 'a lamp\n\nThe image is natural: true to life, not hyper-real.';
const sent = () => bench.simulator.requests.map(({ body }) => body);
const styleIn = (metadata: unknown) => (metadata as { style?: unknown }).style;

test.each([
  ['sandbox-image', 'vivid', vivid],
  ['gpt-image-2', 'natural', natural],
  ['qwen-image-plus', 'vivid', vivid],
  ['gemini-3-pro-image', 'natural', natural],
  ['seedream-4-5-251128', 'vivid', vivid],
  ['grok-imagine-image', 'natural', natural],
  ['glm-image', 'vivid', vivid],
])('%s has no styles, so its prompt says that the image is %s', async (model, style, prompt) => {
  const { status, body } = await bench.generate({ model, prompt: 'a lamp', style });
  expect([status, styleIn(body['metadata'])]).toEqual([200, { requested: style, applied_as: 'sentence' }]);
  expect(sent()[0]).toContain(JSON.stringify(prompt));
  expect(sent()[0]).not.toContain('"style"');
});

test('a request without a style has no sentence and no report', async () => {
  const { body } = await bench.generate({ model: 'qwen-image-plus', prompt: 'a lamp' });
  expect([styleIn(body['metadata']), sent()[0]?.includes('"a lamp"')]).toEqual([undefined, true]);
});

test('an edit accepts a style, too', async () => {
  const images = [{ image_url: await pictureOf('png') }];
  const { body } = await bench.edit({ model: 'sandbox-image', prompt: 'a lamp', images, style: 'vivid' });
  expect(styleIn(body['metadata'])).toEqual({ requested: 'vivid', applied_as: 'sentence' });
  expect(sent()[0]).toContain(JSON.stringify(vivid));
});

test('a stream reports the style in its last event', async () => {
  const body = { model: 'sandbox-image', prompt: 'a lamp', n: 2, style: 'natural', stream: true };
  const answer = await bench.open('generate', body);
  const text = Buffer.from(await answer.body.bytes()).toString();
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, event = '']) => JSON.parse(event));
  const style = { requested: 'natural', applied_as: 'sentence' };
  expect(events.map(({ metadata }) => metadata?.style)).toEqual([undefined, style]);
});

test('a cached answer reports the style, and another style is another request', async () => {
  const options: AskOptions = { principal: { accountId: 'account', keyId: 'key' } };
  const ask = (style: string) => bench.generate({ model: 'qwen-image-plus', prompt: 'a lamp', style }, options);
  const answers = [await ask('vivid'), await ask('vivid'), await ask('natural')];
  expect(answers.map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT', 'MISS']);
  expect(answers.map(({ body }) => styleIn(body['metadata']))).toEqual([
    { requested: 'vivid', applied_as: 'sentence' },
    { requested: 'vivid', applied_as: 'sentence' },
    { requested: 'natural', applied_as: 'sentence' },
  ]);
});

test('a prompt that leaves no room for the sentence is refused', async () => {
  const { status, error } = await bench.generate({
    model: 'qwen-image-plus',
    prompt: 'x'.repeat(800),
    style: 'vivid',
  });
  expect([status, error?.param, error?.message]).toEqual([
    400,
    'prompt',
    'prompt: qwen-image-plus of alibaba accepts at most 754 characters beside the sentence for `style`.',
  ]);
});
