import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { deepseek } from '../deepseek/chat.ts';
import { moonshot } from '../moonshot/chat.ts';
import { placedSignatures } from '../spec/call-signatures.ts';
import { callOf, contextOf, feed, vendorOffer } from '../testing/translate.ts';
import { delta } from '../testing/openai-vendor.ts';

const tools: ChatRequest['tools'] = [{ type: 'function', function: { name: 'f' } }];
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } });
const noThought = 'The thinking before this call is not available.';
const user: ChatMessage = { role: 'user', content: 'Hi' };
const result = (id: string): ChatMessage => ({ role: 'tool', content: '1', tool_call_id: id });
const called = (ids: string[], thought?: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
  ...(thought !== undefined && { reasoning_content: thought }),
});

describe.each([
  ['moonshot', moonshot, 'kimi-k2.6', (place: number) => `functions.f:${place}`, noThought],
  ['deepseek', deepseek, 'deepseek-v4-pro', (place: number) => `call_0${place}_a1b2c3d4`, ''],
])('%s', (_name, provider, modelName, idOf, none) => {
  const ids = { a: idOf(0), b: idOf(1), c: idOf(2), d: idOf(3) };
  const offer = vendorOffer(provider, { modelName, reasoning: true });
  /** What is remembered belongs to the second message. */
  const sent = (messages: ChatMessage[], kept: ReadonlyMap<string, string> = new Map()) => {
    const signatures = placedSignatures([...kept].map(([name, signature]) => ({ place: 1, name, signature })));
    return JSON.parse(provider.request({ ...callOf({ messages, tools }), signatures }, offer).body);
  };
  const missingIn = (messages: ChatMessage[]) =>
    provider.callSignatures?.missingIn(callOf({ messages }).request, offer);

  test('keeps the thinking before calls under the first call’s id', () => {
    const kept: string[][] = [];
    const context = {
      ...contextOf(provider, callOf({ tools })),
      keepSignature: (...pair: string[]) => kept.push(pair),
    };
    const message = { content: '', reasoning_content: 'hm', tool_calls: [call(ids.a), call(ids.b)] };
    provider.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, context);
    const events = [
      delta({ reasoning_content: 'h' }),
      delta({ reasoning_content: 'm' }),
      delta({ tool_calls: [call(ids.c), call(ids.d)] }),
      delta({}, 'tool_calls'),
    ];
    const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    feed(provider.stream(context), [bytes], 'sse');
    expect(kept).toEqual([
      [ids.a, 'hm'],
      [ids.c, 'hm'],
    ]);
  });

  test('keeps nothing for answers without calls or without thinking', () => {
    const kept: string[][] = [];
    const context = {
      ...contextOf(provider, callOf({ tools })),
      keepSignature: (...pair: string[]) => kept.push(pair),
    };
    for (const message of [{ content: 'x', reasoning_content: 'hm' }, { tool_calls: [call(ids.a)] }]) {
      provider.response({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, context);
    }
    expect(kept).toEqual([]);
  });

  test('remembers that a thinking model called without a thought, and sends back what the vendor accepts for none', () => {
    const kept = new Map<string, string>();
    const context = {
      ...contextOf(provider, callOf({ tools })),
      offer,
      keepSignature: (name: string, signature: string) => void kept.set(name, signature),
    };
    const message = { content: null, reasoning_content: '', tool_calls: [call(ids.a)] };
    provider.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, context);
    expect([...kept]).toEqual([[ids.a, '']]);
    const body = sent([user, called([ids.a], ''), result(ids.a)], kept);
    expect(body.messages).toEqual([user, called([ids.a], none), result(ids.a)]);
    expect(body).not.toHaveProperty('thinking');
  });

  test.each(['toolu_01A09q90qw90lq917835lq9', 'call_kX3aT9bQ', 'call_a1b2c3_0_0', 'search-1'])(
    'goes on thinking behind a call of another vendor, which left no thinking: %s',
    (id) => {
      const messages = [user, called([id]), result(id), user];
      const body = sent([...messages, called([ids.a], 'hm'), result(ids.a)]);
      expect(body.messages).toEqual([user, called([id], none), result(id), user, called([ids.a], 'hm'), result(ids.a)]);
      expect(body).not.toHaveProperty('thinking');
      expect(sent([...messages, called([ids.a]), result(ids.a)]).thinking).toEqual({ type: 'disabled' });
    },
  );

  test('does not take a number for an id of another vendor', () => {
    const messages = [user, called(['call_1']), result('call_1')];
    expect(sent(messages)).toMatchObject({ messages, thinking: { type: 'disabled' } });
  });

  test('remembers a call that was made while thinking was switched off', () => {
    const kept = new Map<string, string>();
    const context = {
      ...contextOf(provider, callOf({ tools, reasoning_effort: 'none' })),
      offer,
      keepSignature: (name: string, signature: string) => void kept.set(name, signature),
    };
    const message = { content: null, tool_calls: [call(ids.a)] };
    provider.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, context);
    const body = sent([user, called([ids.a]), result(ids.a)], kept);
    expect(body.messages).toEqual([user, called([ids.a], none), result(ids.a)]);
    expect(body).not.toHaveProperty('thinking');
  });

  test('adds nothing where thinking is switched off', () => {
    const messages = [user, called(['toolu_1']), result('toolu_1')];
    const call = callOf({ messages, tools, reasoning_effort: 'none' });
    expect(JSON.parse(provider.request(call, offer).body)).toMatchObject({ messages, thinking: { type: 'disabled' } });
  });

  test('reports all calls without their thinking', () => {
    expect(missingIn([user, called([ids.a]), result(ids.a), user])).toEqual([{ place: 1, name: ids.a }]);
    expect(missingIn([user, called([ids.a, ids.b]), result(ids.a), result(ids.b)])).toEqual([
      { place: 1, name: ids.a },
    ]);
    const long = 'hm '.repeat(100);
    expect(missingIn([user, called([ids.a], long), result(ids.a), called([ids.b]), result(ids.b)])).toEqual([
      { place: 3, name: ids.b },
    ]);
    expect(missingIn([user, called([ids.a], ''), result(ids.a)])).toEqual([{ place: 1, name: ids.a }]);
  });

  test.each<[string, ChatMessage[]]>([
    [
      'a later question',
      [
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'And now?' },
      ],
    ],
    ['a text beside the result', [{ role: 'user', content: 'A reminder.' }]],
    [
      'a picture of the result',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }],
    ],
  ])('sends thinking back with its calls after %s', (_name, further) => {
    const messages = [user, called([ids.a], 'hm'), result(ids.a), ...further];
    expect(sent(messages)).toMatchObject({ messages });
    expect(sent(messages)).not.toHaveProperty('thinking');
    const bare = [user, called([ids.a]), result(ids.a), ...further];
    expect(sent(bare, new Map([[ids.a, 'hm']]))).toMatchObject({ messages });
  });

  test('completes thinking of which the client kept only the last piece', () => {
    const kept = new Map([[ids.a, 'hm so']]);
    expect(sent([user, called([ids.a], 'so'), result(ids.a)], kept).messages).toEqual([
      user,
      called([ids.a], 'hm so'),
      result(ids.a),
    ]);
    expect(sent([user, called([ids.a], 'other'), result(ids.a)], kept).messages[1].reasoning_content).toBe('other');
  });

  test('sends the thinking of all messages of a question with calls, and of no other', () => {
    const thought: ChatMessage = { role: 'assistant', content: 'x', reasoning_content: 'so' };
    const bare: ChatMessage = { role: 'assistant', content: 'x' };
    const question = [called([ids.a], 'hm'), result(ids.a), thought];
    expect(sent([user, thought, user, ...question, user]).messages).toEqual([user, bare, user, ...question, user]);
  });

  test('reads thinking under the name that OpenRouter’s clients use', () => {
    const { reasoning_content: _none, ...message } = called([ids.a]);
    const body = sent([user, { ...message, reasoning: 'hm' } as ChatMessage, result(ids.a)]);
    expect(body.messages).toEqual([user, called([ids.a], 'hm'), result(ids.a)]);
  });

  test('adds kept thinking without changing the client’s request', () => {
    const messages = [user, called([ids.a]), result(ids.a)];
    const before = structuredClone(messages);
    const body = sent(messages, new Map([[ids.a, 'hm']]));
    expect(body.messages).toEqual([user, called([ids.a], 'hm'), result(ids.a)]);
    expect(body.thinking).toBeUndefined();
    expect(messages).toEqual(before);
  });

  test.each<[string, string | undefined]>([
    ['absent', undefined],
    ['empty', ''],
  ])('switches thinking off if it was lost before any call (%s)', (_name, thought) => {
    const messages = [user, called([ids.a], thought), result(ids.a)];
    const bare = [user, called([ids.a]), result(ids.a)];
    expect(sent(messages)).toMatchObject({ messages: bare, thinking: { type: 'disabled' } });
    expect(sent([...messages, user])).toMatchObject({ messages: [...bare, user], thinking: { type: 'disabled' } });
  });
});
