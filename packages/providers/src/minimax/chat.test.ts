import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { minimax } from './chat.ts';

const { sent, folded, choice, answer } = vendorOf(minimax);

test.each([
  [0, 0.01],
  [1, 1],
  [1.1, 1],
])('a temperature of %d is sent as %d', (temperature, expected) => {
  expect(sent({ temperature })).toEqual({ temperature: expected, reasoning_split: true });
});

test('requests thinking separately from the content and sends it back', () => {
  const reasoning_details = [{ type: 'reasoning.text', id: 'reasoning-text-1', index: 0, text: 'hm' }];
  expect(choice({ content: 'x', reasoning_details })?.message).toMatchObject({
    content: 'x',
    reasoning_content: 'hm',
    reasoning_details,
  });
  const messages = [{ role: 'assistant' as const, content: 'x', reasoning_content: 'hm', reasoning_details }];
  expect(sent({ messages, reasoning_effort: 'low' })).toEqual({
    messages: [{ role: 'assistant', content: 'x', reasoning_details }],
    reasoning_split: true,
  });
});

test('sends thinking kept in pieces back whole', () => {
  const piece = (text: string) => ({ type: 'reasoning.text', id: 'reasoning-text-1', index: 0, text });
  const messages = [{ role: 'assistant' as const, content: 'x', reasoning_details: [piece('h'), piece('m')] }];
  expect(sent({ messages }).messages).toEqual([{ role: 'assistant', content: 'x', reasoning_details: [piece('hm')] }]);
});

test('does not send back thinking with lost pieces', () => {
  const lost = (index: number) => ({ type: 'reasoning.text', signature: 's', index });
  const message = { role: 'assistant' as const, content: 'x' };
  const messages = [{ ...message, reasoning_content: 'hm', reasoning_details: [lost(0), lost(1)] }];
  expect(sent({ messages }).messages).toEqual([message]);
});

test('joins thinking in pieces', () => {
  const thought = (text: string) => delta({ reasoning_details: [{ type: 'reasoning.text', text }] });
  expect(folded(thought('h'), thought('m'), delta({ content: 'x' }, 'stop')).choices[0]?.message).toMatchObject({
    content: 'x',
    reasoning_content: 'hm',
  });
});

test.each([
  [1000, 'upstream_error', 'provider'],
  [1002, 'upstream_error', 'provider'],
  [1004, 'upstream_auth', 'provider'],
  [1008, 'upstream_auth', 'provider'],
  [1039, 'upstream_error', 'provider'],
  [2013, 'invalid_parameters', 'caller'],
])('status_code %i with HTTP status 200', (status_code, code, domain) => {
  const body = { choices: null, base_resp: { status_code, status_msg: 'No.' } };
  const fault = expect.objectContaining({ code, domain });
  expect(() => answer(body)).toThrow(fault);
  expect(() => folded(delta({ content: 'x' }), body)).toThrow(fault);
});

test('accepts status_code 0', () => {
  const base_resp = { status_code: 0, status_msg: '' };
  expect(answer({ choices: [{ message: { content: 'x' } }], base_resp })).toMatchObject({ base_resp });
});
