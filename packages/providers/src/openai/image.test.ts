import { describe, expect, test } from 'vitest';
import type { ImageCall } from '../spec/image-provider.ts';
import { validateImageCall } from '../images/judge.ts';
import { png } from '../testing/image-formats.ts';
import { imageCallOf, imageContextOf, imageOfferOf } from '../testing/images.ts';
import { openaiImage } from './image.ts';

const read = (body: unknown) => openaiImage.response(body, imageContextOf(openaiImage, 'gpt-image-2'));

test('reads every member of an answer', () => {
  const body = {
    created: 1,
    background: 'opaque',
    data: [{ b64_json: png, revised_prompt: 'A very red bird' }, { b64_json: png }],
    output_format: 'webp',
    quality: 'high',
    size: '1024x1024',
    usage: {
      input_tokens: 50,
      input_tokens_details: { text_tokens: 10, image_tokens: 40 },
      output_tokens: 4160,
      output_tokens_details: { image_tokens: 4160, text_tokens: 0 },
      total_tokens: 4210,
    },
  };
  expect(read(body)).toEqual({
    kind: 'made',
    images: [
      { source: { base64: png, mediaType: 'image/webp' }, revisedPrompt: 'A very red bird' },
      { source: { base64: png, mediaType: 'image/webp' } },
    ],
    failures: [],
    background: 'opaque',
    outputFormat: 'webp',
    quality: 'high',
    usage: body.usage,
  });
});

test.each<[string, object | undefined, object]>([
  ['without a division', undefined, { text_tokens: 0, image_tokens: 900 }],
  ['with zeros as parts', { text_tokens: 0, image_tokens: 0 }, { text_tokens: 0, image_tokens: 900 }],
  ['with a count of text alone', { text_tokens: 100 }, { text_tokens: 100, image_tokens: 800 }],
  [
    'with parts larger than their sum',
    { text_tokens: 100, image_tokens: 900 },
    { text_tokens: 100, image_tokens: 900 },
  ],
])('tokens of an answer %s that are not of text are of images', (_name, details, expected) => {
  const usage = { input_tokens: 1, output_tokens: 900, ...(details && { output_tokens_details: details }) };
  expect(read({ data: [{ b64_json: png }], usage })).toMatchObject({ usage: { output_tokens_details: expected } });
});

describe('members of a generation of models', () => {
  const sent = (modelName: string, changes: Partial<ImageCall>) =>
    JSON.parse(String(openaiImage.request(imageCallOf(changes), imageOfferOf(openaiImage, modelName)).body));
  const issues = (modelName: string, changes: Partial<ImageCall>) => {
    const offer = imageOfferOf(openaiImage, modelName);
    return validateImageCall(imageCallOf(changes), openaiImage.abilities(offer), offer).map(({ param }) => param);
  };

  test.each(['gpt-image-2.5-flare', 'gpt-image-2.6-sunburst'])('%s has higher qualities and complexity', (model) => {
    expect(sent(model, { quality: 'max', complexity: 'high' })).toMatchObject({ quality: 'max', complexity: 'high' });
    expect(issues(model, { quality: 'xhigh' })).toEqual([]);
  });

  test.each(['gpt-image-1.5', 'gpt-image-2', 'gpt-image-2-2026-04-21'])('%s has neither', (model) => {
    expect(issues(model, { quality: 'xhigh' })).toEqual(['quality']);
    expect(sent(model, { quality: 'high', complexity: 'high' })).not.toHaveProperty('complexity');
  });

  test.each([
    ['gpt-image-1.5', true],
    ['gpt-image-1-mini', false],
    ['gpt-image-2.6-flare', false],
  ])('fidelity is sent to %s: %s', (model, isSent) => {
    const edit = {
      operation: 'edit',
      images: [{ mediaType: 'image/png', base64: png }],
      inputFidelity: 'high',
    } as const;
    expect(sent(model, edit).input_fidelity).toBe(isSent ? 'high' : undefined);
  });
});

describe('events', () => {
  const context = imageContextOf(openaiImage, 'gpt-image-2');
  const image = {
    b64_json: png,
    created_at: 1,
    background: 'opaque',
    output_format: 'png',
    quality: 'low',
    size: '8x8',
  };
  const made = {
    kind: 'made',
    images: [{ source: { base64: png, mediaType: 'image/png' }, size: '8x8' }],
    failures: [],
    background: 'opaque',
    quality: 'low',
    outputFormat: 'png',
  };

  test.each(['image_generation', 'image_edit'])('of %s are read', (name) => {
    const partial = { ...image, type: `${name}.partial_image`, partial_image_index: 2 };
    expect(openaiImage.event?.(partial, context)).toEqual({ kind: 'partial', index: 2, made });
    const counts = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const completed = { ...image, type: `${name}.completed`, usage: counts };
    const usage = { ...counts, output_tokens_details: { text_tokens: 0, image_tokens: 2 } };
    expect(openaiImage.event?.(completed, context)).toEqual({ kind: 'completed', made: { ...made, usage } });
  });

  test('of unknown kinds are skipped, and errors are thrown', () => {
    expect(openaiImage.event?.({ type: 'image_generation.new' }, context)).toBeUndefined();
    const error = { message: 'No.', code: 'moderation_blocked', type: 'image_generation_user_error' };
    expect(() => openaiImage.event?.({ type: 'error', error }, context)).toThrow('No.');
  });
});

test.each([
  [{ code: 'moderation_blocked', type: 'image_generation_user_error' }, 'content_policy_violation', 'policy'],
  [{ code: 'invalid_value', type: 'invalid_request_error', param: 'size' }, 'invalid_parameters', 'caller'],
  [{ code: 'billing_hard_limit_reached', type: 'invalid_request_error' }, 'upstream_auth', 'provider'],
])('a 400 of %j', (error, code, domain) => {
  expect(openaiImage.error(400, {}, { error: { message: 'No.', ...error } })).toMatchObject({ code, domain });
});
