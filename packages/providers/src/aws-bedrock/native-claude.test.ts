import { expect, test } from 'vitest';
import { messagesRequest } from '../testing/messages-request.ts';
import { vendorOffer } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';
import { bedrockClaude } from './native-claude.ts';

const format = bedrockClaude('aws-bedrock');
const modelName = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const offer = vendorOffer(awsBedrock, { modelName });

interface Sending {
  stream?: boolean;
  beta?: string;
  maxOutput?: number;
}

function sent(json: string, { stream = false, beta, maxOutput }: Sending = {}) {
  const request = messagesRequest(json, beta === undefined ? {} : { 'anthropic-beta': beta });
  const { body, ...rest } = format.request({ ...request, stream, maxOutput }, offer);
  return { ...rest, body: body.toString() };
}

test.each([
  [false, 'invoke', 'application/json'],
  [true, 'invoke-with-response-stream', 'application/vnd.amazon.eventstream'],
])('streamed %s: the address has the model, and the body the version', (stream, method, accept) => {
  const rest = String.raw`"max_tokens":10, "x":{"n":1.0,"big":12345678901234567890,"model":"\u00e9","stream":1}`;
  const json = `{"model":"ours/claude","stream":${stream}, ${rest} ,"tags":{"a":"}"}, "anthropic_version":"x"}`;
  expect(sent(json, { stream })).toEqual({
    method: 'POST',
    path: `/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/${method}`,
    headers: { 'content-type': 'application/json', accept },
    body: `{"anthropic_version":"bedrock-2023-05-31", ${rest} }`,
  });
});

test.each([
  ['context-1m-2025-08-07', '["context-1m-2025-08-07"]'],
  [
    ' effort-2025-11-24 ,claude-code-20250219,  context-1m-2025-08-07, effort-2025-11-24',
    '["effort-2025-11-24","context-1m-2025-08-07"]',
  ],
  ['advanced-tool-use-2025-11-20', '["tool-examples-2025-10-29","tool-search-tool-2025-10-19"]'],
  ['mcp-client-2025-11-20', undefined],
  ['constructor,', undefined],
])('of the betas %s, the body has %s', (beta, expected) => {
  const betas = expected === undefined ? '' : `,"anthropic_beta":${expected}`;
  expect(sent('{"model":"m"}', { beta }).body).toBe(`{"anthropic_version":"bedrock-2023-05-31"${betas}}`);
});

test.each([
  [64_000, undefined, 64_000],
  [64_001, undefined, 64_000],
  [101, 100, 100],
])('a limit of %d is lowered to what the offer writes (%s): %d', (limit, maxOutput, expected) => {
  const json = `{"model":"m","max_tokens":${limit}}`;
  expect(sent(json, maxOutput === undefined ? {} : { maxOutput }).body).toBe(
    `{"anthropic_version":"bedrock-2023-05-31","max_tokens":${expected}}`,
  );
});

test.each([
  [modelName, true],
  ['anthropic.claude-3-haiku-20240307-v1:0', true],
  ['arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-8', true],
  ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', false],
  ['anthropic.claude-v2:1', false],
  ['anthropic.claude-instant-v1', false],
  ['amazon.nova-pro-v1:0', false],
])('%s has this API: %s', (name, expected) => {
  expect(format.serves?.(vendorOffer(awsBedrock, { modelName: name }))).toBe(expected);
});

const message = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const url = { type: 'url', url: 'https://x' };

test.each<[object, boolean]>([
  [{}, false],
  [{ mcp_servers: [] }, true],
  [{ mcp_servers: null }, false],
  [{ tools: [{ name: 'web_search' }, { type: 'custom', name: 'mcp_' }, { type: 'bash_20250124' }] }, false],
  [{ tools: [{ type: 'tool_search_tool_regex_20251119' }, { type: 'text_editor_20250728' }] }, false],
  [{ tools: [{ name: 'f' }, { type: 'web_search_20250305' }] }, true],
  [{ tools: [{ type: 'web_fetch_20250910' }] }, true],
  [{ tools: [{ type: 'code_execution_20250825' }] }, true],
  [{ tools: [{ type: 'mcp_toolset_20251120' }] }, true],
  [{ tools: [{ type: 'mcp_toolset' }] }, true],
  [message({ type: 'tool_search_tool_result' }), false],
  [message({ type: 'web_search_tool_result' }), true],
  [message({ type: 'bash_code_execution_tool_result' }), true],
  [message({ type: 'mcp_tool_use' }), true],
  [message({ type: 'image', source: { type: 'base64' } }), false],
  [message({ type: 'image', source: url }), true],
  [message({ type: 'tool_result', content: [{ type: 'document', source: url }] }), true],
  [{ messages: 'nonsense', tools: { type: 'web_search_' } }, false],
])('%j needs services of Anthropic: %s', (members, expected) => {
  expect(format.lacks?.(messagesRequest(JSON.stringify({ model: 'm', ...members })))).toBe(expected);
});

test.each<[object, boolean]>([
  [{ max_tokens: 1, messages: [], system: [], metadata: {}, stream: true, context_management: null }, true],
  [{ context_management: {} }, false],
  [{ tags: {} }, true],
  [{ service_tier: 'auto' }, false],
  [{ cache_control: { type: 'ephemeral' } }, false],
  [{ member_of_next_month: 1 }, false],
  [{ thinking: { type: 'adaptive' } }, false],
])('%j fits: %s', (members, fits) => {
  expect(format.fits(messagesRequest(JSON.stringify({ model: 'm', ...members })), offer)).toBe(fits);
});

test.each([
  ['context-management-2025-06-27', true],
  ['effort-2025-11-24,context-management-2025-06-27', true],
  ['effort-2025-11-24', false],
])('the management of the context fits with the betas %s: %s', (beta, fits) => {
  const request = messagesRequest('{"model":"m","context_management":{"edits":[]}}', { 'anthropic-beta': beta });
  expect(format.fits(request, offer)).toBe(fits);
});

test('the latest configuration of a turn is that of the request', () => {
  const turn = (effort: string) => `{"role":"user","content":"Hi","output_config":{"effort":"${effort}"}}`;
  const json = `{"model":"m","output_config":{"effort":"low","format":1},"messages":[${turn('low')},${turn('high')}],"n":1.0}`;
  const plain = '{"role":"user","content":"Hi"}';
  expect(sent(json).body).toBe(
    `{"anthropic_version":"bedrock-2023-05-31","messages":[${plain},${plain}],"output_config":{"effort":"high","format":1},"n":1.0}`,
  );
});
