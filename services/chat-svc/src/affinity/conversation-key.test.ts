import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { conversationKey } from './conversation-key.ts';

const characters = 100;
const long = 'x'.repeat(characters);
const keyOf = (request: Partial<ChatRequest>, { accountId = 'account', modelId = 'm' } = {}) =>
  conversationKey({ accountId, modelId, request: { model: 'm', messages: [], ...request } }, characters);
const user = (content: string) => ({ role: 'user' as const, content });

describe('a conversation without a name', () => {
  test('is known by its beginning, from the length at which that is compared', () => {
    // The role counts: 4 characters.
    expect(keyOf({ messages: [user('x'.repeat(characters - 5))] })).toBeUndefined();
    expect(keyOf({ messages: [user('x'.repeat(characters - 4))] })).toMatch(/^[\w-]{43}$/);
    expect(keyOf({ messages: [user(`${long} One`)] })).toBe(keyOf({ messages: [user(`${long} Two`), user('More.')] }));
    expect(keyOf({ messages: [user(long)] })).not.toBe(keyOf({ messages: [user(`y${long}`)] }));
  });

  test('is another one for another account, another model and with other tools', () => {
    const request = { messages: [user(long)] };
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: {} } }];
    const keys = [
      keyOf(request),
      keyOf(request, { accountId: 'another' }),
      keyOf(request, { modelId: 'n' }),
      keyOf({ ...request, tools }),
    ];
    expect(new Set(keys).size).toBe(4);
  });

  test('stays the same when marks of caches move, thinking is left out, and texts become parts', () => {
    const said = keyOf({ messages: [user('Hi'), { role: 'assistant', content: 'Yes?' }, user(long)] });
    const again = keyOf({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
        { role: 'assistant', content: 'Yes?', reasoning_content: 'Hm.', reasoning_details: [{ text: 'Hm.' }] },
        user(`${long}${long}`),
      ],
    });
    expect(again).toBe(said);
  });
});

describe('a conversation that the client names', () => {
  test.each<[string, Partial<ChatRequest>]>([
    ['prompt_cache_key', { prompt_cache_key: 'one', session_id: 'two', user: 'four' }],
    ['session_id', { session_id: 'one', metadata: { user_id: 'three' }, user: 'four' }],
    ['metadata.user_id', { metadata: { user_id: 'one' }, user: 'four' }],
    ['user', { prompt_cache_key: '', session_id: 7, metadata: {}, user: 'one' }],
  ])('by %s is known by that alone', (_name, request) => {
    expect(keyOf({ ...request, messages: [user('Hi')] })).toBe(keyOf({ prompt_cache_key: 'one' }));
    expect(keyOf(request)).not.toBe(keyOf({ prompt_cache_key: 'two' }));
  });

  test('is no conversation that begins like its name', () => {
    expect(keyOf({ user: `user${'x'.repeat(characters - 4)}` })).not.toBe(keyOf({ messages: [user(long)] }));
  });
});
