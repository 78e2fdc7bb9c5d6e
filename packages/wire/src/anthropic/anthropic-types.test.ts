import type Anthropic from '@anthropic-ai/sdk';
import { expect, expectTypeOf, test } from 'vitest';
import type { MessagesRequest } from './request.ts';

test('our request types are assignable to the vendor’s types', () => {
  expectTypeOf<MessagesRequest>().toExtend<Anthropic.MessageCreateParams>();
});

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
