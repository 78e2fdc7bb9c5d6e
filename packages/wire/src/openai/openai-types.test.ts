import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';
import type { ChatChunk } from './chunk.ts';
import type { ChatCompletion } from './completion.ts';
import type { ChatMessage } from './message.ts';
import type { ChatRequest } from './request.ts';
import type { Usage } from './usage.ts';

/** `metadata` is ours in answers: richer than OpenAI's map of texts. */
type Answer<Type> = { [Name in keyof Type as Name extends 'metadata' ? never : Name]: Type[Name] };

test('our response types are assignable to OpenAI’s types', () => {
  expectTypeOf<Answer<ChatCompletion>>().toExtend<Answer<OpenAI.ChatCompletion>>();
  expectTypeOf<Answer<ChatChunk>>().toExtend<OpenAI.ChatCompletionChunk>();
  expectTypeOf<Usage>().toExtend<OpenAI.CompletionUsage>();
});

test('OpenAI’s request types are assignable to our types', () => {
  expectTypeOf<OpenAI.ChatCompletionCreateParams>().toExtend<Named<ChatRequest>>();
  expectTypeOf<OpenAI.ChatCompletionMessageParam>().toExtend<Named<ChatMessage>>();
});

/** Removes index signatures at every depth: OpenAI's interfaces have none, and only the named members matter. */
type Named<Type> = Type extends readonly (infer Element)[]
  ? Named<Element>[]
  : Type extends object
    ? { [Name in keyof Type as string extends Name ? never : Name]: Named<Type[Name]> }
    : Type;

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
