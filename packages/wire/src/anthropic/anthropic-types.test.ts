import type Anthropic from '@anthropic-ai/sdk';
import { expect, expectTypeOf, test } from 'vitest';
import type { MessagesRequest } from './request.ts';

test('what we send is what the vendor takes', () => {
  expectTypeOf<MessagesRequest>().toExtend<Anthropic.MessageCreateParams>();
});

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
