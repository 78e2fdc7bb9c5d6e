import { expect, test } from 'vitest';
import { estimateChat, estimateUsage } from './estimates.ts';

const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] }) as never;
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

test.each([
  ['text and an answer of usual length', user('12345678'), 1_002],
  ['parts', user([{ type: 'text', text: '1234' }, image, image]), 3_001],
  ['max_tokens', { ...(user('') as object), max_tokens: 5 } as never, 5],
  ['max_completion_tokens and choices', { ...(user('') as object), max_completion_tokens: 7, n: 3 } as never, 21],
])('the estimate counts %s', (_, request, expected) => {
  expect(estimateChat(request).tokens).toBe(expected);
});

test.each([
  ['no more than its model can answer', 100, 300],
  ['all that is allowed, at the limit', 1_000, 3_000],
  ['all that is allowed, above it', 1_001, 3_000],
  ['all that is allowed, where the model names no limit', undefined, 3_000],
])('at an offer the estimate counts %s', (_, maxOutput, output) => {
  const request = { ...(user('') as object), max_tokens: 1_000, n: 3 } as never;
  const offer = { ...(maxOutput && { maxOutput }) } as never;
  expect(estimateChat(request).at(offer).tokens).toMatchObject({ input: 0, output });
});

const delivered = (bytes: number, images = 0) => ({ bytes, images });

test.each([
  ['its text, below the limit', { max_tokens: 10 }, {}, delivered(36), 9],
  ['its text, at the limit', { max_tokens: 10 }, {}, delivered(40), 10],
  ['no more than was asked', { max_tokens: 10 }, {}, delivered(44), 10],
  [
    'no more than was asked of all choices',
    { max_completion_tokens: 10, max_tokens: 99, n: 3 },
    {},
    delivered(4_000),
    30,
  ],
  ['no more than its model can answer', {}, { maxOutput: 20 }, delivered(4_000), 20],
  ['all of its text, where nothing limits it', {}, {}, delivered(4_000), 1_000],
  ['its images beside the limited text', { max_tokens: 10 }, {}, delivered(4_000, 1), 2_010],
])('the usage of a response without a report is %s', (_, limits, offer, content, tokens) => {
  const request = { ...(user('12345678') as object), ...limits } as never;
  expect(estimateUsage(request, content, { pricing: {}, ...offer } as never)).toMatchObject({
    prompt_tokens: 2,
    completion_tokens: tokens,
    total_tokens: 2 + tokens,
  });
});
