import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';
import type { ResponsesEvents } from './output-events.ts';
import type { ResponsesOutputItem } from './output-types.ts';
import type { ResponsesRequest } from './request-schema.ts';
import type { ResponsesResponse } from './response.ts';

type SdkEvent = OpenAI.Responses.ResponseStreamEvent;
type SdkResponse = OpenAI.Responses.Response;

test('a response is what OpenAI clients read', () => {
  expectTypeOf<ResponsesOutputItem>().toExtend<OpenAI.Responses.ResponseOutputItem>();
  expectTypeOf<Plain<ResponsesResponse>>().toExtend<Plain<SdkResponse>>();
});

test('the events are what OpenAI clients read', () => {
  type Mismatches = {
    [Type in keyof ResponsesEvents]: Sent<Type> extends Expected<Type> ? never : Type;
  }[keyof ResponsesEvents];
  expectTypeOf<Mismatches>().toEqualTypeOf<never>();
  expectTypeOf<keyof ResponsesEvents>().toExtend<SdkEvent['type']>();
});

test('what OpenAI clients send is what is read, beside items and tools', () => {
  type Other = 'input' | 'tools' | 'tool_choice';
  type Read = Partial<Named<ResponsesRequest>>;
  expectTypeOf<Omit<OpenAI.Responses.ResponseCreateParams, Other>>().toExtend<Omit<Read, Other>>();
});

/** Without index signatures, at every depth: the SDK's interfaces have none. */
type Named<Type> = Type extends readonly (infer Element)[]
  ? Named<Element>[]
  : Type extends object
    ? { [Name in keyof Type as string extends Name ? never : Name]: Named<Type[Name]> }
    : Type;

type Sent<Type extends keyof ResponsesEvents> = Compared<
  { type: Type; sequence_number: number } & ResponsesEvents[Type]
>;
type Expected<Type extends keyof ResponsesEvents> = Compared<Extract<SdkEvent, { type: Type }>>;

type Compared<Event> = { [Name in keyof Event]: Name extends 'response' ? Plain<Event[Name]> : Event[Name] };

/**
 * Without what repeats the request, which has its own types; `output_text`, which the SDK makes; the codes of errors, of
 * which agents know more; and the members that are null on the wire and absent in the SDK's types.
 */
type Plain<Response> = Omit<
  Response,
  'tools' | 'tool_choice' | 'text' | 'reasoning' | 'prompt_cache_options' | 'output_text' | 'error' | 'usage' | 'user'
>;

test('the compiler has looked at this file', () => {
  expect(true).toBe(true);
});
