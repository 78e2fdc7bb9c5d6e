import type { ImagesUsage } from '@tallyport/wire';
import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';

test('usage matches the type of OpenAI’s SDK', () => {
  type Read = NonNullable<OpenAI.ImagesResponse['usage']>;
  expectTypeOf<Required<ImagesUsage>>().toExtend<Read>();
});

test('this file is type-checked', () => {
  expect(true).toBe(true);
});
