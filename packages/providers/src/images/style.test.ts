import { expect, test } from 'vitest';
import { imageCallOf, imageOfferOf } from '../testing/images.ts';
import { openAiAbilities } from './openai-images.ts';
import { validateImageCall } from './judge.ts';
import { styleOf, withStyle } from './style.ts';

test.each([
  ['vivid', 'A red bird\n\nThe image is vivid: hyper-real and dramatic.'],
  ['natural', 'A red bird\n\nThe image is natural: true to life, not hyper-real.'],
] as const)('without styles, a sentence says that the image is %s', (style, prompt) => {
  const { style: _style, ...call } = imageCallOf({ style });
  expect(withStyle({ ...call, style }, {})).toEqual({ ...call, prompt });
  expect(styleOf({ style }, {})).toEqual({ requested: style, applied_as: 'sentence' });
});

test('a model with styles gets the style, and none is added to a request without one', () => {
  const call = imageCallOf({ style: 'vivid' });
  expect(withStyle(call, { styles: true })).toBe(call);
  expect(styleOf(call, { styles: true })).toEqual({ requested: 'vivid', applied_as: 'parameter' });
  expect([withStyle(imageCallOf(), {}), styleOf({}, {})]).toEqual([imageCallOf(), undefined]);
});

test('the sentence counts in the length of the prompt', () => {
  const abilities = { ...openAiAbilities, maxPromptLength: 100 };
  const judged = (length: number) =>
    validateImageCall(
      imageCallOf({ prompt: 'x'.repeat(length), style: 'vivid' }),
      abilities,
      imageOfferOf({ id: 'vendor' }, 'model'),
    );
  expect(judged(54)).toEqual([]);
  expect(judged(55)).toEqual([
    {
      param: 'prompt',
      message: 'model of vendor accepts at most 54 characters beside the sentence for `style`',
      code: 'invalid_parameters',
    },
  ]);
});
