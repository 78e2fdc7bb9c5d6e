import { expect, test } from 'vitest';
import { png } from '../testing/image-formats.ts';
import { imageContextOf } from '../testing/images.ts';
import { openaiImage } from './image.ts';

const read = (body: unknown) => openaiImage.response(body, imageContextOf(openaiImage, 'gpt-image-2'));

test('everything an answer tells is read', () => {
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

test.each([
  [{ code: 'moderation_blocked', type: 'image_generation_user_error' }, 'content_policy_violation', 'policy'],
  [{ code: 'invalid_value', type: 'invalid_request_error', param: 'size' }, 'invalid_parameters', 'caller'],
  [{ code: 'billing_hard_limit_reached', type: 'invalid_request_error' }, 'upstream_auth', 'provider'],
])('a 400 of %j', (error, code, domain) => {
  expect(openaiImage.error(400, {}, { error: { message: 'No.', ...error } })).toMatchObject({ code, domain });
});
