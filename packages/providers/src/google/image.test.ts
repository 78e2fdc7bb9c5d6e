import { expect, test } from 'vitest';
import { png } from '../testing/image-formats.ts';
import { imageCallOf, imageContextOf, imageOfferOf } from '../testing/images.ts';
import { googleImage } from './image.ts';

const model = 'gemini-3-pro-image';
const read = (body: unknown, call = imageCallOf()) =>
  googleImage.response(body, imageContextOf(googleImage, model, call));
const candidate = (parts: object[], more: object = { finishReason: 'STOP' }) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
});
const image = { inlineData: { mimeType: 'image/png', data: png } };

test('drops drafts and thinking of thinking models', () => {
  const draft = { inlineData: { mimeType: 'image/png', data: 'RFJBRlQ=' }, thought: true };
  const parts = [{ text: 'Hm', thought: true }, draft, { text: 'Here you ' }, { text: 'are.' }, image];
  const usageMetadata = {
    promptTokenCount: 570,
    candidatesTokenCount: 1130,
    thoughtsTokenCount: 200,
    totalTokenCount: 1900,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 10 },
      { modality: 'IMAGE', tokenCount: 560 },
    ],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
  };
  expect(read({ ...candidate(parts), usageMetadata })).toEqual({
    kind: 'made',
    images: [{ source: { base64: png, mediaType: 'image/png' } }],
    failures: [],
    text: 'Here you are.',
    usage: {
      input_tokens: 570,
      output_tokens: 1330,
      total_tokens: 1900,
      input_tokens_details: { text_tokens: 10, image_tokens: 560 },
      output_tokens_details: { text_tokens: 210, image_tokens: 1120 },
    },
  });
});

test('returns an image’s signature and sends it back', () => {
  const signed = {
    source: { base64: png, mediaType: 'image/png' },
    extraContent: { google: { thought_signature: 'sig' } },
  };
  expect(read(candidate([{ ...image, thoughtSignature: 'sig' }]))).toMatchObject({ images: [signed] });
  const url = `data:image/png;base64,${png}`;
  const made = {
    type: 'image_url' as const,
    image_url: { url },
    extra_content: { google: { thought_signature: 'sig' } },
  };
  const call = imageCallOf({
    operation: 'edit',
    prompt: 'Bluer',
    config: {},
    conversation: [
      { role: 'user', content: 'A red bird' },
      { role: 'assistant', content: 'Here', images: [made] },
      { role: 'user', content: 'Bluer' },
    ],
  });
  const { body } = googleImage.request(call, imageOfferOf(googleImage, model));
  expect(JSON.parse(body)).toEqual({
    contents: [
      { role: 'user', parts: [{ text: 'A red bird' }] },
      { role: 'model', parts: [{ text: 'Here' }, { ...image, thoughtSignature: 'sig' }] },
      { role: 'user', parts: [{ text: 'Bluer' }] },
    ],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
  });
});

test.each([
  ['IMAGE_SAFETY', 'content_policy_violation', 'policy'],
  ['PROHIBITED_CONTENT', 'content_policy_violation', 'policy'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_policy_violation', 'policy'],
  ['IMAGE_RECITATION', 'content_policy_violation', 'policy'],
  ['NO_IMAGE', 'content_policy_violation', 'policy'],
  ['SAFETY', 'content_policy_violation', 'policy'],
  ['IMAGE_OTHER', 'upstream_error', 'provider'],
  ['MAX_TOKENS', 'upstream_error', 'provider'],
  ['STOP', 'upstream_error', 'provider'],
])('finish reason %s without an image is %s', (finishReason, code, domain) => {
  const end = { finishReason, finishMessage: 'Told so.' };
  for (const body of [candidate([], end), { candidates: [end] }, { candidates: [{ content: {}, ...end }] }]) {
    expect(() => read(body)).toThrow(expect.objectContaining({ code, domain }));
  }
});

test('is refused if the prompt was blocked', () => {
  expect(() => read({ promptFeedback: { blockReason: 'IMAGE_SAFETY' } })).toThrow(
    expect.objectContaining({
      code: 'content_policy_violation',
      message: 'google refused to make this image. It says: IMAGE_SAFETY',
    }),
  );
});

test('text instead of an image is an answer in a chat and a refusal at the image endpoints', () => {
  const body = candidate([{ text: 'I would rather not.' }]);
  expect(() => read(body)).toThrow(
    expect.objectContaining({
      code: 'content_policy_violation',
      message: 'google refused to make this image. It says: I would rather not.',
    }),
  );
  expect(read(body, imageCallOf({ config: {} }))).toEqual({
    kind: 'made',
    images: [],
    failures: [],
    text: 'I would rather not.',
  });
});

test('classifies an error with status 200', () => {
  const error = { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' };
  expect(() => read({ error })).toThrow(expect.objectContaining({ code: 'upstream_error', domain: 'provider' }));
  const invalid = { code: 400, status: 'INVALID_ARGUMENT', message: 'Too small.' };
  expect(() => read({ error: invalid })).toThrow(expect.objectContaining({ code: 'invalid_parameters', status: 400 }));
});
