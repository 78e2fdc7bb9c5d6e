import { GatewayError } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { placedSignatures } from '../spec/call-signatures.ts';
import { callOf } from '../testing/translate.ts';
import { forgottenThinking, refusesThinking } from './forgotten-thinking.ts';

test.each([
  ['Corrupted thought signature.', true],
  ['Function call is missing a thought_signature in functionCall parts.', true],
  ['messages.3.content.0: Invalid `signature` in `thinking` block', true],
  ['When `thinking` is enabled, a final `assistant` message must start with a thinking block', true],
  ['The `reasoning_content` in the thinking mode must be passed back to the API.', true],
  ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', true],
  ['max_tokens must be greater than thinking.budget_tokens', false],
])('a vendor refuses thinking: %s', (message, expected) => {
  expect(refusesThinking(new GatewayError('invalid_parameters', message))).toBe(expected);
  expect(refusesThinking(new GatewayError('upstream_error', message))).toBe(false);
});

const user: ChatMessage = { role: 'user', content: 'Hi' };
const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA' } };
const extra_content = { google: { thought_signature: 's' } };

test('leaves out thinking, signatures and what was remembered', () => {
  const messages: ChatMessage[] = [
    user,
    {
      role: 'assistant',
      content: 'x',
      reasoning_content: 'hm',
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text' }],
      tool_calls: [{ ...call, extra_content }],
      images: [{ ...image, extra_content }],
    },
  ];
  const before = structuredClone(messages);
  const asked = { ...callOf({ messages }), signatures: placedSignatures([{ place: 1, name: 'a', signature: 's' }]) };
  const bare = { role: 'assistant', content: 'x', tool_calls: [call], images: [image] };
  expect(forgottenThinking(asked)).toEqual(callOf({ messages: [user, bare as ChatMessage] }));
  expect(messages).toEqual(before);
});

test('returns nothing if there is nothing to leave out', () => {
  const messages: ChatMessage[] = [user, { role: 'assistant', content: null, tool_calls: [call] }];
  expect(forgottenThinking(callOf({ messages }))).toBeUndefined();
  expect(forgottenThinking({ ...callOf({ messages }), signatures: placedSignatures([]) })).toBeUndefined();
});
