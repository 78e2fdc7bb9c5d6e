import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { minimax } from './chat.ts';

const { sent, folded, choice, answer } = vendorOf(minimax);

test('thinking is asked for apart from the content, and goes back with it', () => {
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

test('thinking in pieces', () => {
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
])('%i inside a good status', (status_code, code, domain) => {
  const body = { choices: null, base_resp: { status_code, status_msg: 'No.' } };
  const fault = expect.objectContaining({ code, domain });
  expect(() => answer(body)).toThrow(fault);
  expect(() => folded(delta({ content: 'x' }), body)).toThrow(fault);
});

test('a response that is well is an answer', () => {
  const base_resp = { status_code: 0, status_msg: '' };
  expect(answer({ choices: [{ message: { content: 'x' } }], base_resp })).toMatchObject({ base_resp });
});
