import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { folded } from '../testing/folded.ts';
import { simulatedOpenAiCompletion } from './completion.ts';
import { composeChoices } from '../model/compose.ts';
import { readOpenAiQuestion } from './question.ts';
import { openAiStream } from './stream.ts';
import { openAiUse } from './usage.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constant('parallel 🌍👩‍👩‍👧 [words:40]'));

const body = fc.record(
  {
    model: fc.constantFrom('sandbox-chat', 'sandbox-reasoner', 'sandbox-tools'),
    messages: text.map((content) => [{ role: 'user', content }]),
    n: fc.integer({ min: 1, max: 3 }),
    max_tokens: fc.integer({ min: 1, max: 80 }),
    stop: fc.constantFrom('simulated', ' ', '🌍', ['real', 'You']),
    tools: fc.constantFrom(
      [{ type: 'function', function: { name: 'one' } }],
      [
        { type: 'function', function: { name: 'one', parameters: { properties: { q: {} }, required: ['q'] } } },
        { type: 'function', function: { name: 'two', parameters: {} } },
      ],
    ),
    response_format: fc.constantFrom({ type: 'json_object' }, { type: 'text' }),
    stream_options: fc.constant({ include_usage: true }),
  },
  { requiredKeys: ['model', 'messages', 'stream_options'] },
);

function scriptOf(members: JsonObject) {
  const question = readOpenAiQuestion(members);
  const choices = composeChoices(question, { provider: 'sandbox-a', seed: 7 });
  return {
    id: 'chatcmpl-1',
    created: 1,
    model: question.model,
    choices,
    ...openAiUse(members, question, choices),
  };
}

const joined = (pieces: ReturnType<typeof openAiStream>) => pieces.map(({ bytes }) => bytes.toString()).join('');

test('a stream folds to the whole answer, including usage', () => {
  fc.assert(
    fc.property(body, (members) => {
      const script = scriptOf(members);
      const whole = simulatedOpenAiCompletion(script);
      expect(folded(joined(openAiStream(script, true)))).toEqual({
        choices: script.choices.map(({ reasoning, content, toolCalls, finishReason }) => ({
          reasoning,
          content,
          toolCalls,
          finishReason,
        })),
        usage: whole.usage,
      });
      expect(whole.choices.map(({ message }) => message.content)).toEqual(script.choices.map(({ content }) => content));
    }),
  );
});

test('returns the same bytes for the same question and seed', () => {
  fc.assert(
    fc.property(body, (members) => {
      expect(openAiStream(scriptOf(members), true)).toEqual(openAiStream(scriptOf(members), true));
    }),
    { numRuns: 20 },
  );
});

test('sends a call’s name first and its arguments in later pieces', () => {
  const script = scriptOf({
    model: 'sandbox-chat',
    messages: [{ role: 'user', content: 'in parallel' }],
    tools: [{ type: 'function', function: { name: 'find', parameters: { properties: { q: {} }, required: ['q'] } } }],
  });
  const deltas = openAiStream(script, false)
    .map(({ bytes }) => bytes.toString().slice('data: '.length))
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data).choices[0].delta);
  const id = expect.stringMatching(/^call_sim/);
  expect(deltas.slice(0, 2)).toEqual([
    {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ index: 0, id, type: 'function', function: { name: 'find', arguments: '' } }],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"q":"si' } }] },
  ]);
  expect(deltas.at(-1)).toEqual({});
  expect(deltas.filter((delta) => delta.tool_calls?.[0]?.id).map((delta) => delta.tool_calls[0].index)).toEqual([0, 1]);
});

test('uses larger chunks for a very long answer', () => {
  const script = scriptOf({ model: 'sandbox-chat', messages: [{ role: 'user', content: '[words:50000]' }] });
  const pieces = openAiStream(script, false);
  expect(pieces.length).toBeLessThanOrEqual(2_003);
  expect(folded(joined(pieces)).choices[0]?.content?.split(' ')).toHaveLength(50_000);
});
