import type { Content, FunctionDeclaration, GenerationConfig, ThinkingConfig } from '@google/genai';
import { expect, expectTypeOf, test } from 'vitest';
import type { GeminiContent, GeminiFunction, GeminiGenerationConfig, GeminiThinking } from './request.ts';

/** The vendor's types use enums for texts of the wire format, and their own schema type. */
type Words<Type> = Omit<Type, 'thinkingConfig' | 'responseModalities' | 'responseSchema' | 'parameters'>;

test('our request types are assignable to the vendor’s types', () => {
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
