import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { deepseek } from '../deepseek/chat.ts';
import { moonshot } from '../moonshot/chat.ts';
import type { CallSignatures } from '../provider.ts';
import { callOf, contextOf, feed, vendorOffer } from '../testing/translate.ts';
import { delta } from '../testing/openai-vendor.ts';

const tools: ChatRequest['tools'] = [{ type: 'function', function: { name: 'f' } }];
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } });
const user: ChatMessage = { role: 'user', content: 'Hi' };
const result = (id: string): ChatMessage => ({ role: 'tool', content: '1', tool_call_id: id });
const called = (ids: string[], thought?: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
  ...(thought !== undefined && { reasoning_content: thought }),
});

describe.each([
  ['moonshot', moonshot, 'kimi-k2.6'],
  ['deepseek', deepseek, 'deepseek-v4-pro'],
])('%s', (_name, provider, modelName) => {
  const offer = vendorOffer(provider, { modelName, reasoning: true });
  const sent = (messages: ChatMessage[], signatures?: CallSignatures) =>
    JSON.parse(provider.request({ ...callOf({ messages, tools }), ...(signatures && { signatures }) }, offer).body);
  const missingIn = (messages: ChatMessage[]) => provider.callSignatures?.missingIn(callOf({ messages }).request);

  test('keeps the thinking before calls under the first call’s id', () => {
    const kept: string[][] = [];
    const context = {
      ...contextOf(provider, callOf({ tools })),
      keepSignature: (...pair: string[]) => kept.push(pair),
    };
    const message = { content: '', reasoning_content: 'hm', tool_calls: [call('a'), call('b')] };
    provider.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, context);
    const events = [
      delta({ reasoning_content: 'h' }),
      delta({ reasoning_content: 'm' }),
      delta({ tool_calls: [call('c'), call('d')] }),
      delta({}, 'tool_calls'),
    ];
    const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    feed(provider.stream(context), [bytes], 'sse');
    expect(kept).toEqual([
      ['a', 'hm'],
      ['c', 'hm'],
    ]);
  });

  test('keeps nothing for answers without calls or without thinking', () => {
    const kept: string[][] = [];
    const context = {
      ...contextOf(provider, callOf({ tools })),
      keepSignature: (...pair: string[]) => kept.push(pair),
    };
    for (const message of [{ content: 'x', reasoning_content: 'hm' }, { tool_calls: [call('a')] }]) {
      provider.response({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, context);
    }
    expect(kept).toEqual([]);
  });

  test('reports only calls of this turn without their thinking', () => {
    expect(missingIn([user, called(['a']), result('a'), user])).toEqual([]);
    expect(missingIn([user, called(['a', 'b']), result('a'), result('b')])).toEqual(['a']);
    expect(missingIn([user, called(['a'], 'hm'), result('a'), called(['b']), result('b')])).toEqual(['b']);
  });

  test('adds kept thinking without changing the client’s request', () => {
    const messages = [user, called(['a']), result('a')];
    const before = structuredClone(messages);
    const body = sent(messages, new Map([['a', 'hm']]));
    expect(body.messages).toEqual([user, called(['a'], 'hm'), result('a')]);
    expect(body.thinking).toBeUndefined();
    expect(messages).toEqual(before);
  });

  test('switches thinking off for the rest of the turn if it was lost', () => {
    const messages = [user, called(['a']), result('a')];
    expect(sent(messages)).toMatchObject({ messages, thinking: { type: 'disabled' } });
    expect(sent([...messages, user])).not.toHaveProperty('thinking');
  });
});
