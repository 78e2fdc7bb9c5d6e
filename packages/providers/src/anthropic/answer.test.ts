import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { callOf, contextOf, feed, vendorOffer, translate } from '../testing/translate.ts';
import { anthropic } from './chat.ts';

const event = (value: { type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const bytes = (...events: { type: string; [member: string]: unknown }[]): Buffer[] => [
  Buffer.from(events.map(event).join('')),
];

const start = (usage: object = { input_tokens: 9, output_tokens: 1 }) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content: [], usage },
});
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change });
const blockStop = (index: number) => ({ type: 'content_block_stop', index });
const end = (stop_reason: string, usage: object = { output_tokens: 5 }, more: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...more },
  usage,
});
const stop = { type: 'message_stop' };

const head = { id: 'chatcmpl-ours', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'claude-x' };
const says = (said: object) => ({ ...head, choices: [{ index: 0, delta: said, finish_reason: null }] });
const ends = (finish_reason: string) => ({ ...head, choices: [{ index: 0, delta: {}, finish_reason }] });
const plainUsage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };

const messageOf = (stream: Buffer[], request: Partial<ChatRequest> = {}) =>
  fold(translate(anthropic, stream, callOf(request))).choices[0];

describe('streams', () => {
  test('translates a recorded stream with thinking, text and two tools', () => {
    const stream = bytes(
      start({ input_tokens: 9, cache_creation_input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 1 }),
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      { type: 'ping' },
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'thinking_delta', thinking: '.' }),
      delta(0, { type: 'signature_delta', signature: 'EuYB' }),
      blockStop(0),
      block(1, { type: 'redacted_thinking', data: 'x/y' }),
      blockStop(1),
      block(2, { type: 'text', text: '' }),
      delta(2, { type: 'text_delta', text: 'Let me see.' }),
      blockStop(2),
      block(3, { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '' }),
      delta(3, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(3, { type: 'input_json_delta', partial_json: '"Rome"}' }),
      blockStop(3),
      block(4, { type: 'tool_use', id: 'toolu_2', name: 'get_time', input: {} }),
      blockStop(4),
      end('tool_use', { output_tokens: 20, output_tokens_details: { thinking_tokens: 8 } }),
      stop,
    );
    const format = 'anthropic-claude-v1';
    expect(translate(anthropic, stream)).toEqual([
      says({ role: 'assistant', content: '' }),
      says({
        reasoning_content: 'Hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format, index: 0 }],
      }),
      says({ reasoning_content: '.', reasoning_details: [{ type: 'reasoning.text', text: '.', format, index: 0 }] }),
      says({ reasoning_details: [{ type: 'reasoning.text', signature: 'EuYB', format, index: 0 }] }),
      says({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x/y', format, index: 1 }] }),
      says({ content: 'Let me see.' }),
      says({
        tool_calls: [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'get_weather', arguments: '' } }],
      }),
      says({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      says({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }),
      says({
        tool_calls: [{ index: 1, id: 'toolu_2', type: 'function', function: { name: 'get_time', arguments: '' } }],
      }),
      says({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
      ends('tool_calls'),
      {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 16,
          completion_tokens: 20,
          total_tokens: 36,
          prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 8 },
        },
      },
    ]);
  });

  test('folds thinking into details that can be sent back', () => {
    const stream = bytes(
      start(),
      block(0, { type: 'thinking', thinking: 'H', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'm' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      end('end_turn'),
      stop,
    );
    expect(messageOf(stream)?.message).toMatchObject({
      reasoning_content: 'Hm',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
      ],
    });
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
    // `tool_use` without a call is reported as `stop`.
    ['tool_use', 'stop'],
  ])('%s is %s', (reason, finishReason) => {
    const stream = bytes(start(), block(0, { type: 'text', text: 'x' }), blockStop(0), end(reason), stop);
    expect(messageOf(stream)?.finish_reason).toBe(finishReason);
  });

  test('reports the stop text that ended the answer', () => {
    const stream = bytes(
      start(),
      block(0, { type: 'text', text: 'x' }),
      end('stop_sequence', {}, { stop_sequence: 'END' }),
      stop,
    );
    expect(messageOf(stream)).toMatchObject({ finish_reason: 'stop', stop_reason: 'END' });
  });

  test('passes on the explanation of a refusal', () => {
    const details = { stop_details: { type: 'refusal', category: 'bio', explanation: 'Not this.' } };
    expect(messageOf(bytes(start(), end('refusal', {}, details), stop))?.message).toEqual({
      role: 'assistant',
      content: null,
      refusal: 'Not this.',
    });
  });

  test('turns citations with a URL into annotations', () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'x' };
    const stream = bytes(
      start(),
      block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":"a"}' }),
      blockStop(0),
      block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
      blockStop(1),
      block(2, { type: 'text', text: '', citations: [] }),
      delta(2, { type: 'citations_delta', citation }),
      delta(2, { type: 'citations_delta', citation: { type: 'char_location', document_index: 0 } }),
      delta(2, { type: 'text_delta', text: 'Cited.' }),
      blockStop(2),
      end('end_turn'),
      stop,
    );
    expect(messageOf(stream)?.message).toEqual({
      role: 'assistant',
      content: 'Cited.',
      refusal: null,
      annotations: [
        { type: 'url_citation', url_citation: { start_index: 0, end_index: 0, title: 'A', url: 'https://a.example' } },
      ],
    });
  });

  test('uses the latest usage counts and ignores nulls', () => {
    const stream = bytes(
      start({ input_tokens: 9, cache_read_input_tokens: 2, output_tokens: 1 }),
      block(0, { type: 'text', text: 'x' }),
      end('end_turn', { input_tokens: 10, cache_read_input_tokens: null, output_tokens: 5 }),
      stop,
    );
    expect(translate(anthropic, stream).at(-1)?.usage).toEqual({
      prompt_tokens: 12,
      completion_tokens: 5,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 2 },
    });
  });

  test('keeps the usage of a stream that was cut', () => {
    const translator = anthropic.stream(contextOf(anthropic));
    feed(translator, bytes(start(), block(0, { type: 'text', text: 'x' })), 'sse');
    expect(translator.usage()).toEqual({ prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 });
  });

  test.each<[string, Buffer[]]>([
    [
      'without its start',
      bytes(block(0, { type: 'text', text: 'x' }), end('end_turn', { input_tokens: 9, output_tokens: 5 })),
    ],
    ['without message_stop', bytes(start(), delta(0, { type: 'text_delta', text: 'x' }), end('end_turn'))],
    ['without a stop reason', bytes(start(), delta(0, { type: 'text_delta', text: 'x' }), { type: 'message_stop' })],
    [
      'with unknown events',
      bytes(start(), { type: 'new' }, block(0, { type: 'text', text: 'x' }), end('end_turn'), stop),
    ],
    [
      'with unknown blocks',
      bytes(
        start(),
        block(0, { type: 'new', text: 'y' }),
        block(1, { type: 'text', text: 'x' }),
        end('end_turn'),
        stop,
      ),
    ],
    [
      'with a frame that is not JSON',
      [Buffer.from('data: {\n\n'), ...bytes(start(), block(0, { type: 'text', text: 'x' }), end('end_turn'), stop)],
    ],
  ])('translates a stream %s', (_name, stream) => {
    const { choices } = fold(translate(anthropic, stream));
    expect(choices[0]).toMatchObject({ message: { content: 'x' }, finish_reason: 'stop' });
  });

  test('skips ten frames that are not JSON and fails at the eleventh', () => {
    const broken = (count: number) => [
      Buffer.from('data: x\n\n'.repeat(count)),
      ...bytes(start(), end('end_turn'), stop),
    ];
    expect(translate(anthropic, broken(10)).at(-1)?.usage).toEqual(plainUsage);
    expect(() => translate(anthropic, broken(11))).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });
});

describe('a structured answer of an older model', () => {
  const request: Partial<ChatRequest> = {
    response_format: { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' } } },
  };
  const call = callOf(request);
  const context = { ...contextOf(anthropic, call), offer: vendorOffer(anthropic, { modelName: 'claude-sonnet-4-0' }) };
  const expected = { message: { role: 'assistant', content: '{"name":"Rome"}', refusal: null }, finish_reason: 'stop' };

  test('becomes text', () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'city', input: { name: 'Rome' } }];
    const completion = anthropic.response({ type: 'message', content, stop_reason: 'tool_use' }, context);
    expect(completion.choices).toEqual([{ index: 0, logprobs: null, ...expected }]);
  });

  test('becomes text piece by piece in a stream', () => {
    const translator = anthropic.stream(context);
    const chunks = feed(
      translator,
      bytes(
        start(),
        block(0, { type: 'tool_use', id: 'toolu_1', name: 'city', input: {} }),
        delta(0, { type: 'input_json_delta', partial_json: '{"name":' }),
        delta(0, { type: 'input_json_delta', partial_json: '"Rome"}' }),
        blockStop(0),
        end('tool_use'),
        stop,
      ),
      'sse',
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual([
      '',
      '{"name":',
      '"Rome"}',
      undefined,
      undefined,
    ]);
    expect(fold(chunks).choices).toEqual([{ index: 0, logprobs: null, ...expected }]);
  });

  test('becomes an empty object if its input is empty', () => {
    const translator = anthropic.stream(context);
    const empty = block(0, { type: 'tool_use', id: 'toolu_1', name: 'city', input: {} });
    const chunks = feed(translator, bytes(start(), empty, blockStop(0), end('tool_use'), stop), 'sse');
    expect(fold(chunks).choices[0]?.message.content).toBe('{}');
  });
});

test.each([
  ['the members received so far', { city: 'Os' }, '{"city":"Os"}'],
  ['their text if it is not an object', '{"city":"Os', '{"city":"Os'],
])('arguments cut at the token limit keep %s', (_name, input, expectedArguments) => {
  const content = [{ type: 'tool_use', id: 'toolu_1', name: 'f', input }];
  const body = { type: 'message', content, stop_reason: 'max_tokens' };
  const calls = [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: expectedArguments } }];
  expect(anthropic.response(body, contextOf(anthropic)).choices[0]).toMatchObject({
    finish_reason: 'length',
    message: { tool_calls: calls },
  });
});

test('generates the same id with and without streaming for a call without one', () => {
  const tool = { type: 'tool_use', name: 'f', input: { x: 1 } };
  const stream = bytes(start(), block(0, tool), blockStop(0), end('tool_use'), stop);
  const streamed = messageOf(stream)?.message.tool_calls;
  const whole = anthropic.response({ content: [tool], stop_reason: 'tool_use' }, contextOf(anthropic));
  expect(streamed).toEqual([{ id: 'call_ours_0_0', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }]);
  expect(whole.choices[0]?.message.tool_calls).toEqual(streamed);
});

describe('a second message_start', () => {
  const half = [
    start(),
    block(0, { type: 'tool_use', id: 't', name: 'f', input: {} }),
    delta(0, { type: 'input_json_delta', partial_json: '{"a":' }),
  ];

  test('is a fault after content was sent', () => {
    const again = bytes(...half, start(), block(0, { type: 'text', text: 'Hi' }), end('end_turn'), stop);
    expect(() => translate(anthropic, again)).toThrow(
      expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
    );
  });

  test('replaces the first one before any content', () => {
    const twice = bytes(
      start(),
      start({ input_tokens: 3, output_tokens: 1 }),
      block(0, { type: 'text', text: 'Hi' }),
      end('end_turn'),
      stop,
    );
    expect(fold(translate(anthropic, twice))).toMatchObject({
      choices: [{ message: { content: 'Hi' } }],
      usage: { prompt_tokens: 3, completion_tokens: 5 },
    });
  });
});
