import { describe, expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { nineCharacters } from './call-id.ts';
import { mistral } from './chat.ts';

const { sent, folded, choice, failure, chunks } = vendorOf(mistral);
const parameters = { type: 'object', properties: {} };
const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters } });
const user = { role: 'user' as const, content: 'Hi' };

describe('does not send unknown members, which the vendor refuses with 422', () => {
  test('in the body', () => {
    const request = { metadata: { a: 'b' }, store: true, user: 'u', logit_bias: {}, service_tier: 'auto', vendor: 1 };
    expect(sent({ ...request, temperature: 0.5 }, { stream: true })).toEqual({ stream: true, temperature: 0.5 });
  });

  test('in messages', () => {
    const assistant = { role: 'assistant' as const, content: 'x', reasoning_content: 'hm', refusal: null, audio: null };
    const made = sent({
      messages: [
        { ...user, name: 'Ann' },
        { ...assistant, prefix: true },
      ],
    });
    expect(made.messages).toEqual([user, { role: 'assistant', content: 'x', prefix: true }]);
  });

  test('in parts', () => {
    const text = { type: 'text' as const, text: 'x' };
    const marked = { ...text, prompt_cache_breakpoint: { mode: 'explicit' }, cache_control: { type: 'ephemeral' } };
    expect(sent({ messages: [{ role: 'user', content: [marked, text] }] }).messages).toEqual([
      { role: 'user', content: [text, text] },
    ]);
  });

  test('sends a schema for a tool without parameters', () => {
    const schema = { type: 'object', properties: { x: { type: 'string' } } };
    const none = { type: 'function' as const, function: { name: 'g', description: 'G.' } };
    const full = { type: 'function' as const, function: { name: 'f', parameters: schema } };
    expect(sent({ tools: [none, full] })).toEqual({
      tools: [{ type: 'function', function: { ...none.function, parameters } }, full],
    });
    expect(sent({ tools: [] })).toEqual({});
  });

  test.each([
    [1.5, 1.5],
    [1.6, 1.5],
    [2, 1.5],
  ])('a temperature of %d is sent as %d', (temperature, expected) => {
    expect(sent({ temperature })).toEqual({ temperature: expected });
  });

  test('sends a refusal of an earlier turn as content', () => {
    expect(sent({ messages: [user, { role: 'assistant', content: null, refusal: 'No.' }, user] }).messages).toEqual([
      user,
      { role: 'assistant', content: 'No.' },
      user,
    ]);
  });

  test.each([
    ['modalities', { modalities: ['text', 'audio'] }],
    ['moderation', { moderation: { model: 'omni-moderation-latest' } }],
    ['web_search_options', { web_search_options: {} }],
    ['tools', { tools: [{ type: 'custom' as const, custom: { name: 'f' } }] }],
  ])('refuses %s', (param, request) => {
    expect(vendorOf(mistral).unsupported(request)).toBe(param);
  });

  test('sends only allowed tools', () => {
    const allowed_tools = { mode: 'required' as const, tools: [tool('g')] };
    const tool_choice = { type: 'allowed_tools' as const, allowed_tools };
    expect(sent({ tools: [tool('f'), tool('g')], tool_choice })).toEqual({ tools: [tool('g')], tool_choice: 'any' });
  });

  test('refuses logprobs', () => {
    expect(vendorOf(mistral).unsupported({ logprobs: true })).toBe('logprobs');
    expect(sent({ logprobs: false })).toEqual({});
  });
});

describe('members with other names', () => {
  test('seed and the token limit', () => {
    expect(sent({ seed: 7, max_completion_tokens: 5 })).toEqual({ random_seed: 7, max_tokens: 5 });
  });

  test('passes on the vendor’s own members', () => {
    const extras = { safe_prompt: true, prompt_mode: 'reasoning', prompt_cache_key: 'k' };
    expect(sent(extras)).toEqual(extras);
  });

  test.each([
    ['mistral-medium-2604', { reasoning_effort: 'low' as const }, { reasoning_effort: 'high' }],
    ['mistral-medium-2604', { reasoning_effort: 'none' as const }, { reasoning_effort: 'none' }],
    ['magistral-medium-latest', { reasoning_effort: 'low' as const }, { prompt_mode: 'reasoning' }],
    ['codestral-latest', { reasoning_effort: 'low' as const }, {}],
  ])('effort of %s', (modelName, request, expected) => {
    expect(sent(request, { modelName })).toEqual(expected);
  });

  test.each([
    ['required', 'required' as const, ['f', 'g'], 'any'],
    ['auto', 'auto' as const, ['f', 'g'], 'auto'],
    ['none', 'none' as const, ['f', 'g'], 'none'],
    ['a named tool', tool('g'), ['g'], 'any'],
  ])('tool_choice %s', (_name, choose, names, expected) => {
    expect(sent({ tools: [tool('f'), tool('g')], tool_choice: choose })).toEqual({
      tools: names.map(tool),
      tool_choice: expected,
    });
  });
});

describe('call ids are nine letters or digits', () => {
  test('keeps its own ids', () => {
    expect(nineCharacters('D681PevKs')).toBe('D681PevKs');
  });

  test.each(['call_1', '', 'functions.f:0', 'D681PevKs0', 'toolu_01A09q90qw90lq917835lq9'])('%j', (id) => {
    expect(nineCharacters(id)).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(nineCharacters(id)).toBe(nineCharacters(id));
  });

  test('maps ten thousand ids without a collision', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => nineCharacters(`call_${index}`));
    expect(new Set(ids).size).toBe(10_000);
  });

  test('uses the same id for a call and its result', () => {
    const call = { id: 'call_1', ...tool('f'), function: { name: 'f', arguments: '{}' } };
    const id = nineCharacters('call_1');
    const messages = [
      { role: 'assistant' as const, content: '', tool_calls: [call] },
      { role: 'tool' as const, content: '1', tool_call_id: 'call_1' },
    ];
    expect(sent({ messages }).messages).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ ...call, id }] },
      { role: 'tool', content: '1', tool_call_id: id },
    ]);
  });
});

describe('answers', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
    { type: 'text', text: 'Hi' },
  ];

  test('reads thinking from the parts of the content', () => {
    const message = { content: 'Hi', reasoning_content: 'hm' };
    expect(choice({ content: parts })?.message).toMatchObject(message);
    expect(folded(delta({ content: parts }, 'stop')).choices[0]?.message).toMatchObject(message);
  });

  test('reads calls without index and type, with empty names later', () => {
    const call = (id: string, name: string, input: string) => ({ id, function: { name, arguments: input } });
    const whole = folded(
      delta({ tool_calls: [call('aaaaaaaaa', 'f', '{"x"'), call('bbbbbbbbb', 'g', '{}')] }),
      delta({ tool_calls: [call('aaaaaaaaa', '', ':1}')] }, 'tool_calls'),
    );
    expect(whole.choices[0]?.message.tool_calls).toEqual([
      { id: 'aaaaaaaaa', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'bbbbbbbbb', type: 'function', function: { name: 'g', arguments: '{}' } },
    ]);
  });

  test('reads unrequested usage from the last chunk', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(chunks(delta({ content: 'x' }), delta({ content: '' }, 'stop', { usage })).at(-1)?.usage).toEqual(usage);
  });

  test('maps model_length to length and error to a fault', () => {
    expect(choice({ content: 'x' }, { finish_reason: 'model_length' })?.finish_reason).toBe('length');
    expect(() => choice({ content: 'x' }, { finish_reason: 'error' })).toThrow(
      expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
    );
  });

  test.each([
    [
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'user'], msg: 'Extra inputs are not permitted', input: 'u' }],
      },
      'body.user: Extra inputs are not permitted',
    ],
    ['Invalid model: x', 'Invalid model: x'],
  ])('reads an error message that is an object or a text', (message, text) => {
    const body = { object: 'error', message, type: 'invalid_request_error', param: null, code: null };
    expect(failure(422, body)).toEqual({ code: 'invalid_parameters', status: 422, domain: 'caller', message: text });
  });
});
