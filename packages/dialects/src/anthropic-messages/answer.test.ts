import type { ChatCompletion, FinishReason } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { messagesDialect } from './index.ts';
import { completions } from './testing/completions.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const answerTo = (completion: ChatCompletion) => messagesDialect.read(requestOf(bodyOf())).answer(completion);

test('an answer with everything', () => {
  expect(answerTo(completions['signed reasoning']!)).toEqual({
    id: 'msg_0123456789abcdef0123456789abcdef',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    content: [
      { type: 'thinking', thinking: 'First.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlk' },
      { type: 'thinking', thinking: 'Second.', signature: 'c2lnMg==' },
      { type: 'thinking', thinking: '', signature: 'c2lnMw==' },
      { type: 'text', text: 'Done.' },
      { type: 'tool_use', id: 'a', name: 'tool_a', input: {}, caller: { type: 'direct' } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation: null,
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
      speed: null,
    },
  });
});

const ending = (name: string, finish_reason: FinishReason) => {
  const completion = completions[name]!;
  return answerTo({ ...completion, choices: completion.choices.map((choice) => ({ ...choice, finish_reason })) });
};

test.each<[string, FinishReason, string]>([
  ['text', 'stop', 'end_turn'],
  ['text', 'length', 'max_tokens'],
  ['text', 'content_filter', 'refusal'],
  ['a tool', 'tool_calls', 'tool_use'],
  // Some vendors say so of every answer.
  ['a tool', 'stop', 'tool_use'],
  ['a tool', 'length', 'max_tokens'],
  ['text', 'tool_calls', 'end_turn'],
  ['refusal', 'stop', 'refusal'],
])('%s that ended with %s: %s', (name, reason, expected) => {
  expect(ending(name, reason)).toMatchObject({ stop_reason: expected });
});

test('arguments that are no object are none', () => {
  const [choice] = completions['a tool']!.choices;
  const inputs = ['', '{"q":', '[1]', 'null', '"x"'].map((input, index) => ({
    id: String(index),
    type: 'function' as const,
    function: { name: 'f', arguments: input },
  }));
  const message = { ...choice!.message, tool_calls: inputs };
  expect(answerTo({ ...completions['a tool']!, choices: [{ ...choice!, message }] })).toMatchObject({
    content: inputs.map(() => ({ type: 'tool_use', input: {} })),
  });
});

test('a signature without its text belongs to the thinking beside it', () => {
  const detail = { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1', index: 0 };
  const [choice] = completions['plain reasoning']!.choices;
  const message = { ...choice!.message, reasoning_details: [detail] };
  expect(answerTo({ ...completions.text!, choices: [{ ...choice!, message }] })).toMatchObject({
    content: [{ type: 'thinking', thinking: 'Hmm.', signature: 's' }, { type: 'text' }],
  });
});

test('without usage and choices there is an answer still', () => {
  const { usage: _usage, ...rest } = completions.text!;
  expect(answerTo({ ...rest, choices: [] })).toMatchObject({
    content: [],
    stop_reason: 'end_turn',
    usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: null },
  });
});

test.each(['{"city":"Par', '[1]', 'Paris'])('arguments that are no JSON object are shown as they came: %s', (input) => {
  const completion = completions['a tool']!;
  const choices = completion.choices.map((choice) => {
    const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: input } };
    return { ...choice, message: { ...choice.message, tool_calls: [call] } };
  });
  expect(answerTo({ ...completion, choices })).toMatchObject({
    content: [{ type: 'tool_use', id: 'a', name: 'f', input: { INVALID_JSON: input } }],
    stop_reason: 'tool_use',
  });
});

test('names the stop sequence that ended the answer, whole and streamed', () => {
  const completion = completions.text!;
  const choices = completion.choices.map((choice) => ({ ...choice, stop_reason: 'END' }));
  const end = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
  expect(answerTo({ ...completion, choices })).toMatchObject(end);
  const stream = messagesDialect.read(requestOf(bodyOf())).stream();
  const { choices: _choices, ...head } = completion;
  const chunk = { ...head, object: 'chat.completion.chunk' as const };
  const last = { index: 0, delta: {}, finish_reason: 'stop' as const, stop_reason: 'END' };
  const events = [...stream.chunk({ ...chunk, choices: [last] }), ...stream.end()];
  expect(events.find(({ event }) => event === 'message_delta')?.data).toMatchObject({ delta: end });
});
