import { expect, test } from 'vitest';
import { geminiDialect } from './index.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const read = (members: object, path?: string) => geminiDialect.read(requestOf(bodyOf(members), path));
const part = (members: object) => ({ contents: [{ role: 'user', parts: [members] }] });

test.each(['generationConfig', 'generation_config'])('a request is passed on as it arrived, with %s', (name) => {
  const request = requestOf(bodyOf({ [name]: { max_output_tokens: 9 } }));
  expect(geminiDialect.read(request).native).toEqual({
    dialect: 'gemini',
    body: request.bytes,
    members: request.body,
    headers: {},
    model: 'gemini-3-pro',
    limit: 9,
    isUntranslatable: false,
  });
});

test('what a chat cannot express is outlined: its texts, its limit and its form', () => {
  const members = { tools: [{ google_search: {} }], generation_config: { maxOutputTokens: 5 } };
  const { chat, native, untranslatable } = read(members, 'gemini-3-pro:streamGenerateContent');
  expect(chat).toEqual({
    model: 'gemini-3-pro',
    messages: [{ role: 'user', content: 'user\nHi' }],
    max_completion_tokens: 5,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(native?.isUntranslatable).toBe(true);
  // As the client spelled it.
  expect(untranslatable).toMatchObject({ code: 'unsupported_parameter', param: 'tools[0].google_search' });
});

const storedAtGoogle = 'https://generativelanguage.googleapis.com/v1beta/files/1';

test.each<[string, object]>([
  ['cached_content', { cached_content: 'cachedContents/1' }],
  ['tools[0].fileSearch', { tools: [{ fileSearch: {} }] }],
  ['contents[0].parts[0].file_data.file_uri', part({ file_data: { file_uri: 'gs://a/b' } })],
  ['contents[0].parts[0].fileData.fileUri', part({ fileData: { fileUri: storedAtGoogle, mimeType: 'image/png' } })],
])('what is stored with the vendor is refused for every provider: %s', (param, members) => {
  expect(() => read(members)).toThrow(expect.objectContaining({ status: 400, param }));
});

test.each<[boolean, object]>([
  [true, part({ fileData: { fileUri: 'https://example.com/googleapis.com.png', mimeType: 'image/png' } })],
  [false, { store: true }],
  [false, { tools: [{ file_search: {}, fileSearch: null }] }],
  [true, { store: false }],
])('passed on: %s for %j', (isPassed, members) => {
  expect(read(members).native !== undefined).toBe(isPassed);
});
