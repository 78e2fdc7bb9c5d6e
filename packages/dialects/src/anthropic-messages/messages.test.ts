import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { bodyOf, translatedOf } from './testing/request.ts';

const messagesOf = (messages: object[], members: object = {}) =>
  translatedOf(bodyOf({ messages, ...members })).messages;

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (said: string) => ({ type: 'text', text: said });
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { q: id } });
const result = (id: string, members: object = {}) => ({ type: 'tool_result', tool_use_id: id, ...members });
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: `{"q":"${id}"}` } });
const cache_control = { type: 'ephemeral' };
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
const pngPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

const userContent = (...blocks: object[]) => messagesOf([user(...blocks)])[0]?.content;

test('instructions are one message, without the line about the version of an agent', () => {
  const system = [text('x-anthropic-billing-header: cc_version=2; cc_entrypoint=cli;'), text('One.'), text('Two.')];
  expect(messagesOf([{ role: 'user', content: 'Hi' }], { system })).toEqual([
    { role: 'system', content: [text('One.'), text('Two.')] },
    { role: 'user', content: 'Hi' },
  ]);
  expect(messagesOf([user(text('Hi'))], { system: system.slice(0, 2) })[0]).toEqual({
    role: 'system',
    content: 'One.',
  });
  expect(messagesOf([user(text('Hi'))], { system: system.slice(0, 1) })).toHaveLength(1);
});

test('instructions in the middle stay where they are', () => {
  expect(messagesOf([user(text('a')), { role: 'system', content: 'b' }, user(text('c'))])).toEqual([
    { role: 'user', content: 'a' },
    { role: 'system', content: 'b' },
    { role: 'user', content: 'c' },
  ]);
});

test('turns of one role in a row are one', () => {
  expect(
    messagesOf([user(text('a')), assistant(text('b')), assistant(use('1')), user(result('1')), user(text('c'))]),
  ).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b', tool_calls: [call('1')] },
    { role: 'tool', tool_call_id: '1', content: '' },
    { role: 'user', content: 'c' },
  ]);
});

test('images, by their bytes and by their address', () => {
  const linked = { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' }, cache_control };
  expect(userContent(png, linked)).toEqual([
    pngPart,
    { type: 'image_url', image_url: { url: 'https://x.test/a.png' }, cache_control },
  ]);
});

test('documents of each kind', () => {
  const document = (source: object, members: object = {}) => ({ type: 'document', source, ...members });
  expect(
    userContent(
      document({ type: 'base64', media_type: 'application/pdf', data: 'AA==' }, { title: 'A', context: 'Old.' }),
      document({ type: 'url', url: 'https://x.test/b.pdf' }),
      document({ type: 'text', media_type: 'text/plain', data: 'Words.' }, { title: 'C', cache_control }),
      document({ type: 'content', content: [text('d'), png] }, { cache_control, citations: { enabled: false } }),
      document({ type: 'content', content: 'e' }),
    ),
  ).toEqual([
    text('Context: Old.'),
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'A' } },
    { type: 'file', file: { file_data: 'https://x.test/b.pdf', filename: 'document.pdf' } },
    text('Document: C'),
    { ...text('Words.'), cache_control },
    text('d'),
    { ...pngPart, cache_control },
    text('e'),
  ]);
});

test('a search result is a text with its source', () => {
  const found = { type: 'search_result', source: 'https://x.test', title: 'T', content: [text('a'), text('b')] };
  expect(userContent({ ...found, cache_control }, text('?'))).toEqual([
    { ...text('Search result: T\nSource: https://x.test\na\nb'), cache_control },
    text('?'),
  ]);
});

test('results come before what else a user says, and their images after them', () => {
  const results = [
    text('Go on.'),
    result('1', { content: 'one', is_error: true }),
    result('2', { content: [text('two'), png], cache_control }),
    result('3', { content: [text('three')], cache_control }),
    result('4', { content: [{ type: 'tool_reference', tool_name: 'g' }] }),
  ];
  const calls = ['1', '2', '3', '4'];
  expect(messagesOf([user(text('a')), assistant(...calls.map(use)), user(...results)]).slice(1)).toEqual([
    { role: 'assistant', content: null, tool_calls: calls.map(call) },
    { role: 'tool', tool_call_id: '1', content: [text('The tool failed:'), text('one')] },
    {
      role: 'tool',
      tool_call_id: '2',
      content: [
        text('two'),
        { ...text('(The next message holds the images and files of this result.)'), cache_control },
      ],
    },
    { role: 'tool', tool_call_id: '3', content: [{ ...text('three'), cache_control }] },
    { role: 'tool', tool_call_id: '4', content: 'The tool g is available.' },
    { role: 'user', content: [text('Images and files of the tool result 2:'), pngPart, text('Go on.')] },
  ]);
});

test('signed thinking is kept, and unsigned thinking is no proof', () => {
  const [, message] = messagesOf([
    user(text('a')),
    assistant(
      { type: 'thinking', thinking: 'One.', signature: 's1' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'thinking', thinking: 'Two.', signature: '' },
      { ...text('b'), cache_control },
      text('c'),
    ),
  ]);
  const format = 'anthropic-claude-v1';
  expect(message).toEqual({
    role: 'assistant',
    content: [{ ...text('b'), cache_control }, text('c')],
    reasoning_content: 'One.Two.',
    reasoning_details: [
      { type: 'reasoning.text', text: 'One.', signature: 's1', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'd', format, index: 1 },
    ],
  });
});

const cited = { citations: { enabled: true } };

test.each([
  ['user', { type: 'server_tool_use' }, 'type', 'server_tool_use is not supported'],
  ['user', use('1'), 'type', 'tool_use is not supported'],
  ['user', { type: 'image', source: { type: 'file', file_id: 'f' } }, 'source.type', 'file is not supported'],
  ['user', { ...png, transformations: { oversized_image: 'error' } }, 'transformations.oversized_image', 'downsize'],
  ['user', { type: 'document', source: { type: 'text', data: 'x' }, ...cited }, 'citations.enabled', 'citations'],
  ['user', result('1', { content: [{ type: 'browser_state' }] }), 'content[0].type', 'browser_state is not'],
  ['user', result('1', { toolset_name: 'browser' }), 'toolset_name', 'toolsets'],
  ['assistant', { type: 'web_search_tool_result' }, 'type', 'web_search_tool_result is not supported'],
  ['assistant', { type: 'compaction' }, 'type', 'compaction is not supported'],
  ['assistant', png, 'type', 'image is not supported'],
  ['assistant', { ...use('1'), caller: { type: 'code_1' } }, 'caller.type', 'must be direct'],
  ['assistant', { ...use('1'), input: [] }, 'input', 'must be an object'],
  ['system', { type: 'tool_addition' }, 'type', 'tool_addition is not supported'],
])('%s: %j is refused by name', (role, block, param, words) => {
  const read = () => messagesOf([{ role, content: [block] }]);
  expect(read).toThrow(GatewayError);
  expect(read).toThrow(
    expect.objectContaining({ param: `messages[0].content[0].${param}`, message: expect.stringContaining(words) }),
  );
});
