import { expect, test } from 'vitest';
import type { OrderedPiece } from './answer-parts.ts';
import type { CompletionMessage } from './completion.ts';
import { deltasInOrder } from './deltas-in-order.ts';

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } });
const message = (members: Partial<CompletionMessage>): CompletionMessage => ({
  role: 'assistant',
  content: null,
  refusal: null,
  ...members,
});
const text = (length: number, annotations = 0): OrderedPiece => ({ type: 'text', length, annotations });
const order: OrderedPiece[] = [
  text(2),
  { type: 'tool_call', index: 0 },
  { type: 'reasoning', length: 1, details: 1 },
  text(3),
];
const ordered = message({
  content: 'ABcde',
  reasoning_content: '?',
  reasoning_details: [{ index: 0 }],
  tool_calls: [call('a')],
  content_order: order,
});
const usual = [
  { reasoning_content: '?', reasoning_details: [{ index: 0 }] },
  { content: 'ABcde' },
  { tool_calls: [{ index: 0, ...call('a') }] },
];

test('cuts a message where its pieces end', () => {
  expect(deltasInOrder(ordered)).toEqual([
    { content: 'AB' },
    { tool_calls: [{ index: 0, ...call('a') }] },
    { reasoning_content: '?', reasoning_details: [{ index: 0 }] },
    { content: 'cde' },
  ]);
});

test('without an order, thinking precedes the text, and the text the calls', () => {
  expect(deltasInOrder({ ...ordered, content_order: undefined } as CompletionMessage)).toEqual(usual);
  expect(deltasInOrder(message({}))).toEqual([]);
});

test('a refusal follows what was said, before the calls at the end', () => {
  const refused = { refusal: 'No.' };
  expect(deltasInOrder(ordered, [refused]).at(-1)).toEqual(refused);
  const [thought, said, called] = usual;
  expect(deltasInOrder({ ...ordered, content_order: [] }, [refused])).toEqual([thought, said, refused, called]);
  expect(deltasInOrder(message({}), [refused])).toEqual([refused]);
});

test('leaves out thinking that the client does not want to see', () => {
  const { reasoning_content: _text, reasoning_details: _details, ...hidden } = ordered;
  expect(deltasInOrder(hidden)).toEqual([
    { content: 'AB' },
    { tool_calls: [{ index: 0, ...call('a') }] },
    { content: 'cde' },
  ]);
});

test.each<[string, Partial<CompletionMessage>]>([
  ['a text that is longer', { content: 'ABcdef' }],
  ['a text that is shorter', { content: 'ABcd' }],
])('an order that does not fit the message is not used: %s', (_name, changed) => {
  const [thinking, , called] = usual;
  expect(deltasInOrder({ ...ordered, ...changed })).toEqual([thinking, { content: changed.content }, called]);
});
