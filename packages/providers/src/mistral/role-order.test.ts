import type { ChatMessage } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { openrouter } from '../openrouter/chat.ts';
import { vendorOf } from '../testing/openai-vendor.ts';
import { vllm } from '../vllm/chat.ts';
import { mistral } from './chat.ts';

const id = 'abcdefghi';
const user = (content = 'A reminder.'): ChatMessage => ({ role: 'user', content });
const system = (content = 'Be brief.'): ChatMessage => ({ role: 'system', content });
const answer: ChatMessage = { role: 'assistant', content: 'Done.' };
const called: ChatMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const result: ChatMessage = { role: 'tool', tool_call_id: id, content: 'Rain.' };
const bridge: ChatMessage = { role: 'assistant', content: 'Understood.' };
const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA' } };
const picture: ChatMessage = { role: 'user', content: [image] };
const begun = [user('Rain?'), called, result];

describe.each([
  ['mistral', mistral, 'mistral-medium-2604'],
  ['openrouter', openrouter, 'mistralai/devstral-2512'],
  ['vllm', vllm, 'mistralai/Mistral-Small-4-119B-2603'],
])('%s', (_id, provider, modelName) => {
  const messagesOf = (messages: ChatMessage[], name = modelName) =>
    vendorOf(provider).sent({ messages }, { modelName: name }).messages;

  test.each<[string, ChatMessage[], ChatMessage[]]>([
    ['a reminder', [user()], [bridge, user()]],
    ['a picture', [picture], [bridge, picture]],
    ['several messages', [user(), picture, answer, user()], [bridge, user(), picture, answer, user()]],
    ['instructions', [system(), user()], [bridge, user('Be brief.'), user()]],
    ['further calls', [called, result], [called, result]],
    ['an answer', [answer, user()], [answer, user()]],
  ])('the model speaks between the result of a tool and %s', (_what, behind, expected) => {
    expect(messagesOf([...begun, ...behind])).toEqual([...begun, ...expected]);
  });

  test('instructions behind an answer are said by the user, and others stay', () => {
    const before = [system(), system(), user(), system('Now.'), user()];
    expect(messagesOf([...before, answer, system('Late.'), user()])).toEqual([
      ...before,
      answer,
      user('Late.'),
      user(),
    ]);
  });

  test('models of others keep their order', () => {
    if (provider === mistral) return;
    const messages = [...begun, user(), answer, system(), user()];
    expect(messagesOf(messages, 'qwen/qwen3-32b')).toEqual(messages);
  });
});
