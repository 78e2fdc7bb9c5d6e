import { describe, expect, test } from 'vitest';
import { readBody } from './testing/calls.ts';

const messagesOf = (...input: unknown[]) => readBody({ model: 'm', input }).chat.messages;

const paramOf = (...input: unknown[]) => {
  try {
    messagesOf(...input);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'param' in error ? error.param : error;
  }
};

const user = { role: 'user', content: 'Hi' };
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const output = (id: string, text: unknown = 'done') => ({ type: 'function_call_output', call_id: id, output: text });
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const result = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });

test('messages of each role, with and without a type', () => {
  expect(
    messagesOf(
      { type: 'message', role: 'developer', content: 'a' },
      { role: 'system', content: [{ type: 'input_text', text: 'b' }] },
      user,
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'c' }],
      },
      { role: 'assistant', content: 'd' },
    ),
  ).toEqual([
    { role: 'developer', content: 'a' },
    { role: 'system', content: [{ type: 'text', text: 'b' }] },
    user,
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
      ],
    },
  ]);
});

test('every kind of content', () => {
  const mark = { prompt_cache_breakpoint: { mode: 'explicit' } };
  const content = [
    { type: 'input_text', text: 'a', ...mark },
    { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'low' },
    { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
    { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
  ];
  expect(messagesOf({ role: 'user', content })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a', ...mark },
        { type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: 'low' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' } },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      ],
    },
  ]);
});

describe('turns', () => {
  test('calls join the text before them, and results follow', () => {
    const said = { role: 'assistant', content: 'Let me see.' };
    expect(messagesOf(user, said, call('a'), call('b'), output('a'), output('b'), user)).toEqual([
      user,
      { role: 'assistant', content: 'Let me see.', tool_calls: [chatCall('a'), chatCall('b')] },
      result('a'),
      result('b'),
      user,
    ]);
  });

  test('calls after all results are a new turn', () => {
    expect(messagesOf(user, call('a'), output('a'), call('b'), output('b'))).toEqual([
      user,
      { role: 'assistant', content: null, tool_calls: [chatCall('a')] },
      result('a'),
      { role: 'assistant', content: null, tool_calls: [chatCall('b')] },
      result('b'),
    ]);
  });

  test('a message between a call and its result does not part them', () => {
    const said = { role: 'assistant', content: 'Wait.' };
    expect(messagesOf(user, call('a'), call('b'), output('a'), said, output('b'))).toEqual([
      user,
      {
        role: 'assistant',
        content: 'Wait.',
        tool_calls: [chatCall('a'), chatCall('b')],
        content_order: [
          { type: 'tool_call', index: 0 },
          { type: 'tool_call', index: 1 },
          { type: 'text', length: 5, annotations: 0 },
        ],
      },
      result('a'),
      result('b'),
    ]);
  });

  test('calls of custom tools and their results', () => {
    expect(
      messagesOf(
        user,
        { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'a "b"' },
        {
          type: 'custom_tool_call_output',
          call_id: 'a',
          output: [
            { type: 'input_text', text: 'x' },
            { type: 'input_text', text: 'y' },
          ],
        },
      ),
    ).toEqual([
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'patch', arguments: '{"input":"a \\"b\\""}' } }],
      },
      result('a', 'x\ny'),
    ]);
  });

  test('images in results follow the results of the turn', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA' };
    expect(messagesOf(user, call('a'), call('b'), output('a', [image]), output('b'))).toEqual([
      user,
      { role: 'assistant', content: null, tool_calls: [chatCall('a'), chatCall('b')] },
      result('a', 'See the attachments.'),
      result('b'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Attachments of the result of a:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ]);
  });
});

describe('reasoning', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
  const said = { role: 'assistant', content: 'Hi' };

  test('the text of another service stays without effect', () => {
    expect(messagesOf(user, { ...reasoning, encrypted_content: 'gAAAAA' }, said)).toEqual([
      user,
      { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' },
    ]);
  });

  test('thinking in full is preferred to its summary', () => {
    const content = [{ type: 'reasoning_text', text: 'Hm, hm.' }];
    expect(messagesOf(user, { ...reasoning, content }, said)[1]).toMatchObject({ reasoning_content: 'Hm, hm.' });
  });

  test('an empty item says nothing', () => {
    expect(messagesOf(user, { type: 'reasoning', summary: [] })).toEqual([user]);
  });

  test.each(['tallyport-1.x.AAAA', 'tallyport-1.x.e30', `tallyport-1.x.${deepState()}`])(
    '%.30s was changed',
    (sealed) => {
      expect(paramOf(user, { ...reasoning, encrypted_content: sealed })).toBe('input[1].encrypted_content');
    },
  );

  function deepState(): string {
    const deep = '['.repeat(1000) + ']'.repeat(1000);
    return Buffer.from(`{"details":[${deep}],"extras":{}}`).toString('base64url');
  }
});

test('items about tools say nothing', () => {
  const tools = [{ type: 'function', name: 'f' }];
  const items = [
    { type: 'tool_search_call', arguments: {} },
    { type: 'tool_search_output', tools },
    { type: 'additional_tools', role: 'developer', tools },
  ];
  expect(messagesOf(user, ...items)).toEqual([user]);
});

test('a reference to reasoning is reasoning without a text', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'c1', output: 'found' };
  const expected = messagesOf(user, call, result);
  expect(messagesOf(user, { type: 'item_reference', id: 'rs_1' }, call, result)).toEqual(expected);
  expect(messagesOf(user, { id: 'rs_1' }, call, result)).toEqual(expected);
});

describe('what cannot be translated is refused by name', () => {
  test.each([
    'apply_patch_call',
    'code_interpreter_call',
    'compaction',
    'computer_call_output',
    'item_reference',
    'local_shell_call',
    'mcp_call',
    'program',
  ])('%s', (type) => {
    expect(() => messagesOf(user, { type, id: 'x' })).toThrow(`input[1].type: ${type} is not supported: `);
  });

  test.each<[string, unknown, string]>([
    ['an id alone, which is a reference', { id: 'msg_1' }, 'input[1].type'],
    ['an unknown kind', { type: 'hologram' }, 'input[1].type'],
    ['an item that is a text', 'x', 'input[1]'],
    ['an unknown role', { role: 'robot', content: 'x' }, 'input[1].role'],
    ['an image of a developer', { role: 'developer', content: [{ type: 'input_image' }] }, 'input[1].content[0].type'],
    [
      'an image by id',
      { role: 'user', content: [{ type: 'input_image', file_id: 'f' }] },
      'input[1].content[0].file_id',
    ],
    ['an image of nothing', { role: 'user', content: [{ type: 'input_image' }] }, 'input[1].content[0].image_url'],
    [
      'a file by address',
      { role: 'user', content: [{ type: 'input_file', file_url: 'x' }] },
      'input[1].content[0].file_url',
    ],
    ['a file by id', { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }, 'input[1].content[0].file_id'],
    [
      'a file by id beside its data',
      { role: 'user', content: [{ type: 'input_file', file_id: 'f', file_data: 'data:application/pdf;base64,AA' }] },
      'input[1].content[0].file_id',
    ],
    ['a file by id in a result', output('a', [{ type: 'input_file', file_id: 'f' }]), 'input[1].output[0].file_id'],
    ['a file of nothing', { role: 'user', content: [{ type: 'input_file' }] }, 'input[1].content[0].file_data'],
    ['a call of a program', { ...call('a'), caller: { type: 'program', caller_id: 'x' } }, 'input[1].caller.type'],
    ['a call without id', { ...call('a'), call_id: undefined }, 'input[1].call_id'],
    ['a result without id', { ...output('a'), call_id: null }, 'input[1].call_id'],
    ['an image by id in a result', output('a', [{ type: 'input_image', file_id: 'f' }]), 'input[1].output[0].file_id'],
  ])('%s', (_name, item, param) => {
    expect(paramOf(user, item)).toBe(param);
  });
});

test('ten thousand items pass', () => {
  const turns = Array.from({ length: 2500 }, (_turn, at) => [
    user,
    call(`c${at}`),
    output(`c${at}`),
    { role: 'assistant', content: 'x' },
  ]);
  expect(messagesOf(...turns.flat())).toHaveLength(10_000);
});

test('ten thousand wrong items are refused at the first one', () => {
  expect(paramOf(...Array.from({ length: 10_000 }, () => ({ type: 'hologram' })))).toBe('input[0].type');
});
