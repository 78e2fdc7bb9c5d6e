import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { offerOf } from '@tallyport/contracts/testing';
import { type CacheMarking, claudeMarking, type PromptReuse } from './cache-marking.ts';
import { markedChat } from './marked-chat.ts';
import { openaiMarking } from '../openai/marking.ts';

const marking: CacheMarking = { leastTokens: 10, tools: true, hour: true };
const reuse: PromptReuse = { lifetime: '5m', isShared: false };
/** As long as a prefix must be. */
const long = 'x'.repeat(30);
const mark = { cache_control: { type: 'ephemeral' } };
const marked = (text: string) => [{ type: 'text' as const, text, ...mark }];
const tool = { type: 'function' as const, function: { name: 'weather', description: long, parameters: {} } };
const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content });
const system = (content: string) => ({ role: 'system' as const, content });
const chat = (request: Partial<ChatRequest>): ChatRequest => ({ model: 'm', messages: [], ...request });

describe('a conversation', () => {
  const request = chat({
    temperature: 0.5,
    tools: [{ ...tool, function: { ...tool.function, name: 'first' } }, tool],
    messages: [
      system(long),
      system('Be brief.'),
      user('One'),
      assistant('1'),
      user('Two'),
      assistant('2'),
      user('Three'),
    ],
  });

  test('is marked at the last tool, the last instruction, and the ends of the last two turns', () => {
    const [first] = request.tools ?? [];
    expect(markedChat(request, marking, reuse)).toEqual({
      ...request,
      tools: [first, { ...tool, ...mark }],
      messages: [
        system(long),
        { role: 'system', content: marked('Be brief.') },
        user('One'),
        assistant('1'),
        { role: 'user', content: marked('Two') },
        assistant('2'),
        { role: 'user', content: marked('Three') },
      ],
    });
  });

  test('keeps the objects that are not marked, and does not change the client’s request', () => {
    const before = structuredClone(request);
    const { messages } = markedChat(request, marking, reuse);
    expect(messages[0]).toBe(request.messages[0]);
    expect(request).toEqual(before);
  });

  test('asks for an hour if it pauses, where the model has that', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const { tools } = markedChat(request, marking, { ...reuse, lifetime: '1h' });
    expect(tools?.[1]).toEqual({ ...tool, ...hour });
    const minutes = markedChat(request, { ...marking, hour: false }, { ...reuse, lifetime: '1h' });
    expect(minutes.tools?.[1]).toEqual({ ...tool, ...mark });
  });

  test('has no mark on tools where the model has none', () => {
    const { tools, messages } = markedChat(request, { ...marking, tools: false }, reuse);
    expect(tools).toBe(request.tools);
    expect(messages.filter((message) => JSON.stringify(message).includes('cache_control'))).toHaveLength(3);
  });

  test('ends a turn with the results of its tools', () => {
    const call = { id: 'a', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
    const calling = { role: 'assistant' as const, content: null, tool_calls: [call] };
    const result = { role: 'tool' as const, tool_call_id: 'a', content: 'Sunny' };
    const messages = [user(long), calling, result, assistant('Sunny.'), user('And then?'), calling, result, result];
    expect(markedChat(chat({ messages }), marking, reuse).messages).toEqual([
      user(long),
      calling,
      result,
      assistant('Sunny.'),
      { role: 'user', content: marked('And then?') },
      calling,
      result,
      { ...result, content: marked('Sunny') },
    ]);
  });

  test('is marked at the last text of a message, and not where that is blank', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
    const text = { type: 'text' as const, text: long };
    const blank = { type: 'text' as const, text: ' \n' };
    const messages = [
      { role: 'user' as const, content: [text, blank, image] },
      assistant('1'),
      { role: 'user' as const, content: [image] },
      assistant('2'),
      user(' '),
    ];
    const sent = (upTo: number) => markedChat(chat({ messages: messages.slice(0, upTo) }), marking, reuse).messages;
    expect(sent(3)).toEqual([
      { role: 'user', content: [{ ...text, ...mark }, blank, image] },
      assistant('1'),
      { role: 'user', content: [image] },
    ]);
    expect(sent(5)).toEqual(messages);
  });
});

describe('a first question', () => {
  const messages = [system(long), user(long)];
  test('without tools is not marked', () => {
    const request = chat({ messages });
    expect(markedChat(request, marking, reuse)).toBe(request);
  });

  test('is marked behind its instructions if other requests began like it', () => {
    const shared = markedChat(chat({ messages }), marking, { ...reuse, isShared: true });
    expect(shared.messages).toEqual([{ role: 'system', content: marked(long) }, user(long)]);
  });

  test('with tools is the beginning of more turns', () => {
    const request = markedChat(chat({ messages, tools: [tool] }), marking, reuse);
    expect(request).toEqual(
      chat({
        tools: [{ ...tool, ...mark }],
        messages: [
          { role: 'system', content: marked(long) },
          { role: 'user', content: marked(long) },
        ],
      }),
    );
  });
});

test('where the vendor writes every prompt by itself, only long instructions are marked, also of a first question', () => {
  const rules: CacheMarking = { ...marking, tools: false, implicit: true };
  const request = chat({ messages: [system(long), user(long)] });
  const [first, question] = request.messages;
  const parts = [{ type: 'text', text: long, prompt_cache_breakpoint: { mode: 'explicit' } }];
  expect(markedChat(request, rules, reuse)).toEqual({ ...request, messages: [{ ...first, content: parts }, question] });
  const options = { ...request, prompt_cache_options: { mode: 'explicit' } };
  expect(markedChat(options, rules, reuse)).toBe(options);
  const short = chat({ messages: [system('Be brief.'), user(long)] });
  expect(markedChat(short, rules, reuse)).toBe(short);
});

test('a prefix is marked from the length that is cached', () => {
  const turns = (first: string) => chat({ messages: [user(first), assistant(''), user('.')] });
  const just = markedChat(turns('x'.repeat(26)), marking, reuse).messages;
  // The roles count: 4 and 9 characters.
  expect(just).toEqual([
    { role: 'user', content: marked('x'.repeat(26)) },
    assistant(''),
    { role: 'user', content: marked('.') },
  ]);
  const short = turns('x'.repeat(11));
  expect(markedChat(short, marking, reuse)).toBe(short);
  expect(markedChat(turns('x'.repeat(12)), marking, reuse).messages).toEqual([
    user('x'.repeat(12)),
    assistant(''),
    { role: 'user', content: marked('.') },
  ]);
});

const own = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
test.each<[string, Partial<ChatRequest>]>([
  ['the request', own],
  ['a tool', { tools: [{ ...tool, ...own }] }],
  ['a function', { tools: [{ ...tool, function: { ...tool.function, ...own } }] }],
  ['a message', { messages: [user(long), { ...assistant('1'), ...own }, user('2')] }],
  [
    'a part',
    { messages: [user(long), assistant('1'), { role: 'user', content: [{ type: 'text', text: '2', ...breakpoint }] }] },
  ],
])('a mark of the client’s own on %s leaves all to the client', (_, members) => {
  const request = chat({ messages: [system(long), user(long), assistant('1'), user('2')], tools: [tool], ...members });
  expect(markedChat(request, marking, { ...reuse, isShared: true })).toBe(request);
});

test.each([
  ['claude-opus-5-5', 512, true],
  ['claude-fable-5-2', 512, true],
  ['claude-sonnet-5', 1_024, true],
  ['claude-opus-4-8', 1_024, true],
  ['claude-opus-4-7', 2_048, true],
  ['anthropic/claude-opus-4.6', 4_096, true],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 4_096, true],
  ['anthropic.claude-3-haiku-20240307-v1:0', 2_048, false],
  ['claude-sonnet-4-20250514', 1_024, false],
  ['claude-opus-4-1', 1_024, false],
  ['claude-of-next-year', 1_024, true],
])('%s caches from %d tokens', (modelName, leastTokens, hour) => {
  const pricing = { prompt: '1', input_cache_read: '0.1' };
  expect(claudeMarking(offerOf('anthropic', { modelName, pricing }))).toEqual({ leastTokens, tools: true, hour });
});

test.each([
  ['gpt-6-luna', '0.1', true],
  ['gpt-5.6-sol', '0.1', true],
  ['gpt-6-luna', undefined, false],
  ['gpt-5.5', '0.1', false],
])('whether %s with a price for cached tokens of %s is marked: %s', (modelName, read, isMarked) => {
  const pricing = { prompt: '1', ...(read !== undefined && { input_cache_read: read }) };
  expect(openaiMarking(offerOf('openai', { modelName, pricing })) !== undefined).toBe(isMarked);
});

test('an offer without a price for cached tokens is not marked', () => {
  expect(claudeMarking(offerOf('anthropic', { modelName: 'claude-opus-5', pricing: { prompt: '1' } }))).toBeUndefined();
});
