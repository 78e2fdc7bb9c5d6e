import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import type { ModerationCall, ModerationPart } from '../spec/moderation-call.ts';

function formatOf(id: string) {
  const format = chatProviders.find((provider) => provider.id === id)?.moderations;
  if (format === undefined) throw new Error(`${id} has no moderations.`);
  return format;
}

const offer = offerOf('any', { modelName: 'm' });
const text = (words: string): ModerationPart => ({ type: 'text', text: words });
const image: ModerationPart = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

test.each<[string, ModerationCall['input'], unknown]>([
  ['openai', 'a', 'a'],
  ['openai', ['a', 'b'], ['a', 'b']],
  ['openai', [text('a'), image], [text('a'), image]],
  ['mistral', 'a', 'a'],
  ['mistral', ['a', 'b'], ['a', 'b']],
  ['mistral', [text('a')], ['a']],
])('%s gets %j as %j', (id, input, sent) => {
  const { path, body } = formatOf(id).request({ input }, offer);
  expect([path, JSON.parse(body)]).toEqual(['/moderations', { model: 'm', input: sent }]);
});

test.each<[string, ModerationCall['input'], string | undefined]>([
  ['openai', [text('a'), image], undefined],
  ['mistral', [image], 'input'],
  // It would judge each part on its own.
  ['mistral', [text('a'), text('b')], 'input'],
  ['mistral', [text('a')], undefined],
  ['mistral', ['a', 'b'], undefined],
])('%s: the unsupported member of %j is %s', (id, input, member) => {
  expect(formatOf(id).unsupported({ input }, offer)).toBe(member);
});

const harmless = { categories: { hate: false, violence: false }, category_scores: { hate: 0.1, violence: 0.2 } };
const harmful = { categories: { hate: false, violence: true }, category_scores: { hate: 0.1, violence: 0.9 } };

test('computes `flagged` where the vendor sends none, and keeps the rest', () => {
  const results = [harmless, { ...harmful, more: 1 }, { ...harmful, flagged: false }];
  expect(formatOf('mistral').response({ id: 'x', results }, { input: ['a', 'b', 'c'] })).toEqual({
    id: 'x',
    results: [
      { ...harmless, flagged: false },
      { ...harmful, flagged: true, more: 1 },
      { ...harmful, flagged: false },
    ],
  });
  expect(formatOf('mistral').response({ results: [harmless], usage: { prompt_tokens: 3 } }, { input: 'a' })).toEqual({
    results: [{ ...harmless, flagged: false }],
    promptTokens: 3,
  });
});

const unreadable = 'sent an answer that cannot be read';

test.each<[unknown, ModerationCall['input'], string]>([
  [[], 'a', unreadable],
  [{ results: [] }, 'a', unreadable],
  [{ results: [harmless, harmless] }, 'a', unreadable],
  [{ results: [harmless] }, ['a', 'b'], unreadable],
  [{ results: [harmless, harmless] }, [text('a'), image], unreadable],
  [{ results: [{ categories: {} }] }, 'a', unreadable],
  [{ error: { message: 'Broken inside.' } }, 'a', 'Broken inside.'],
])('%j for %j is a fault of the provider', (body, input, message) => {
  expect(() => formatOf('openai').response(body, { input })).toThrow(message);
});
