import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '@switchyard/wire';
import { openai } from '../openai/chat.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { openAiCompatible } from './chat.ts';
import type { Quirks, RequestRules } from './quirks.ts';

const vendorWith = (quirks: Quirks = {}) =>
  openAiCompatible({ id: 'vendor', baseUrl: 'https://vendor.example', keyVariable: 'VENDOR', quirks });

const sent = (
  request: Partial<ChatRequest>,
  { quirks = {}, stream = false }: { quirks?: Quirks; stream?: boolean } = {},
) => {
  const provider = vendorWith(quirks);
  return JSON.parse(provider.request(callOf(request, stream), vendorOffer(provider)).body);
};

const messages = [{ role: 'user', content: 'Hi' }];
const plain = { model: 'vendor-model', messages };

describe('every vendor of the format', () => {
  test('gets the client’s members under its own model name', () => {
    expect(sent({ temperature: 0.5, top_k: 40, seed: 1 })).toEqual({ ...plain, temperature: 0.5, top_k: 40, seed: 1 });
  });

  test('is always asked for usage in a stream, and never otherwise', () => {
    expect(sent({ stream: true, stream_options: { include_usage: false, x: 1 } }, { stream: true })).toEqual({
      ...plain,
      stream: true,
      stream_options: { include_usage: true, x: 1 },
    });
    expect(sent({ stream: false, stream_options: { include_usage: true } })).toEqual(plain);
  });

  test('gets no members of ours', () => {
    const earlier = { role: 'assistant' as const, content: 'x', reasoning_content: 'hm', images: [] };
    const made = sent({ image_config: { n: 1 }, reasoning: { effort: 'low', max_tokens: 9 }, messages: [earlier] });
    expect(made).toEqual({
      model: 'vendor-model',
      messages: [{ role: 'assistant', content: 'x' }],
      reasoning_effort: 'low',
    });
  });

  test('reasoning_effort said by the client wins over ours', () => {
    expect(sent({ reasoning_effort: 'high', reasoning: { effort: 'low' } })).toEqual({
      ...plain,
      reasoning_effort: 'high',
    });
  });

  test('gets metadata only for answers it is to keep', () => {
    expect(sent({ metadata: { a: 'b' } })).toEqual(plain);
    expect(sent({ metadata: { a: 'b' }, store: true })).toEqual({ ...plain, metadata: { a: 'b' }, store: true });
  });

  test('is asked with the headers of what we want back', () => {
    const provider = vendorWith();
    const accept = (stream: boolean) => provider.request(callOf({}, stream), vendorOffer(provider)).headers.accept;
    expect([accept(true), accept(false)]).toEqual(['text/event-stream', 'application/json']);
  });

  test('developers speak as the system, unless the vendor knows them', () => {
    const messages = [{ role: 'developer' as const, content: 'x' }];
    expect(sent({ messages }).messages).toEqual([{ role: 'system', content: 'x' }]);
    expect(sent({ messages }, { quirks: { developerRole: 'kept' } }).messages).toEqual(messages);
  });

  test('earlier calls without arguments have empty ones', () => {
    const call = (input: string) => ({ id: 'a', type: 'function' as const, function: { name: 'f', arguments: input } });
    const messages = [{ role: 'assistant' as const, content: null, tool_calls: [call(''), call('{"x":1}')] }];
    expect(sent({ messages }).messages).toEqual([{ ...messages[0], tool_calls: [call('{}'), call('{"x":1}')] }]);
    expect(messages[0]?.tool_calls[0]).toEqual(call(''));
  });

  test('a member named __proto__ is a member', () => {
    const request: ChatRequest = JSON.parse('{"model":"m","messages":[],"__proto__":{"temperature":2}}');
    expect(vendorWith().request({ request, stream: false }, vendorOffer(vendorWith())).body).toBe(
      '{"model":"vendor-model","messages":[],"__proto__":{"temperature":2}}',
    );
  });
});

describe('quirks', () => {
  test.each<[string, Quirks, Partial<ChatRequest>, Record<string, unknown>]>([
    ['rename', { request: { rename: { seed: 'random_seed' } } }, { seed: 1 }, { random_seed: 1 }],
    [
      'rename keeps what is there',
      { request: { rename: { max_tokens: 'max_completion_tokens' } } },
      { max_tokens: 1, max_completion_tokens: 2 },
      { max_completion_tokens: 2 },
    ],
    ['drop', { request: { drop: ['seed'] } }, { seed: 1 }, {}],
    ['drop inside a member', { request: { drop: ['x.y'] } }, { x: { y: 1, z: 2 } }, { x: { z: 2 } }],
    ['drop inside what is no object', { request: { drop: ['x.y'] } }, { x: 1 }, { x: 1 }],
    [
      'clamp',
      { request: { clamp: { top_p: [0.1, 0.9] } } },
      { top_p: 0.95, temperature: 2 },
      { top_p: 0.9, temperature: 2 },
    ],
    ['clamp from below', { request: { clamp: { top_p: [0.1, 0.9] } } }, { top_p: 0.05 }, { top_p: 0.1 }],
    ['clamp at the limit', { request: { clamp: { top_p: [0.1, 0.9] } } }, { top_p: 0.9 }, { top_p: 0.9 }],
    ['respell', { request: { respell: { x: { a: 'b' } } } }, { x: 'a' }, { x: 'b' }],
    ['respell nothing else', { request: { respell: { x: { a: 'b' } } } }, { x: 'constructor' }, { x: 'constructor' }],
    ['rules for other models', { requestWhen: [{ models: /^other/, drop: ['seed'] }] }, { seed: 1 }, { seed: 1 }],
    ['rules for this model', { requestWhen: [{ models: /^vendor-/, drop: ['seed'] }] }, { seed: 1 }, {}],
    ['refused, but not asked for', { request: { refuse: ['x'] } }, { x: false }, {}],
    ['tools without a choice of none', { request: { toolChoices: ['auto'] } }, { tools: [], tool_choice: 'none' }, {}],
    ['add', { request: { add: { reasoning_split: true } } }, {}, { reasoning_split: true }],
    ['conditional rules that hold', { requestWhen: [{ when: () => true, drop: ['seed'] }] }, { seed: 1 }, {}],
    [
      'conditional rules that do not',
      { requestWhen: [{ when: () => false, drop: ['seed'] }] },
      { seed: 1 },
      { seed: 1 },
    ],
    [
      'own members kept',
      { keepOwn: ['image_config', 'reasoning'] },
      { image_config: { n: 1 }, reasoning: { effort: 'low' } },
      { image_config: { n: 1 }, reasoning: { effort: 'low' } },
    ],
  ])('%s', (_name, quirks, request, members) => {
    expect(sent(request, { quirks })).toEqual({ ...plain, ...members });
  });

  test.each<[string, RequestRules, Partial<ChatRequest>, string | undefined]>([
    ['a member', { refuse: ['x'] }, { x: [] }, undefined],
    ['a member', { refuse: ['x'] }, { x: [1] }, 'x'],
    ['a tool choice', { toolChoices: ['auto'] }, { tool_choice: 'none' }, undefined],
    ['a tool choice', { toolChoices: ['auto'] }, { tool_choice: 'required' }, 'tool_choice'],
    ['a format', { responseFormats: [] }, { response_format: { type: 'text' } }, undefined],
    ['a format', { responseFormats: [] }, { response_format: { type: 'json_object' } }, 'response_format'],
    ['stop texts', { mostStops: 2 }, { stop: ['a', 'b'] }, undefined],
    ['stop texts', { mostStops: 2 }, { stop: ['a', 'b', 'c'] }, 'stop'],
    ['a plain answer', { streamOnly: true }, {}, 'stream'],
  ])('%s refused: %j, asked %j', (_name, rules, request, param) => {
    const provider = vendorWith({ request: rules });
    expect(provider.unsupported?.(callOf(request, false), vendorOffer(provider))).toBe(param);
  });

  test('a whitelist lets nothing else through', () => {
    expect(sent({ seed: 1, user: 'u', vendor: 1 }, { quirks: { allow: ['model', 'messages', 'seed'] } })).toEqual({
      ...plain,
      seed: 1,
    });
  });

  test('usage unasked sends no stream_options', () => {
    expect(sent({}, { quirks: { streamUsage: 'unasked' }, stream: true })).toEqual({ ...plain, stream: true });
  });

  test('messages: members kept, and the last word', () => {
    const earlier = { role: 'assistant' as const, content: 'x', reasoning_content: 'hm' };
    const quirks: Quirks = {
      keepInMessages: ['reasoning_content'],
      message: (message, { modelName }) => ({ ...message, name: modelName }),
    };
    expect(sent({ messages: [earlier] }, { quirks }).messages).toEqual([{ ...earlier, name: 'vendor-model' }]);
  });
});

describe('openai', () => {
  const made = (request: Partial<ChatRequest>, reasoning: boolean) =>
    JSON.parse(openai.request(callOf(request, false), vendorOffer(openai, { reasoning })).body);
  const hints = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, logprobs: true, logit_bias: {} };

  test('max_tokens has its new name', () => {
    expect(made({ max_tokens: 5 }, false)).toEqual({ ...plain, max_completion_tokens: 5 });
  });

  test('reasoning models get no sampling hints, unless told not to reason', () => {
    expect(made(hints, true)).toEqual(plain);
    expect(made({ ...hints, reasoning_effort: 'none' }, true)).toEqual({
      ...plain,
      ...hints,
      reasoning_effort: 'none',
    });
    expect(made(hints, false)).toEqual({ ...plain, ...hints });
  });
});
