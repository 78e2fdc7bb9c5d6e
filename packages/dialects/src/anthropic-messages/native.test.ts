import { expect, test } from 'vitest';
import { messagesDialect } from './index.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const read = (members: object) => messagesDialect.read(requestOf(bodyOf(members)));

test('a request is passed on as it arrived, with the headers of the API', () => {
  const request = requestOf(bodyOf());
  const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b', accept: '*/*' };
  expect(messagesDialect.read({ ...request, headers }).native).toEqual({
    dialect: 'anthropic-messages',
    body: request.bytes,
    members: request.body,
    headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b' },
    model: 'claude-opus-5',
    limit: 4_096,
    isUntranslatable: false,
  });
});

test('what a chat cannot express is outlined: its texts, its limit and its form', () => {
  const { chat, native, untranslatable } = read({
    stream: true,
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'future', text: 'Hi', source: { data: 'AAAA' } }] }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  });
  expect(chat).toEqual({
    model: 'claude-opus-5',
    messages: [{ role: 'user', content: 'Be brief.\nuser\nfuture\nHi\nweb_search_20250305\nweb_search' }],
    max_completion_tokens: 4_096,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(native?.isUntranslatable).toBe(true);
  expect(untranslatable).toMatchObject({ code: 'unsupported_parameter', param: 'messages[0].content[0].type' });
});

const file = { type: 'image', source: { type: 'file', file_id: 'f' } };

test.each<[string, object]>([
  ['container', { container: 'c' }],
  ['messages[0].content[0].source.type', { messages: [{ role: 'user', content: [file] }] }],
  [
    'messages[0].content[0].content[0].source.type',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [file] }] }] },
  ],
  ['inference_geo', { inference_geo: 'us' }],
])('what concerns the account with the vendor is refused for every provider: %s', (param, members) => {
  expect(() => read(members)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param }));
});

test('the tier is read of requests that can only be passed on, too', () => {
  const mcp_servers = [{ type: 'url', url: 'https://mcp.example', name: 'docs' }];
  const tierOf = (changes: object) => read({ mcp_servers, ...changes }).chat.service_tier;
  expect([
    tierOf({ speed: 'fast' }),
    tierOf({ speed: 'standard', service_tier: 'auto' }),
    tierOf({ service_tier: 'standard_only' }),
    tierOf({}),
  ]).toEqual(['fast', 'auto', 'default', undefined]);
});

test('a request without a model is refused', () => {
  expect(() => read({ model: '' })).toThrow(expect.objectContaining({ param: 'model' }));
});
