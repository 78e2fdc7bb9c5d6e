import { GatewayError } from '@tallyport/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImageCall, ImageProvider } from './spec/image-provider.ts';
import { imageFormatOf } from './testing/image-formats.ts';
import { imageCallOf, imageContextOf, imageOfferOf } from './testing/images.ts';
import { runsOf } from '../../../tests/support/scale.ts';

/** Requirements for every image provider of the registry, in any format. */
export function imageProviderSuite(provider: ImageProvider): void {
  describe(`${provider.id} images`, () => {
    requests(provider);
    answers(provider);
    failures(provider);
    invalidAnswers(provider);
  });
}

/** A placeholder for the bytes of an image, as dispatch passes it. */
const placeholder = '~2f9c1d-nonce:0~';

function requests(provider: ImageProvider): void {
  const { model } = imageFormatOf(provider.id);
  const offer = imageOfferOf(provider, model);
  const { inputs, sizes, styles } = provider.abilities(offer);

  test('builds the same request twice without changing its input', () => {
    const call = deepFreeze(imageCallOf({ size: '1536x1024', quality: 'high', style: 'vivid', user: 'somebody' }));
    const first = provider.request(call, Object.freeze(offer));
    expect(provider.request(call, offer)).toEqual(first);
    expect(first).toMatchObject({ method: 'POST', path: expect.stringMatching(/^\//) });
    expect(JSON.parse(first.body)).toBeTypeOf('object');
  });

  test('does not request URLs, and sends the style or says it in a sentence', () => {
    const { body } = provider.request(imageCallOf({ style: 'vivid' }), offer);
    expect(body).not.toContain('"url"');
    const sentence = String.raw`A red bird\n\nThe image is vivid: hyper-real and dramatic.`;
    expect([body.includes('"style":"vivid"'), body.includes(sentence)]).toEqual(styles ? [true, false] : [false, true]);
  });

  test.skipIf(inputs === undefined)('passes on image bytes unread and once', () => {
    const image = { mediaType: 'image/png', base64: placeholder };
    const { body } = provider.request(imageCallOf({ images: [image] }), offer);
    expect(body.split(placeholder)).toHaveLength(2);
  });

  test.skipIf(inputs !== undefined)('refuses input images and names the member', () => {
    const call = imageCallOf({ images: [{ mediaType: 'image/png', base64: placeholder }] });
    expect(thrownBy(() => provider.request(call, offer))).toMatchObject({
      code: 'unsupported_capability',
      param: 'images',
    });
  });

  test('sends something for every valid size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 9999 }), fc.integer({ min: 10, max: 9999 }), (width, height) => {
        const sent = (call: Partial<ImageCall>) => provider.request(imageCallOf(call), offer).body;
        const body = sent({ size: `${width}x${height}` });
        expect(body === sent({})).toBe(sizes.kind === 'none');
      }),
      { numRuns: runsOf(200) },
    );
  });

  test.each(wrong)('refuses an invalid %s and names the member', (param, changes) => {
    expect(thrownBy(() => provider.request(imageCallOf(changes), offer))).toMatchObject({ status: 400, param });
  });
}

const wrong: readonly (readonly [param: string, changes: Partial<ImageCall>])[] = [
  ['size', { size: 'large' }],
  ['prompt', { prompt: ' ' }],
  ['n', { n: 0 }],
  ['n', { n: 11 }],
  ['image_config.seed', { config: { seed: -1 } }],
  ['image_config.image_size', { config: { image_size: 'huge' } }],
];

function answers(provider: ImageProvider): void {
  const { model, answer, image } = imageFormatOf(provider.id);

  test('reads an image', () => {
    expect(provider.response(deepFreeze(answer), imageContextOf(provider, model))).toMatchObject({
      kind: 'made',
      images: [image],
      failures: [],
    });
  });

  test('reads an image whose data is a placeholder', () => {
    const text = 'base64' in image.source ? image.source.base64 : image.source.url;
    const [shortened, read]: unknown[] = JSON.parse(
      JSON.stringify([answer, image]).replaceAll(JSON.stringify(text), JSON.stringify(placeholder)),
    );
    expect(provider.response(shortened, imageContextOf(provider, model))).toMatchObject({ images: [read] });
  });
}

function failures(provider: ImageProvider): void {
  const { model, refused, refusedBadly } = imageFormatOf(provider.id);
  const policy = { code: 'content_policy_violation', status: 400, domain: 'policy' };

  test.skipIf(refused === undefined)('treats refused content as a policy refusal', () => {
    expect(thrownBy(() => provider.response(refused, imageContextOf(provider, model)))).toMatchObject(policy);
  });

  test.skipIf(refusedBadly === undefined)('treats refused content with status 400 as a policy refusal', () => {
    expect(provider.error(400, {}, refusedBadly)).toMatchObject(policy);
  });

  test.each([401, 403, 404, 429, 500, 503])('status %i is a fault of the provider', (status) => {
    const body = { error: { message: 'No.' } };
    expect(provider.error(status, { 'retry-after': '2' }, body)).toMatchObject({
      domain: 'provider',
      // Waiting brings no key.
      retryAfterMs: status === 401 || status === 403 ? undefined : 2_000,
    });
  });
}

function invalidAnswers(provider: ImageProvider): void {
  const { model, answer } = imageFormatOf(provider.id);
  const context = imageContextOf(provider, model);

  test.each([undefined, null, '', '<html>Bad gateway</html>', 7, [], {}, { data: [] }, { data: [{}] }, { output: {} }])(
    'body %j without an image is a fault of the provider',
    (body) => {
      expect(thrownBy(() => provider.response(body, context))).toMatchObject({ domain: 'provider' });
    },
  );

  test('throws an error with status 200', () => {
    const body = { error: { code: 500, message: 'It fell over.' } };
    expect(thrownBy(() => provider.response(body, context))).toMatchObject({
      code: 'upstream_error',
      domain: 'provider',
      message: expect.stringContaining('It fell over.'),
    });
  });

  test('throws only GatewayErrors for any body', () => {
    const paths = pathsIn(answer);
    const anyPath = fc.constantFrom(...paths);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyPath, fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const changed = changes.reduce<unknown>((body, [path, value]) => withValue(body, path, value), answer);
          thrownBy(() => provider.response(changed, context));
        },
      ),
      { numRuns: runsOf(500) },
    );
    fc.assert(fc.property(fc.jsonValue(), (body) => void thrownBy(() => provider.response(body, context))));
  });
}

type Path = readonly (string | number)[];

/** The path to every value in a body, the body itself included. */
const pathsIn = (body: unknown, path: Path = []): Path[] => {
  if (typeof body !== 'object' || body === null) return [path];
  return [path, ...Object.entries(body).flatMap(([name, value]) => pathsIn(value, [...path, name]))];
};

function withValue(body: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof body !== 'object' || body === null) return body;
  const changed = Object.entries(body).map(([each, old]) => [each, each === name ? withValue(old, rest, value) : old]);
  return Array.isArray(body) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

function thrownBy(run: () => unknown): GatewayError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
