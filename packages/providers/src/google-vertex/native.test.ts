import type { NativeRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { messagesRequest } from '../testing/messages-request.ts';
import { vendorOffer } from '../testing/translate.ts';
import { googleVertex } from './chat.ts';

const offerOf = (modelName: string) => vendorOffer(googleVertex, { modelName });
const { 'anthropic-messages': messages, gemini } = googleVertex.native ?? {};

test.each([
  ['claude-opus-4-8@default', [true, false]],
  ['gemini-2.5-pro', [false, true]],
  ['meta/llama-3.3-70b-instruct-maas', [false, false]],
])('%s has the API of Messages or of Gemini: %j', (modelName, expected) => {
  expect([messages, gemini].map((format) => format?.serves?.(offerOf(modelName)))).toEqual(expected);
});

describe('Messages', () => {
  const offer = offerOf('claude-sonnet-4-5@20250929');
  const sent = (json: string, stream: boolean, beta?: string) => {
    const request = messagesRequest(json, {
      'anthropic-version': '2026-10-21',
      ...(beta && { 'anthropic-beta': beta }),
    });
    const { body, ...rest } = messages?.request({ ...request, stream, maxOutput: undefined }, offer) ?? {};
    return { ...rest, body: body?.toString() };
  };

  test.each([
    [false, 'rawPredict', 'application/json'],
    [true, 'streamRawPredict', 'text/event-stream'],
  ])('streamed %s: the address has the model, and the body the version', (stream, method, accept) => {
    const rest = String.raw`"max_tokens":10, "x":{"n":1.0,"model":"\u00e9"},"stream":${stream}`;
    expect(sent(`{"model":"ours/claude", ${rest} }`, stream)).toEqual({
      method: 'POST',
      path: `/publishers/anthropic/models/claude-sonnet-4-5%4020250929:${method}`,
      headers: { 'content-type': 'application/json', accept },
      body: `{"anthropic_version":"vertex-2023-10-16", ${rest} }`,
    });
  });

  test.each([
    [
      'web-search-2025-03-05 , claude-code-20250219,context-1m-2025-08-07',
      'web-search-2025-03-05,context-1m-2025-08-07',
    ],
    ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
    ['files-api-2025-04-14', undefined],
  ])('of the betas %s, it is sent %s', (beta, expected) => {
    expect(sent('{"model":"m"}', false, beta).headers?.['anthropic-beta']).toBe(expected);
  });

  test('a limit above that of the model is lowered', () => {
    expect(sent('{"model":"m","max_tokens":64001}', false).body).toBe(
      '{"anthropic_version":"vertex-2023-10-16","max_tokens":64000}',
    );
  });

  test.each<[object, boolean]>([
    [{ tools: [{ type: 'web_search_20250305' }] }, false],
    [{ tools: [{ type: 'web_fetch_20250910' }] }, true],
    [{ mcp_servers: [{}] }, true],
    [{ messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url' } }] }] }, true],
  ])('%j needs services of Anthropic: %s', (members, expected) => {
    expect(messages?.lacks?.(messagesRequest(JSON.stringify({ model: 'm', ...members })))).toBe(expected);
  });

  test.each<[object, boolean]>([
    [{ max_tokens: 1, messages: [], temperature: 1 }, true],
    [{ tags: {} }, false],
    [{ thinking: { type: 'adaptive' } }, false],
  ])('%j fits: %s', (members, fits) => {
    const headers = { 'anthropic-version': '2023-06-01' };
    expect(messages?.fits(messagesRequest(JSON.stringify({ model: 'm', ...members }), headers), offer)).toBe(fits);
  });
});

describe('Gemini', () => {
  const offer = offerOf('gemini-3-pro');
  const requestOf = (json: string): NativeRequest => ({
    dialect: 'gemini',
    body: Buffer.from(json),
    members: JSON.parse(json),
    headers: {},
    model: 'gemini',
    limit: 10,
    isUntranslatable: false,
  });

  test('only the address names the model, and a limit above that of the offer is lowered', () => {
    const json = '{"model":"models/x", "contents":[{"n":1.0}],"generation_config":{"maxOutputTokens":10}}';
    const { body, ...rest } = gemini?.request({ ...requestOf(json), stream: true, maxOutput: 9 }, offer) ?? {};
    expect({ ...rest, body: body?.toString() }).toEqual({
      method: 'POST',
      path: '/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: '{ "contents":[{"n":1.0}],"generation_config":{"maxOutputTokens":9}}',
    });
  });

  test.each([
    ['{"contents":[{"role":"user"}]}', true],
    ['{"contents":[{"role":"user"},{"parts":[]}]}', false],
    ['{"contents":[{"role":"user"}],"systemInstruction":"Be brief."}', false],
    ['{}', true],
  ])('%s fits: %s', (json, fits) => {
    expect(gemini?.fits(requestOf(json), offer)).toBe(fits);
  });
});
