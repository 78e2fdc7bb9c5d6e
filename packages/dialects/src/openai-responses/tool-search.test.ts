import { describe, expect, test } from 'vitest';
import { chunksOf, completionOf, eventsOf, readBody } from './testing/calls.ts';
import { foldEvents } from './testing/fold-events.ts';

const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
};
const weather = { type: 'function', name: 'weather', parameters: { type: 'object' } };
const found = { type: 'namespace', name: 'mcp__files', description: '', tools: [{ type: 'function', name: 'read' }] };
const body = (members: object = {}) => ({ model: 'm', input: 'Hi', tools: [search], ...members });
const callOf = (input: string) =>
  completionOf({
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'tool_search', arguments: input } }],
  });

test("a client's search among its tools is a function of the chat", () => {
  const { description, parameters } = search;
  expect(readBody(body()).chat.tools).toEqual([
    { type: 'function', function: { name: 'tool_search', description, parameters, strict: false } },
  ]);
  const [tool] = readBody(body({ tools: [{ type: 'tool_search', execution: 'client' }] })).chat.tools ?? [];
  expect(tool).toMatchObject({ function: { description: expect.stringContaining('tools'), parameters: {} } });
});

describe('a call of it', () => {
  const item = {
    type: 'tool_search_call',
    id: 'tsc_00000000000000000000000000000001_1',
    call_id: 'call_1',
    execution: 'client',
    status: 'completed',
    arguments: { query: 'files' },
  };

  test('is an item of its own kind, plain and streamed', () => {
    const completion = callOf('{"query":"files"}');
    expect(readBody(body()).answer(completion)).toMatchObject({ output: [item] });
    const events = eventsOf(readBody(body({ stream: true })), chunksOf(completion));
    expect(foldEvents(events)).toMatchObject([item]);
  });

  test('keeps the digits of its numbers', () => {
    const answered = JSON.stringify(readBody(body()).answer(callOf('{"id":12345678901234567890}')));
    expect(answered).toContain('"arguments":{"id":12345678901234567890}');
  });

  test('whose arguments are no JSON has them as they are', () => {
    expect(readBody(body()).answer(callOf('{"query'))).toMatchObject({ output: [{ ...item, arguments: '{"query' }] });
  });
});

describe('in the history', () => {
  const called = { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: { query: 'files' } };
  const output = { type: 'tool_search_output', call_id: 'call_1', execution: 'client', tools: [found, weather] };
  const user = { role: 'user', content: 'Hi' };

  test('a search and its result are a call and its result, and what it found is offered', () => {
    const { chat } = readBody(body({ input: [user, called, output] }));
    expect(chat.messages).toEqual([
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'tool_search', arguments: '{"query":"files"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Loaded: mcp__files.read, weather' },
    ]);
    expect(chat.tools).toMatchObject(
      ['tool_search', 'mcp__files__read', 'weather'].map((name) => ({ function: { name } })),
    );
  });

  test('a result without its search, and a search of the vendor, say nothing', () => {
    const server = { ...called, execution: 'server', call_id: null };
    expect(readBody(body({ input: [user, server, output] })).chat.messages).toEqual([user]);
  });
});

test('another tool with its name is refused', () => {
  expect(() => readBody(body({ tools: [{ ...weather, name: 'tool_search' }, search] }))).toThrow(
    expect.objectContaining({ code: 'invalid_parameters', param: 'tools[1]' }),
  );
});
