import { expect, test } from 'vitest';
import { png } from '../testing/image-formats.ts';
import { imageCallOf, imageContextOf } from '../testing/images.ts';
import { openrouterImage } from './image.ts';

const model = 'google/gemini-3-pro-image';
const read = (body: unknown, call = imageCallOf()) =>
  openrouterImage.response(body, imageContextOf(openrouterImage, model, call));
const url = `data:image/png;base64,${png}`;

test('reads images, text, tokens and cost', () => {
  const body = {
    id: 'gen-1',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Here', images: [{ type: 'image_url', image_url: { url } }] },
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 1130,
      total_tokens: 1140,
      completion_tokens_details: { image_tokens: 1120 },
      cost: 0.134,
    },
  };
  expect(read(body)).toEqual({
    kind: 'made',
    images: [{ source: { url } }],
    failures: [],
    text: 'Here',
    usage: {
      input_tokens: 10,
      output_tokens: 1130,
      total_tokens: 1140,
      output_tokens_details: { text_tokens: 10, image_tokens: 1120 },
      cost: 0.134,
    },
  });
});

test('accepts text alone only in a chat', () => {
  const body = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'No.' } }] };
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'content_policy_violation' }));
  expect(read(body, imageCallOf({ config: {} }))).toEqual({ kind: 'made', images: [], failures: [], text: 'No.' });
});

test('classifies an error with status 200', () => {
  const body = { error: { code: 400, message: 'Unknown aspect ratio.' }, user_id: 'u' };
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_parameters', status: 400 }));
});
