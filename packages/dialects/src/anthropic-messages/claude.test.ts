import { offerOf } from '@tallyport/contracts/testing';
import { findChatProvider } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { messagesDialect } from './index.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const vendor = findChatProvider('anthropic')!;
const offer = offerOf('anthropic', { modelName: 'claude-opus-5' });
const cache_control = { type: 'ephemeral', ttl: '1h' };
const text = (said: string) => ({ type: 'text', text: said });
const thoughts = [
  { type: 'thinking', thinking: 'One.', signature: 's1' },
  { type: 'redacted_thinking', data: 'd1' },
  { type: 'thinking', thinking: '', signature: 's2' },
];
const use = { type: 'tool_use', id: 'toolu_1', name: 'find', input: { q: 1 } };
const tool = { name: 'find', input_schema: { type: 'object', properties: {} }, cache_control };

test('what a client sends to Claude arrives with its signed thinking and its marks for the cache', () => {
  const members = {
    system: [{ ...text('Be brief.'), cache_control }],
    messages: [
      { role: 'user', content: [{ ...text('Hi'), cache_control }] },
      { role: 'assistant', content: [...thoughts, text('Looking.'), use] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [text('found')], cache_control },
          { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
        ],
      },
    ],
    tools: [tool],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    stop_sequences: ['END'],
    metadata: { user_id: 'someone' },
    service_tier: 'standard_only',
  };
  const { chat } = messagesDialect.read(
    requestOf(bodyOf({ ...members, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } })),
  );
  expect(JSON.parse(vendor.request({ request: chat, stream: false }, offer).body)).toEqual({
    ...bodyOf(members),
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'low' },
  });
});

test("Claude's answer arrives as it was", () => {
  const { chat, answer } = messagesDialect.read(requestOf(bodyOf()));
  const sent = {
    type: 'message',
    model: 'claude-opus-5',
    content: [...thoughts, text('Looking.'), { ...use, caller: { type: 'direct' } }],
    stop_reason: 'tool_use',
    usage: {
      input_tokens: 5,
      cache_read_input_tokens: 6,
      cache_creation_input_tokens: 7,
      output_tokens: 8,
      output_tokens_details: { thinking_tokens: 2 },
    },
  };
  const context = { call: { request: chat, stream: false }, offer, completionId: 'c', created: 1 };
  expect(answer(vendor.response(sent, context))).toMatchObject(sent);
});
