import { expect, test } from 'vitest';
import { estimateChat } from './estimates.ts';

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
