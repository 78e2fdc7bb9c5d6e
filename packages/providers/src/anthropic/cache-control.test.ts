import type { ChatMessage } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { anthropic } from './chat.ts';

const sent = (messages: ChatMessage[]) =>
  JSON.parse(anthropic.request(callOf({ messages }), vendorOffer(anthropic, { modelName: 'claude-opus-5' })).body);

const cache_control = { type: 'ephemeral' };
const marked = { cache_control };
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const text = (said: string) => ({ type: 'text' as const, text: said });
const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };

test('moves cache_control of a message to its last part', () => {
  const { system, messages } = sent([
    { role: 'system', content: 'Long.', ...marked },
    { role: 'user', content: [text('a'), { ...text('b'), ...hour }], ...marked },
    { role: 'assistant', content: 'c', tool_calls: [call], ...marked },
    { role: 'tool', tool_call_id: 'a', content: 'd', ...marked },
    { role: 'assistant', content: '', ...marked },
    { role: 'user', content: [text('e'), text('f')], ...marked },
  ]);
  expect([system, messages]).toEqual([
    [{ ...text('Long.'), ...marked }],
    [
      { role: 'user', content: [text('a'), { ...text('b'), ...hour }] },
      { role: 'assistant', content: [{ ...text('c'), ...marked }, use] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('d')], ...marked },
          text('e'),
          { ...text('f'), ...marked },
        ],
      },
    ],
  ]);
});

test('moves cache_control from a tool result’s parts to the result', () => {
  const content = [{ ...text('d'), ...hour }, text('e')];
  const { messages } = sent([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content },
  ]);
  expect(messages[2].content).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: [text('d'), text('e')], ...hour },
  ]);
});

test('keeps cache_control of an empty tool result', () => {
  const { messages } = sent([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: [{ ...text(' '), ...marked }] },
  ]);
  expect(messages[2].content).toEqual([{ type: 'tool_result', tool_use_id: 'a', ...marked }]);
});
