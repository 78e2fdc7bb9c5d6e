import { parseExactJson } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { filePlacesIn, type NamingPart, withParts } from './file-places.ts';

const id = `file-${'0a'.repeat(16)}`;
const other = `file_${'1b'.repeat(16)}`;
const instead = { type: 'text', text: 'in its place' };

const placesIn = (body: unknown) => filePlacesIn(body).map(({ id: found, path }) => [found, path]);
const replaced = (body: unknown): unknown =>
  withParts(body, new Map(filePlacesIn(body).map(({ part }) => [part, instead])));
const user = (part: object) => ({ role: 'user', content: [{ type: 'text', text: 'Read' }, part] });

test.each<[string, (part: object) => NamingPart, object, string]>([
  [
    'a chat',
    (part) => ({ model: 'm', messages: [user(part)] }),
    { type: 'file', file: { file_id: id } },
    'messages[0].content[1].file.file_id',
  ],
  [
    'a response',
    (part) => ({ input: [user(part)] }),
    { type: 'input_file', file_id: id },
    'input[0].content[1].file_id',
  ],
  [
    'the result of a function',
    (part) => ({ input: [{ type: 'function_call_output', call_id: 'c', output: [part] }] }),
    { type: 'input_image', file_id: id, detail: 'low' },
    'input[0].output[0].file_id',
  ],
  [
    'a conversation',
    (part) => ({ items: [user(part)] }),
    { type: 'input_image', file_id: id },
    'items[0].content[1].file_id',
  ],
  [
    'a message',
    (part) => ({ messages: [user(part)] }),
    { type: 'image', source: { type: 'file', file_id: id } },
    'messages[0].content[1].source.file_id',
  ],
  [
    'the result of a tool',
    (part) => ({ messages: [user({ type: 'tool_result', tool_use_id: 't', content: [part] })] }),
    { type: 'document', source: { type: 'file', file_id: id } },
    'messages[0].content[1].content[0].source.file_id',
  ],
  [
    'a document of blocks',
    (part) => ({ messages: [user({ type: 'document', source: { type: 'content', content: [part] } })] }),
    { type: 'image', source: { type: 'file', file_id: id } },
    'messages[0].content[1].source.content[0].source.file_id',
  ],
  [
    "a content of Google's API",
    (part) => ({ contents: [{ role: 'user', parts: [{ text: 'Read' }, part] }] }),
    { fileData: { fileUri: id, mimeType: 'application/pdf' } },
    'contents[0].parts[1].fileData.fileUri',
  ],
  [
    'a single content that is counted',
    (part) => ({ generateContentRequest: { contents: { parts: [part] } } }),
    { file_data: { file_uri: id } },
    'generateContentRequest.contents.parts[0].file_data.file_uri',
  ],
  ['an interaction', (part) => ({ input: [part] }), { type: 'image', uri: id }, 'input[0].uri'],
  [
    'a step of an interaction',
    (part) => ({ input: [{ type: 'user_input', content: [part] }] }),
    { type: 'document', uri: id, mime_type: 'application/pdf' },
    'input[0].content[0].uri',
  ],
  [
    "the result of an interaction's function",
    (part) => ({ input: [{ type: 'function_result', call_id: 'c', result: [part] }] }),
    { type: 'audio', uri: id },
    'input[0].result[0].uri',
  ],
])('a part of %s is found, and replaced alone', (_what, body, part, path) => {
  expect(placesIn(body(part))).toEqual([[id, path]]);
  expect(replaced(body(part))).toEqual(body(instead));
});

test('every place is found, also of the same file', () => {
  const part = { type: 'document', source: { type: 'file', file_id: other } };
  const body = { messages: [user(part), user(structuredClone(part))] };
  expect(placesIn(body)).toEqual([
    [other, 'messages[0].content[1].source.file_id'],
    [other, 'messages[1].content[1].source.file_id'],
  ]);
  expect(replaced(body)).toEqual({ messages: [user(instead), user(instead)] });
});

test.each<[string, object]>([
  ['an id of OpenAI', { type: 'file', file: { file_id: 'file-abc123' } }],
  [
    'an address of Google',
    { type: 'file', file: { file_id: 'https://generativelanguage.googleapis.com/v1beta/files/a' } },
  ],
  ['an id of Anthropic', { type: 'document', source: { type: 'file', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' } }],
  ['one letter more', { type: 'input_file', file_id: `${id}0` }],
  ['a list of ids', { type: 'input_file', file_id: [id] }],
  ['a container', { type: 'container_upload', file_id: id }],
  ['a text', { type: 'text', text: `{"type":"input_file","file_id":"${id}"}` }],
  ['the arguments of a tool', { type: 'tool_use', id: 't', name: 'n', input: { type: 'input_file', file_id: id } }],
  ['nothing', { type: 'file', file: null }],
  ["a file of Google's", { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }],
  ['a function of Google', { functionCall: { name: 'n', args: { fileData: { fileUri: id } } } }],
  ['an address of a text', { type: 'text', uri: id }],
])('%s is no place', (_what, part) => {
  const body = { messages: [user(part)], tools: [{ type: 'input_file', file_id: id }] };
  expect(filePlacesIn(body)).toEqual([]);
  expect(withParts(body, new Map())).toBe(body);
});

test('numbers keep their digits, and members their names', () => {
  const text = (part: string) =>
    `{"messages":[{"role":"user","__proto__":{"a":1},"content":[{"n":12345678901234567890},${part}]}],"seed":12345678901234567890}`;
  const body = parseExactJson(text(`{"type":"input_file","file_id":"${id}"}`));
  expect(JSON.stringify(replaced(body))).toBe(text(JSON.stringify(instead)));
});
