import type { ChatMessage } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';

const call = { id: 'call_0a1b2c3d4e5f', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
const thinking = 'hm '.repeat(100);
const details = [{ type: 'reasoning.text', text: thinking, format: 'unknown', index: 0 }];
const caller = { role: 'assistant' as const, content: null, tool_calls: [call] };
const conversation: ChatMessage[] = [
  { role: 'user', content: 'Hi' },
  { ...caller, reasoning_content: thinking, reasoning_details: details },
  { role: 'tool', tool_call_id: call.id, content: '1' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'And now?' },
];

const bare = {};
const long = { reasoning_content: thinking };
const short = { reasoning: thinking };

/** What each vendor of OpenAI's format gets of the thinking before an earlier call. */
const expected: Readonly<Record<string, object>> = {
  alibaba: long,
  azure: bare,
  bytedance: bare,
  cerebras: { content: `<think>${thinking}</think>` },
  deepseek: long,
  fireworks: long,
  groq: short,
  minimax: { reasoning_details: details },
  moonshot: long,
  novita: long,
  ollama: short,
  openai: bare,
  openrouter: { reasoning_details: details },
  together: long,
  vllm: { ...long, ...short },
  xai: bare,
  zai: long,
};

const sent = (id: string, reasoning = true): unknown => {
  const provider = chatProviders.find((each) => each.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const { body } = provider.request(callOf({ messages: conversation }), vendorOffer(provider, { reasoning }));
  return JSON.parse(body).messages[1];
};

describe.each(Object.entries(expected))('%s', (id, members) => {
  test('gets thinking in its own form', () => {
    expect(sent(id)).toEqual({ ...caller, ...members });
  });
});

test.each(['alibaba', 'cerebras', 'groq', 'together'])('%s gets none for models that do not think', (id) => {
  expect(sent(id, false)).toEqual(caller);
});

test('gpt-oss at cerebras gets it as plain text in front of the content', () => {
  const provider = chatProviders.find(({ id }) => id === 'cerebras');
  const said: ChatMessage = { ...caller, content: [{ type: 'text', text: 'So.' }], reasoning_content: thinking };
  const messages = conversation.with(1, said);
  const offer = provider && vendorOffer(provider, { modelName: 'gpt-oss-120b', reasoning: true });
  const request = provider && offer && provider.request(callOf({ messages }), offer);
  expect(JSON.parse(request?.body ?? '{}').messages[1].content).toEqual([
    { type: 'text', text: thinking },
    { type: 'text', text: 'So.' },
  ]);
});

test('details that only their makers can read stay here', () => {
  const signed = [
    { type: 'reasoning.text', text: 'x', signature: 's', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'd', format: 'aws-bedrock-v1', index: 1 },
    { type: 'reasoning.encrypted', data: 'g', format: 'google-gemini-v1', index: 2 },
    { type: 'reasoning.encrypted', data: 'o', format: 'google-gemini-v1', id: 'call', index: 3 },
  ];
  const ofSigned = (id: string) => {
    const provider = chatProviders.find((each) => each.id === id);
    const messages = conversation.with(1, { ...caller, reasoning_content: thinking, reasoning_details: signed });
    const request = provider?.request(callOf({ messages }), vendorOffer(provider, { reasoning: true }));
    return JSON.parse(request?.body ?? '{}').messages[1].reasoning_details;
  };
  expect(ofSigned('openrouter')).toEqual([signed[0], signed[3]]);
  // It signs nothing, so that plain thinking will do.
  expect(ofSigned('minimax')).toEqual([
    { type: 'reasoning.text', format: 'MiniMax-response-v1', index: 0, text: thinking },
  ]);
});
