import { expect, test } from 'vitest';
import { differenceText, embeddingsText, factsOf } from './playground-figures.js';

const first = { model: 'a', ms: 1_000, tokens: 20, cost: 0.001 };

test.each([
  [
    'slower and more expensive',
    { ms: 1_400, tokens: 32, cost: 0.0012 },
    '0.4 s slower, 12 tokens more, $0.0002 more expensive',
  ],
  ['faster and cheaper', { ms: 900, tokens: 19, cost: 0 }, '0.1 s faster, 1 tokens fewer, $0.001 cheaper'],
  ['nearly the same', { ms: 1_049, tokens: 20, cost: 0.001 }, 'the same'],
  ['of unknown cost', { ms: 1_050, tokens: undefined, cost: undefined }, '0.1 s slower'],
])('an answer that is %s', (_what, figures, text) => {
  expect(differenceText(first, { model: 'b', ...figures })).toBe(`Against a: ${text}.`);
});

test('facts have what the response states', () => {
  const headers = new Headers({ 'x-tallyport-provider': 'p', 'x-request-id': 'r' });
  const usage = { prompt_tokens: 3, completion_tokens: 4, cost: 0.000_123_4 };
  expect(factsOf(headers, { usage, ms: 1_234 })).toEqual([
    ['Provider', 'p'],
    ['Time', '1.2 s'],
    ['Tokens', '3 in, 4 out'],
    ['Cost', '$0.000123'],
    ['Request', 'r'],
  ]);
  expect(factsOf(new Headers(), { usage: undefined, ms: 40 })).toEqual([['Time', '0.0 s']]);
});

test('texts are compared with the first one', () => {
  expect(
    embeddingsText([
      [1, 0, 0, 0, 0.5],
      [0, 1, 0, 0, 0],
      [0, 0],
    ]),
  ).toBe(
    [
      'Text 1: 5 numbers, 1.0000, 0.0000, 0.0000, 0.0000 …',
      'Text 2: 5 numbers, 0.0000, 1.0000, 0.0000, 0.0000 …; similarity to text 1: 0.000',
      'Text 3: 2 numbers, 0.0000, 0.0000 …; similarity to text 1: 0.000',
    ].join('\n'),
  );
  expect(
    embeddingsText([
      [3, 4],
      [6, 8],
    ]),
  ).toContain('similarity to text 1: 1.000');
});
