import { type ChatChunk, chunkEvent, type Frame } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { createTextEvents } from './text-events.ts';

const chunkOf = (delta: ChatChunk['choices'][number]['delta']): ChatChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
});

const frameOf = (chunk: ChatChunk): Frame => ({
  event: undefined,
  id: undefined,
  data: Buffer.from(JSON.stringify({ ...chunk, model: "the vendor's" })),
});

const role = chunkOf({ role: 'assistant' });
const said = (content: string): ChatChunk => chunkOf({ content });

test('the last frame before chunks are shown teaches those after it', () => {
  const texts = createTextEvents(false);
  texts.learn({ frame: frameOf(role), chunks: [role] }, undefined);
  texts.learn({ frame: frameOf(said('first')), chunks: [said('first')] }, undefined);
  expect(texts.forward(frameOf(said('second')))).toBeUndefined();
  texts.shown(chunkEvent(said('first')));
  const event = texts.forward(frameOf(said('second')));
  expect(event?.bytes.toString()).toBe(chunkEvent(said('second')).bytes.toString());
  expect(event).toMatchObject({ kind: 'chunk', chunk: said('second') });
  expect(texts.contentBytes()).toBe('second'.length);
});

test('a frame before that which has no text of its own teaches nothing', () => {
  const texts = createTextEvents(false);
  texts.learn({ frame: frameOf(role), chunks: [role] }, undefined);
  texts.shown(chunkEvent(role));
  expect(texts.forward(frameOf(said('second')))).toBeUndefined();
});
