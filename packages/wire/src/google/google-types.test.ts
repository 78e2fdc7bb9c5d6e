import type { Content, FunctionDeclaration, GenerationConfig, ThinkingConfig } from '@google/genai';
import { expect, expectTypeOf, test } from 'vitest';
import type { GeminiContent, GeminiFunction, GeminiGenerationConfig, GeminiThinking } from './request.ts';

/** The vendor's types have enums where the wire has their words, and a schema type of their own. */
type Words<Type> = Omit<Type, 'thinkingConfig' | 'responseModalities' | 'responseSchema' | 'parameters'>;

test('what we send is what the vendor takes', () => {
  expectTypeOf<GeminiContent>().toExtend<Content>();
  expectTypeOf<Words<GeminiFunction>>().toExtend<Words<FunctionDeclaration>>();
  expectTypeOf<Words<Omit<GeminiGenerationConfig, 'imageConfig'>>>().toExtend<Words<GenerationConfig>>();
  expectTypeOf<GeminiThinking['thinkingLevel']>().toExtend<
    `${NonNullable<ThinkingConfig['thinkingLevel']>}` | undefined
  >();
});

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
