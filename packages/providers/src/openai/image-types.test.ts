import type { ImagesUsage } from '@switchyard/wire';
import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';

test('usage is as OpenAI clients read it', () => {
  type Read = NonNullable<OpenAI.ImagesResponse['usage']>;
  expectTypeOf<Required<ImagesUsage>>().toExtend<Read>();
});

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
