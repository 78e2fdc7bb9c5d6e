import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { readTools } from './tools.ts';

const tool = (name: string) => ({ type: 'function' as const, function: { name } });

const read = (request: Partial<ChatRequest>) => {
  const { tools, use } = readTools({ model: 'm', messages: [], ...request });
  return { names: tools.map(({ name }) => name), use };
};

test.each<[string, Partial<ChatRequest>, ReturnType<typeof read>]>([
  ['none', {}, { names: [], use: undefined }],
  ['no choice', { tools: [tool('a')] }, { names: ['a'], use: undefined }],
  ['auto', { tools: [tool('a')], tool_choice: 'auto' }, { names: ['a'], use: { kind: 'auto' } }],
  [
    'validated',
    { tools: [tool('a')], tool_choice: 'validated' },
    { names: ['a'], use: { kind: 'auto', validated: true } },
  ],
  ['tool_choice none', { tools: [tool('a')], tool_choice: 'none' }, { names: ['a'], use: { kind: 'none' } }],
  ['required', { tools: [tool('a')], tool_choice: 'required' }, { names: ['a'], use: { kind: 'any' } }],
  ['one', { tools: [tool('a')], tool_choice: tool('a') }, { names: ['a'], use: { kind: 'one', name: 'a' } }],
  [
    'allowed_tools',
    {
      tools: [tool('a'), tool('b')],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tool('b')] } },
    },
    { names: ['b'], use: { kind: 'any' } },
  ],
  [
    'the old form',
    { functions: [{ name: 'a' }], function_call: { name: 'a' } },
    { names: ['a'], use: { kind: 'one', name: 'a' } },
  ],
])('%s', (_name, request, expected) => {
  expect(read(request)).toEqual(expected);
});

test('reads a tool’s members and ignores an empty schema', () => {
  const parameters = { type: 'object', properties: {} };
  const sent = { type: 'function' as const, function: { name: 'a', description: 'd', strict: true, parameters } };
  const bare = { type: 'function' as const, function: { name: 'b', description: '', parameters: {} } };
  expect(readTools({ model: 'm', messages: [], tools: [sent, bare] }).tools).toEqual([
    { name: 'a', description: 'd', strict: true, parameters, sent },
    { name: 'b', description: undefined, strict: false, parameters: undefined, sent: bare },
  ]);
});

test('refuses a tool of another type and names its path', () => {
  const custom = { type: 'custom' as const, custom: { name: 'c' } };
  expect(() => read({ tools: [tool('a'), custom] })).toThrow(
    expect.objectContaining({ code: 'unsupported_parameter', param: 'tools[1]' }),
  );
});
