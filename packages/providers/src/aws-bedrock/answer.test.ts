import type { ChatChunk, ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import type { TranslationContext } from '../spec/provider.ts';
import { bedrockEvent } from '../testing/bedrock-format.ts';
import { callOf, contextOf, feed, vendorOffer } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';

const contextFor = (modelName: string, request: Partial<ChatRequest> = {}): TranslationContext => ({
  ...contextOf(awsBedrock, callOf(request)),
  offer: vendorOffer(awsBedrock, { modelName }),
});
const usual = contextFor('vendor.model-v1:0');
const claude = contextFor('us.anthropic.claude-sonnet-4-5-20250929-v1:0');

function streamed(frames: readonly Buffer[], context = usual): ChatChunk[] {
  const translator = awsBedrock.stream(context);
  return [...feed(translator, frames, awsBedrock.framing), ...translator.end()];
}

const answerOf = (content: unknown[], rest: object = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  metrics: { latencyMs: 1 },
  ...rest,
});

const at = (contentBlockIndex: number, delta: object) =>
  bedrockEvent('contentBlockDelta', { contentBlockIndex, delta });
const starts = (contentBlockIndex: number, start: object = {}) =>
  bedrockEvent('contentBlockStart', { contentBlockIndex, start });
const stops = (contentBlockIndex: number) => bedrockEvent('contentBlockStop', { contentBlockIndex });
const begins = bedrockEvent('messageStart', { role: 'assistant' });
const ends = (stopReason: string) => bedrockEvent('messageStop', { stopReason });
const metadata = bedrockEvent('metadata', {
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  metrics: { latencyMs: 1 },
});
const messageIn = (chunks: readonly ChatChunk[]) => fold(chunks).choices[0]?.message;

describe('thinking', () => {
  const thought = [{ reasoningContent: { reasoningText: { text: 'Hm. Yes.', signature: 'c2ln' } } }, { text: 'Hi' }];
  const pieces = [
    begins,
    at(0, { reasoningContent: { text: 'Hm. ' } }),
    at(0, { reasoningContent: { text: 'Yes.' } }),
    at(0, { reasoningContent: { signature: 'c2ln' } }),
    stops(0),
    at(1, { text: 'Hi' }),
    at(1, { text: '' }),
    stops(1),
    ends('end_turn'),
    metadata,
  ];

  test('has the signature that must be sent back, for models that sign it', () => {
    const expected = {
      role: 'assistant',
      content: 'Hi',
      refusal: null,
      reasoning_content: 'Hm. Yes.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Hm. Yes.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
      ],
    };
    expect(awsBedrock.response(answerOf(thought), claude).choices[0]?.message).toEqual(expected);
    expect(messageIn(streamed(pieces, claude))).toEqual(expected);
  });

  test('is only text for other models', () => {
    const expected = { role: 'assistant', content: 'Hi', refusal: null, reasoning_content: 'Hm. Yes.' };
    expect(awsBedrock.response(answerOf(thought), usual).choices[0]?.message).toEqual(expected);
    expect(messageIn(streamed(pieces))).toEqual(expected);
  });

  test('is kept encrypted if the vendor encrypts it', () => {
    const sealed = [{ reasoningContent: { redactedContent: 'QUJD' } }, { text: 'Hi' }];
    const expected = {
      content: 'Hi',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'QUJD', format: 'aws-bedrock-v1', index: 0 }],
    };
    expect(awsBedrock.response(answerOf(sealed), claude).choices[0]?.message).toMatchObject(expected);
    const frames = [begins, at(0, { reasoningContent: { redactedContent: 'QUJD' } }), stops(0), at(1, { text: 'Hi' })];
    expect(messageIn(streamed([...frames, ends('end_turn'), metadata], claude))).toMatchObject(expected);
  });

  test('is sent back as it was received', () => {
    const text = 'Hm. Yes. '.repeat(40);
    const long = [{ reasoningContent: { reasoningText: { text, signature: 'c2ln' } } }, { text: 'Hi' }];
    const reasoning_details = awsBedrock.response(answerOf(long), claude).choices[0]?.message.reasoning_details;
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hi', reasoning_details },
      { role: 'user', content: 'And?' },
    ];
    const { body } = awsBedrock.request(callOf({ messages, reasoning_effort: 'low' }), claude.offer);
    expect(JSON.parse(body).messages[1].content).toEqual(long);
  });
});

describe('calls', () => {
  const use = (toolUseId: string, name: string) => ({ toolUse: { toolUseId, name } });
  const call = (id: string, name: string, input: string) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  });

  test('are numbered separately from other blocks and always have arguments', () => {
    const frames = [
      begins,
      at(0, { text: 'Let me see.' }),
      stops(0),
      starts(1, use('a', 'f')),
      starts(2, use('functions.g:0', 'g')),
      at(1, { toolUse: { input: '{"x"' } }),
      stops(2),
      at(1, { toolUse: { input: ':1}' } }),
      stops(1),
      ends('tool_use'),
      metadata,
    ];
    const chunks = streamed(frames);
    const calls = [call('a', 'f', '{"x":1}'), call('functions.g:0', 'g', '{}')];
    expect(messageIn(chunks)).toMatchObject({ content: 'Let me see.', tool_calls: calls });
    expect(fold(chunks).choices[0]?.finish_reason).toBe('tool_calls');
    const content = [
      { text: 'Let me see.' },
      { toolUse: { ...use('a', 'f').toolUse, input: { x: 1 } } },
      use('functions.g:0', 'g'),
    ];
    const whole = awsBedrock.response(answerOf(content, { stopReason: 'tool_use' }), usual);
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: calls } });
  });

  test('without an id get the same generated id with and without streaming', () => {
    const made = { tool_calls: [call('call_ours_0_0', 'f', '{}')] };
    expect(messageIn(streamed([begins, starts(0, use('', 'f')), stops(0), ends('tool_use')]))).toMatchObject(made);
    expect(awsBedrock.response(answerOf([{ toolUse: { name: 'f' } }]), usual).choices[0]?.message).toMatchObject(made);
  });

  test.each([
    ['the members received so far', { city: 'Os' }, '{"city":"Os"}'],
    ['their text if it is not an object', '{"city":"Os', '{"city":"Os'],
  ])('cut at the token limit keep %s', (_name, input, expectedArguments) => {
    const whole = answerOf([{ toolUse: { ...use('a', 'f').toolUse, input } }], { stopReason: 'max_tokens' });
    expect(awsBedrock.response(whole, usual).choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { tool_calls: [call('a', 'f', expectedArguments)] },
    });
  });

  test('of the answer tool become text', () => {
    const json_schema = { name: 'n', schema: { type: 'object' } };
    const context = contextFor('vendor.model-v1:0', { response_format: { type: 'json_schema', json_schema } });
    const input = { x: 'ü' };
    const expected = { message: { role: 'assistant', content: '{"x":"ü"}', refusal: null }, finish_reason: 'stop' };
    const wrapped = use('a', 'answer_as_json').toolUse;
    const whole = answerOf([{ toolUse: { ...wrapped, input } }], { stopReason: 'tool_use' });
    expect(awsBedrock.response(whole, context).choices[0]).toMatchObject(expected);
    const frames = [
      begins,
      starts(0, { toolUse: wrapped }),
      at(0, { toolUse: { input: '{"x":' } }),
      at(0, { toolUse: { input: '"ü"}' } }),
      stops(0),
      ends('tool_use'),
      metadata,
    ];
    expect(fold(streamed(frames, context)).choices[0]).toMatchObject(expected);
  });
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'stop'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['malformed_model_output', 'stop'],
  ['malformed_tool_use', 'stop'],
  ['something_new', 'stop'],
  ['constructor', 'stop'],
])('%s is %s', (stopReason, reason) => {
  expect(awsBedrock.response(answerOf([{ text: 'x' }], { stopReason }), usual).choices[0]?.finish_reason).toBe(reason);
  expect(fold(streamed([begins, at(0, { text: 'x' }), ends(stopReason)])).choices[0]?.finish_reason).toBe(reason);
});

test.each([
  [
    { inputTokens: 10, outputTokens: 2, totalTokens: 117, cacheReadInputTokens: 100, cacheWriteInputTokens: 5 },
    {
      prompt_tokens: 115,
      completion_tokens: 2,
      total_tokens: 117,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 5 },
    },
  ],
  [
    { inputTokens: 1, outputTokens: 2, cacheReadInputTokenCount: 3 },
    {
      prompt_tokens: 4,
      completion_tokens: 2,
      total_tokens: 6,
      prompt_tokens_details: { cached_tokens: 3 },
    },
  ],
  [
    { inputTokens: 1, outputTokens: 2, totalTokens: 3, cacheReadInputTokens: 0 },
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  ],
  [{}, undefined],
])('usage %j', (usage, expected) => {
  expect(awsBedrock.response(answerOf([{ text: 'x' }], { usage }), usual).usage).toEqual(expected);
});

test('treats a second messageStart after content as a fault', () => {
  const use = starts(0, { toolUse: { toolUseId: 't', name: 'f' } });
  const again = [
    begins,
    use,
    at(0, { toolUse: { input: '{"a":' } }),
    begins,
    at(0, { text: 'Hi' }),
    ends('end_turn'),
    metadata,
  ];
  expect(() => streamed(again)).toThrow(expect.objectContaining({ code: 'upstream_error', domain: 'provider' }));
  expect(messageIn(streamed([begins, begins, at(0, { text: 'Hi' }), ends('end_turn'), metadata]))?.content).toBe('Hi');
});

describe('the stop text that ended an answer', () => {
  const [only, several] = [{ stop: 'A' }, { stop: ['A', 'B'] }];
  const reported = { additionalModelResponseFields: { stop_sequence: 'B' } };

  test.each<[string, Partial<ChatRequest>, string, object, string | undefined]>([
    ['reported by the model', several, 'stop_sequence', reported, 'B'],
    ['the only one of the request', only, 'stop_sequence', {}, 'A'],
    ['unknown if there are several', several, 'stop_sequence', {}, undefined],
    ['none at a normal end', only, 'end_turn', {}, undefined],
  ])('%s', (_name, request, stopReason, rest, expected) => {
    const context = contextFor('vendor.model-v1:0', request);
    const whole = awsBedrock.response(answerOf([{ text: 'Hi' }], { stopReason, ...rest }), context);
    const end = bedrockEvent('messageStop', { stopReason, ...rest });
    const frames = [begins, at(0, { text: 'Hi' }), stops(0), end, metadata];
    const choices = [whole.choices[0], fold(streamed(frames, context)).choices[0]];
    expect(choices.map((choice) => choice?.stop_reason)).toEqual([expected, expected]);
  });
});
