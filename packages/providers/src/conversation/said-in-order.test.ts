import type { ChatMessage } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../anthropic/chat.ts';
import { awsBedrock } from '../aws-bedrock/chat.ts';
import { google } from '../google/chat.ts';
import { openai } from '../openai/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';

const call = (id: string) => ({ id, type: 'function' as const, function: { name: id, arguments: '{}' } });
const textOf = (length: number) => ({ type: 'text', length, annotations: 0 });
const callAt = (index: number) => ({ type: 'tool_call', index });
const order = [textOf(2), callAt(0), textOf(3), callAt(1), textOf(4)];

/** The texts and names of calls in an answer that is sent back. */
function saidTo(provider: ChatProvider, modelName: string, message: object): (string | undefined)[] {
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'aabbbcccc', tool_calls: [call('one'), call('two')], ...message },
    { role: 'tool', tool_call_id: 'one', content: '1' },
    { role: 'tool', tool_call_id: 'two', content: '2' },
  ];
  const { body } = provider.request(callOf({ messages }, false), vendorOffer(provider, { modelName }));
  const { contents, messages: sent } = JSON.parse(body);
  const { parts, content } = (contents ?? sent)[1];
  return (parts ?? content).map(
    (part: Record<string, { name: string }> & { name?: string; text?: string }) =>
      part.text ?? part.name ?? part['functionCall']?.name ?? part['toolUse']?.name,
  );
}

describe.each([
  ['anthropic', anthropic, 'claude-sonnet-4-5'],
  ['aws-bedrock', awsBedrock, 'amazon.nova-pro-v1:0'],
  ['google', google, 'gemini-2.5-flash'],
] as const)('%s', (_id, provider, modelName) => {
  const said = (message: object) => saidTo(provider, modelName, message);
  const usual = ['aabbbcccc', 'one', 'two'];

  test('gets texts and calls in the order in which a model wrote them', () => {
    expect(said({ content_order: order })).toEqual(['aa', 'one', 'bbb', 'two', 'cccc']);
    expect(said({ content_order: [callAt(1), textOf(9), callAt(0)] })).toEqual(['two', 'aabbbcccc', 'one']);
    expect(said({ content: null, content_order: [callAt(1), callAt(0)] })).toEqual(['two', 'one']);
  });

  test('gets them in order where the text has parts, whole or cut', () => {
    const content = ['aabb', 'bcccc'].map((text) => ({ type: 'text', text }));
    expect(said({ content, content_order: order })).toEqual(['aa', 'one', 'bb', 'b', 'two', 'cccc']);
    expect(said({ content, content_order: [textOf(4), callAt(0), callAt(1), textOf(5)] })).toEqual([
      'aabb',
      'one',
      'two',
      'bcccc',
    ]);
  });

  test('gets a refusal behind the last text', () => {
    expect(said({ refusal: 'No.', content_order: order })).toEqual(['aa', 'one', 'bbb', 'two', 'cccc', 'No.']);
    expect(said({ refusal: 'No.' })).toEqual(['aabbbcccc', 'No.', 'one', 'two']);
  });

  test.each<[string, unknown]>([
    ['is absent', undefined],
    ['is of another text', [textOf(2), callAt(0), textOf(3), callAt(1), textOf(5)]],
    ['leaves out a text', [textOf(2), callAt(0), callAt(1)]],
    ['leaves out a call', [textOf(9), callAt(0)]],
    ['repeats a call', [callAt(0), textOf(9), callAt(0), callAt(1)]],
    ['has a call that is none', [callAt(0), callAt(1), callAt(2), textOf(9)]],
    ['has lengths that are none', [callAt(0), textOf(-9), textOf(0.5), textOf(1e300), callAt(1)]],
    ['is no list', { length: 5 }],
    ['has no pieces', [null, 'text', 7]],
  ])('gets the texts first where the order %s', (_what, content_order) => {
    expect(said({ content_order })).toEqual(usual);
  });
});

test('a vendor with one text beside the calls gets no order', () => {
  const messages: ChatMessage[] = [
    { role: 'assistant', content: 'aabbbcccc', tool_calls: [call('one'), call('two')], content_order: order },
  ];
  expect(openai.request(callOf({ messages }), vendorOffer(openai)).body).not.toContain('content_order');
});
