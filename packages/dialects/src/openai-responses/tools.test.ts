import { describe, expect, test } from 'vitest';
import { completionOf, readBody } from './testing/calls.ts';

const good = { model: 'm', input: 'Hi' };
const chatOf = (members: object) => readBody({ ...good, ...members }).chat;
const toolNames = (tools: readonly unknown[], input: unknown = 'Hi') =>
  (chatOf({ tools, input }).tools ?? []).map((tool) =>
    tool.type === 'function' ? tool.function.name : tool.custom.name,
  );

const paramOf = (members: object) => {
  try {
    chatOf(members);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'param' in error ? error.param : error;
  }
};

const fn = (name: string) => ({ type: 'function', name });
const namespace = (name: string, ...tools: unknown[]) => ({ type: 'namespace', name, description: '', tools });

test('functions nest, and say whether they are strict', () => {
  const parameters = { type: 'object' };
  const described = { type: 'function', name: 'a', description: 'd', parameters, strict: true, output_schema: {} };
  expect(chatOf({ tools: [described, { ...fn('b'), strict: null, defer_loading: true }] }).tools).toEqual([
    { type: 'function', function: { name: 'a', description: 'd', parameters, strict: true } },
    { type: 'function', function: { name: 'b', strict: false } },
  ]);
});

test('a custom tool is a function with one text', () => {
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
  expect(chatOf({ tools: [{ type: 'custom', name: 'patch', description: 'Edits.', format }] }).tools).toEqual([
    {
      type: 'function',
      function: {
        name: 'patch',
        description: 'Edits.\n\nThe input must match this lark grammar:\nstart: "x"',
        parameters: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
        strict: false,
      },
    },
  ]);
});

describe('namespaces', () => {
  const answerWith = (name: string, tools: readonly unknown[]) => {
    const toolCall = { id: 'call_1', type: 'function' as const, function: { name, arguments: '{"input":"x"}' } };
    return readBody({ ...good, tools }).answer(completionOf({ tool_calls: [toolCall] }));
  };

  test('a call has its name and its namespace apart', () => {
    const tools = [namespace('mcp__files', fn('read'), { type: 'custom', name: 'edit' })];
    expect(toolNames(tools)).toEqual(['mcp__files__read', 'mcp__files__edit']);
    expect(answerWith('mcp__files__read', tools)).toMatchObject({
      output: [{ type: 'function_call', name: 'read', namespace: 'mcp__files', arguments: '{"input":"x"}' }],
    });
    expect(answerWith('mcp__files__edit', tools)).toMatchObject({
      output: [{ type: 'custom_tool_call', name: 'edit', namespace: 'mcp__files', input: 'x' }],
    });
  });

  test('names that vendors would refuse are shortened, each to its own and always to the same', () => {
    const long = 'x'.repeat(70);
    const children = [fn(`${long}a`), fn(`${long}b`), fn('with.dot'), fn('with_dot')];
    const tools = [namespace('ns', ...children)];
    const names = toolNames(tools);
    expect(new Set(names).size).toBe(4);
    expect(names.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([]);
    expect(toolNames([namespace('ns', ...children.toReversed())])).toEqual(names.toReversed());
    expect(answerWith(names[0] ?? '', tools)).toMatchObject({ output: [{ name: `${long}a`, namespace: 'ns' }] });
  });

  test('calls in the history have the names of the chat, also where the tool is gone', () => {
    const input = [{ type: 'function_call', call_id: 'a', namespace: 'ns', name: 'read', arguments: '{}' }];
    expect(chatOf({ input }).messages).toMatchObject([{ tool_calls: [{ function: { name: 'ns__read' } }] }]);
  });

  test('a name that is taken is refused', () => {
    expect(paramOf({ tools: [fn('ns__read'), namespace('ns', fn('read'))] })).toBe('tools[1].tools[0].name');
    expect(paramOf({ tools: [fn('a'), fn('a')] })).toBe('tools[1].name');
  });
});

test('tools that the history brings are offered once', () => {
  const tools = [fn('b'), namespace('ns', fn('read'))];
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'tool_search_output', tools },
    { type: 'additional_tools', role: 'developer', tools: [...tools, fn('a'), fn('c')] },
  ];
  expect(toolNames([fn('a')], input)).toEqual(['a', 'b', 'ns__read', 'c']);
});

describe('tools of the vendor', () => {
  const hosted = [{ type: 'web_search', external_web_access: true }, { type: 'tool_search' }];

  test('are ignored where an agent declares the search of the web, or tools that are all loaded', () => {
    expect(toolNames([...hosted, fn('a')])).toEqual(['a']);
    expect(chatOf({ tools: hosted, tool_choice: 'auto', parallel_tool_calls: true })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      tool_choice: 'auto',
    });
  });

  test.each<[string, object]>([
    ['tool_choice.type', { tools: hosted, tool_choice: { type: 'web_search' } }],
    ['tool_choice.type', { tools: [fn('a')], tool_choice: { type: 'shell' } }],
    ['tool_choice', { tools: hosted, tool_choice: 'required' }],
    [
      'tool_choice.tools',
      { tools: hosted, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] } },
    ],
    ['tools[0].type', { tools: [{ type: 'mcp', server_label: 's', server_url: 'https://s.example' }] }],
    ['tools[1].type', { tools: [fn('a'), { type: 'image_generation' }] }],
    ['tools[0].type', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['tools[0].type', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['tools[0].type', { tools: [{ type: 'computer' }] }],
    ['tools[0].type', { tools: [{ type: 'programmatic_tool_calling' }] }],
    [
      'input[0].tools[0].type',
      { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'computer_use_preview' }] }] },
    ],
    ['tools[0].type', { tools: [{ type: 'local_shell' }] }],
    ['tools[0].type', { tools: [{ type: 'shell' }] }],
    ['tools[0].type', { tools: [{ type: 'apply_patch' }] }],
    ['tools[0].allowed_callers', { tools: [{ ...fn('a'), allowed_callers: ['programmatic'] }] }],
    ['tools[0].async', { tools: [{ ...fn('a'), async: true }] }],
  ])('are refused where they are needed: %s', (param, members) => {
    expect(paramOf(members)).toBe(param);
  });
});

describe('the choice of a tool', () => {
  const tools = [fn('a'), { type: 'custom', name: 'b' }, namespace('ns', fn('c'))];
  const choiceOf = (tool_choice: unknown) => chatOf({ tools, tool_choice }).tool_choice;
  const chosen = (name: string) => ({ type: 'function', function: { name } });

  test.each<[string, unknown, unknown]>([
    ['a word', 'none', 'none'],
    ['a function', fn('a'), chosen('a')],
    ['a custom tool', { type: 'custom', name: 'b' }, chosen('b')],
    ['a tool of a namespace', { ...fn('c'), namespace: 'ns' }, chosen('ns__c')],
    [
      'some tools',
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [fn('a'), { type: 'custom', name: 'b' }, { type: 'web_search' }],
      },
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [chosen('a'), chosen('b')] } },
    ],
    ['only tools that are ignored', { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] }, 'none'],
  ])('%s', (_name, choice, expected) => {
    expect(choiceOf(choice)).toEqual(expected);
  });

  test('a tool that is not declared is refused', () => {
    expect(paramOf({ tools, tool_choice: fn('c') })).toBe('tool_choice.name');
    const choice = { type: 'allowed_tools', mode: 'auto', tools: [fn('a'), fn('z')] };
    expect(paramOf({ tools, tool_choice: choice })).toBe('tool_choice.tools[1].name');
  });
});

test('arguments of a custom call that have another form are its input', () => {
  const tools = [{ type: 'custom', name: 'patch' }];
  const toolCall = { id: 'call_1', type: 'function' as const, function: { name: 'patch', arguments: '{"patch":1}' } };
  expect(readBody({ ...good, tools }).answer(completionOf({ tool_calls: [toolCall] }))).toMatchObject({
    output: [{ type: 'custom_tool_call', name: 'patch', input: '{"patch":1}' }],
  });
});
