import type { ChatMessage } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { readConversation } from './conversation.ts';

const call = (id: string, input = '{}') => ({
  id,
  type: 'function' as const,
  function: { name: `f_${id}`, arguments: input },
});
const called = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: `of ${id}` });
const user: ChatMessage = { role: 'user', content: 'Hi' };

const read = (...messages: ChatMessage[]) => readConversation({ model: 'm', messages });

test('collects instructions from anywhere in the conversation', () => {
  const { instructions, turns } = read(
    { role: 'system', content: 'a' },
    user,
    {
      role: 'developer',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'b' },
      ],
    },
    user,
  );
  expect(instructions.map(({ text }) => text)).toEqual(['a', 'b']);
  expect(turns).toEqual([
    {
      role: 'user',
      parts: [
        { part: { type: 'text', text: 'Hi' }, path: 'messages[1].content' },
        { part: { type: 'text', text: 'Hi' }, path: 'messages[3].content' },
      ],
    },
  ]);
});

test('has no turn for an empty first user message', () => {
  expect(read({ role: 'user', content: '' }, { role: 'user', content: [{ type: 'text', text: '' }] }).turns).toEqual(
    [],
  );
});

test('has a turn for an empty user message after an answer', () => {
  const { turns } = read(user, { role: 'assistant', content: 'x' }, { role: 'user', content: '' });
  expect(turns.at(-1)).toEqual({ role: 'user', parts: [] });
});

test('makes duplicate ids unique', () => {
  const { turns } = read(user, called('a'), result('a'), called('a'), result('a'));
  const ids = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls : []));
  const answered = turns.flatMap((turn) => (turn.role === 'results' ? turn.results.map(({ call }) => call) : []));
  expect([ids, answered].map((calls) => calls.map(({ id, uniqueId }) => [id, uniqueId]))).toEqual([
    [
      ['a', 'a'],
      ['a', 'a_2'],
    ],
    [
      ['a', 'a'],
      ['a', 'a_2'],
    ],
  ]);
});

test('orders results like their calls', () => {
  const { turns } = read(user, called('a', 'b'), result('b'), result('a'));
  const last = turns.at(-1);
  expect(last?.role === 'results' && last.results.map(({ call: { id }, parts }) => [id, parts[0]?.text])).toEqual([
    ['a', 'of a'],
    ['b', 'of b'],
  ]);
});

test('parses arguments and treats missing ones as an empty object', () => {
  const { turns } = read(
    { role: 'assistant', content: null, tool_calls: [call('a', '{"x":1}'), call('b', ' ')] },
    result('a'),
    result('b'),
  );
  const [turn] = turns;
  expect(turn?.role === 'assistant' && turn.calls.map(({ input }) => input)).toEqual([{ x: 1 }, {}]);
});

test('matches results of the old form by function name', () => {
  const { turns } = read(
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
    { role: 'function', name: 'f', content: 'done' },
  );
  expect(turns.map((turn) => (turn.role === 'results' ? turn.results[0]?.parts : turn.role))).toEqual([
    'assistant',
    [{ type: 'text', text: 'done' }],
  ]);
});

test.each(['{"x":', '[1]', '"x"', 'Paris'])('keeps arguments that are no JSON object as they are: %s', (input) => {
  const { turns } = read({ role: 'assistant', tool_calls: [call('a', input)] }, result('a'));
  const [turn] = turns;
  expect(turn?.role === 'assistant' && turn.calls.map((made) => made.input)).toEqual([{ INVALID_JSON: input }]);
});

describe('refuses', () => {
  test.each<[string, string, ChatMessage[]]>([
    ['a result without a call', 'messages[1].role', [user, result('a')]],
    ['a result after an answer without calls', 'messages[1].role', [{ role: 'assistant', content: 'x' }, result('a')]],
    ['a result of another call', 'messages[1].tool_call_id', [called('a'), result('b')]],
    ['a duplicate result', 'messages[2].tool_call_id', [called('a'), result('a'), result('a')]],
    ['a call without its result', 'messages[0].tool_calls[1]', [called('a', 'b'), result('a')]],
    ['calls at the end', 'messages[1].tool_calls[0]', [user, called('a')]],
  ])('%s', (_name, param, messages) => {
    expect(() => read(...messages)).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', domain: 'caller', status: 400, param }),
    );
  });

  test('refuses a tool of another type', () => {
    const custom = { id: 'a', type: 'custom' as const, custom: { name: 'f', input: 'x' } };
    expect(() => read({ role: 'assistant', tool_calls: [custom] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'messages[0].tool_calls[0]' }),
    );
  });
});
