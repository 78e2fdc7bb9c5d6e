import { expect, test } from 'vitest';
import { messagesRequest } from '../testing/messages-request.ts';
import { vendorOffer } from '../testing/translate.ts';
import { anthropic } from './chat.ts';
import { nativeMessages } from './native.ts';

const offer = vendorOffer(anthropic, { modelName: 'claude-opus-5' });
const sent = (json: string, maxOutput?: number) => {
  const { body, ...rest } = nativeMessages.request({ ...messagesRequest(json), stream: true, maxOutput }, offer);
  return { ...rest, body: body.toString() };
};

test('only the model of a request changes', () => {
  const json = String.raw`{ "max_tokens":10, "x":{"n":1.0,"big":12345678901234567890,"é":"\u00e9"}, "model" : "ours/claude" }`;
  expect(sent(json)).toEqual({
    method: 'POST',
    path: '/messages',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'anthropic-version': '2023-06-01' },
    body: json.replace('ours/claude', 'claude-opus-5'),
  });
});

test.each([
  [100, undefined, 100],
  [100, 100, 100],
  [101, 100, 100],
  [128_000, undefined, 128_000],
  [128_001, undefined, 128_000],
])('a limit of %d is lowered to what the offer writes (%s): %d', (limit, maxOutput, expected) => {
  expect(sent(`{"model":"claude-opus-5","max_tokens":${limit}}`, maxOutput).body).toBe(
    `{"model":"claude-opus-5","max_tokens":${expected}}`,
  );
});

test('the headers of the client win', () => {
  const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a' };
  const call = { ...messagesRequest('{"model":"m"}', headers), stream: false, maxOutput: undefined };
  expect(nativeMessages.request(call, offer).headers).toEqual({
    'content-type': 'application/json',
    accept: 'application/json',
    ...headers,
  });
});

const adaptive = 'claude-opus-4-8';
const older = 'claude-sonnet-4-5';
const latest = { 'anthropic-version': '2026-10-21' };
const turn = (role: string, content: unknown = 'Hi') => ({ role, content });
const thought = (signature: string) => turn('assistant', [{ type: 'thinking', thinking: 'Hm.', signature }]);

test.each<[object, string, boolean, Record<string, string>?]>([
  [{ thinking: { type: 'adaptive' } }, adaptive, true],
  [{ thinking: { type: 'adaptive' } }, older, false],
  [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, adaptive, false],
  [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, older, true],
  [{ thinking: { type: 'disabled' } }, 'claude-opus-5-5', false],
  [{ thinking: { type: 'disabled' } }, adaptive, true],
  [{ thinking: { type: 'unknown' } }, older, true],
  [{ output_config: { effort: 'high' } }, adaptive, true],
  [{ output_config: { effort: 'high' } }, older, false],
  [{ output_config: { format: {} } }, older, true],
  [{ output_config: { format: {} } }, 'claude-3-7-sonnet', false],
  [{ temperature: 1 }, adaptive, false],
  [{ temperature: 1 }, older, true],
  [{ temperature: 1 }, older, false, latest],
  [{ temperature: 1, top_p: 1 }, older, false],
  [{ temperature: 1, top_p: 1 }, 'claude-3-7-sonnet', true],
  [{ temperature: null }, adaptive, true, latest],
  [{ messages: [turn('user'), turn('system')] }, adaptive, true],
  [{ messages: [turn('user'), turn('system')] }, older, false],
  [{ messages: [turn('user'), turn('assistant')] }, adaptive, false],
  [{ messages: [turn('user'), turn('assistant')] }, older, true],
  [{ messages: [turn('user'), thought('c2ln'), turn('user')] }, older, true],
  [{ messages: [turn('user'), thought(''), turn('user')] }, older, false],
  [{ messages: 'nonsense' }, adaptive, true],
])('%j fits %s: %s', (members, modelName, fits, headers = {}) => {
  const request = messagesRequest(JSON.stringify({ model: 'm', ...members }), headers);
  expect(nativeMessages.fits(request, vendorOffer(anthropic, { modelName }))).toBe(fits);
});
