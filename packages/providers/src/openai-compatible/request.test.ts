import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '@tallyport/wire';
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

describe('requests to every vendor', () => {
  test('have the client’s members and the vendor’s model name', () => {
    expect(sent({ temperature: 0.5, top_k: 40, seed: 1 })).toEqual({ ...plain, temperature: 0.5, top_k: 40, seed: 1 });
  });

  test('ask for usage in every stream and never otherwise', () => {
    expect(sent({ stream: true, stream_options: { include_usage: false, x: 1 } }, { stream: true })).toEqual({
      ...plain,
      stream: true,
      stream_options: { include_usage: true, x: 1 },
    });
    expect(sent({ stream: false, stream_options: { include_usage: true } })).toEqual(plain);
  });

  test('have none of our members', () => {
    const earlier = { role: 'assistant' as const, content: 'x', reasoning_content: 'hm', images: [] };
    const made = sent({ image_config: { n: 1 }, reasoning: { effort: 'low', max_tokens: 9 }, messages: [earlier] });
    expect(made).toEqual({
      model: 'vendor-model',
      messages: [{ role: 'assistant', content: 'x' }],
      reasoning_effort: 'low',
    });
  });

  test('prefer the client’s reasoning_effort', () => {
    expect(sent({ reasoning_effort: 'high', reasoning: { effort: 'low' } })).toEqual({
      ...plain,
      reasoning_effort: 'high',
    });
  });

  test.each<[NonNullable<ChatRequest['reasoning']>, object]>([
    [{ enabled: true }, { reasoning_effort: 'medium' }],
    [{ enabled: false }, { reasoning_effort: 'none' }],
    [{ enabled: true, effort: 'high' }, { reasoning_effort: 'high' }],
    [{ max_tokens: 2_048 }, { reasoning_effort: 'low' }],
    [{ max_tokens: 2_049 }, { reasoning_effort: 'medium' }],
    [{ exclude: true }, {}],
  ])('reasoning %j is %j', (reasoning, expected) => {
    expect(sent({ reasoning, usage: { include: true } })).toEqual({ ...plain, ...expected });
  });

  test('have metadata only if store is true', () => {
    expect(sent({ metadata: { a: 'b' } })).toEqual(plain);
    expect(sent({ metadata: { a: 'b' }, store: true })).toEqual({ ...plain, metadata: { a: 'b' }, store: true });
  });

  test('have matching accept headers', () => {
    const provider = vendorWith();
    const accept = (stream: boolean) => provider.request(callOf({}, stream), vendorOffer(provider)).headers.accept;
    expect([accept(true), accept(false)]).toEqual(['text/event-stream', 'application/json']);
  });

  test('sends developer messages as system unless the vendor supports the role', () => {
    const messages = [{ role: 'developer' as const, content: 'x' }];
    expect(sent({ messages }).messages).toEqual([{ role: 'system', content: 'x' }]);
    expect(sent({ messages }, { quirks: { developerRole: 'kept' } }).messages).toEqual(messages);
  });

  test('sends {} for earlier calls without arguments', () => {
    const call = (input: string) => ({ id: 'a', type: 'function' as const, function: { name: 'f', arguments: input } });
    const messages = [{ role: 'assistant' as const, content: null, tool_calls: [call(''), call('{"x":1}')] }];
    expect(sent({ messages }).messages).toEqual([{ ...messages[0], tool_calls: [call('{}'), call('{"x":1}')] }]);
    expect(messages[0]?.tool_calls[0]).toEqual(call(''));
  });

  test.each<[string, Partial<ChatRequest>, object | undefined]>([
    ['empty lists', { tools: [], functions: [] }, {}],
    ['settings without tools', { tools: [], tool_choice: 'auto', parallel_tool_calls: false }, {}],
    ['settings without functions', { functions: [], function_call: 'auto' }, {}],
    ['nulls', { tools: null, tool_choice: null, functions: null }, {}],
    ['a choice that requires a tool', { tools: [], tool_choice: 'required' }, { tool_choice: 'required' }],
    ['functions', { functions: [{ name: 'f' }], function_call: 'auto' }, undefined],
  ])('removes empty tools: %s', (_title, request, expected) => {
    expect(sent(request)).toEqual({ ...plain, ...(expected ?? request) });
  });

  test('sends refusals of earlier turns as text unless the vendor supports them', () => {
    const refused = { role: 'assistant' as const, content: null, refusal: 'No.' };
    const parts = { role: 'assistant' as const, content: [{ type: 'refusal' as const, refusal: 'No.' }] };
    const none = { role: 'assistant' as const, content: 'Yes.', refusal: null };
    const messages = [refused, parts, none, { ...none, refusal: 'No.' }];
    expect(sent({ messages }).messages).toEqual([
      { role: 'assistant', content: 'No.' },
      { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'assistant', content: 'Yes.\n\nNo.' },
    ]);
    expect(sent({ messages }, { quirks: { refusals: 'kept' } }).messages).toEqual(messages);
    const silent = { role: 'assistant' as const, content: '' };
    expect(sent({ messages: [silent] }).messages).toEqual([silent]);
  });

  test('treats __proto__ as an ordinary member', () => {
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
      'rename keeps an existing member',
      { request: { rename: { max_tokens: 'max_completion_tokens' } } },
      { max_tokens: 1, max_completion_tokens: 2 },
      { max_completion_tokens: 2 },
    ],
    ['drop', { request: { drop: ['seed'] } }, { seed: 1 }, {}],
    ['drop inside a member', { request: { drop: ['x.y'] } }, { x: { y: 1, z: 2 } }, { x: { z: 2 } }],
    ['drop inside a value that is not an object', { request: { drop: ['x.y'] } }, { x: 1 }, { x: 1 }],
    [
      'clamp',
      { request: { clamp: { top_p: [0.1, 0.9] } } },
      { top_p: 0.95, temperature: 2 },
      { top_p: 0.9, temperature: 2 },
    ],
    ['clamp from below', { request: { clamp: { top_p: [0.1, 0.9] } } }, { top_p: 0.05 }, { top_p: 0.1 }],
    ['clamp at the limit', { request: { clamp: { top_p: [0.1, 0.9] } } }, { top_p: 0.9 }, { top_p: 0.9 }],
    ['respell', { request: { respell: { x: { a: 'b' } } } }, { x: 'a' }, { x: 'b' }],
    ['respell no other value', { request: { respell: { x: { a: 'b' } } } }, { x: 'constructor' }, { x: 'constructor' }],
    ['rules for other models', { requestWhen: [{ models: /^other/, drop: ['seed'] }] }, { seed: 1 }, { seed: 1 }],
    ['rules for this model', { requestWhen: [{ models: /^vendor-/, drop: ['seed'] }] }, { seed: 1 }, {}],
    ['refused but not requested', { request: { refuse: ['x'] } }, { x: false }, {}],
    ['tools without a choice of none', { request: { toolChoices: ['auto'] } }, { tools: [], tool_choice: 'none' }, {}],
    ['add', { request: { add: { reasoning_split: true } } }, {}, { reasoning_split: true }],
    ['conditional rules that apply', { requestWhen: [{ when: () => true, drop: ['seed'] }] }, { seed: 1 }, {}],
    [
      'conditional rules that do not apply',
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

  test('sends only allowed members', () => {
    expect(sent({ seed: 1, user: 'u', vendor: 1 }, { quirks: { allow: ['model', 'messages', 'seed'] } })).toEqual({
      ...plain,
      seed: 1,
    });
  });

  test.each<[string, Quirks]>([
    ['vendors that support every kind of tool', { toolKinds: 'all' }],
    ['vendors that support functions', {}],
    ['vendors that support only auto and none', { request: { toolChoices: ['auto', 'none'] } }],
  ])('sends auto for validated to %s', (_name, quirks) => {
    const tools = [{ type: 'function' as const, function: { name: 'f' } }];
    expect(sent({ tools, tool_choice: 'validated' }, { quirks })).toEqual({ ...plain, tools, tool_choice: 'auto' });
  });

  test('sends no stream_options if usage is unasked', () => {
    expect(sent({}, { quirks: { streamUsage: 'unasked' }, stream: true })).toEqual({ ...plain, stream: true });
  });

  test('keeps listed members of messages and applies the message quirk last', () => {
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
  const hints = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: {} };

  test('sends max_tokens as max_completion_tokens', () => {
    expect(made({ max_tokens: 5 }, false)).toEqual({ ...plain, max_completion_tokens: 5 });
  });

  test('sends reasoning models no sampling hints unless reasoning is off', () => {
    expect(made(hints, true)).toEqual(plain);
    expect(made({ ...hints, reasoning_effort: 'none' }, true)).toEqual({
      ...plain,
      ...hints,
      reasoning_effort: 'none',
    });
    expect(made(hints, false)).toEqual({ ...plain, ...hints });
  });
});
