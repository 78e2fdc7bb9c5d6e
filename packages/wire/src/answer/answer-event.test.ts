import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longStrings, noLongStrings } from '../json/long-strings.ts';
import type { ChatChunk, ChunkDelta } from '../openai/chunk.ts';
import { documentOf, writtenDocument } from './answer-document.ts';
import { chunkEvent, textEvent } from './answer-event.ts';
import { documentEvent, eventSlices, imageChunkEvent } from './document-event.ts';

const chunkWith = (delta: ChunkDelta): ChatChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
});

test.each(['content', 'reasoning_content'])(
  'a text between known bytes is the chunk that was learned, with other %s',
  (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const wanted = chunkEvent(chunkWith({ [name]: text }));
        const { bytes } = wanted;
        const before = bytes.indexOf(`"${name}":"`) + name.length + 4;
        const after = bytes.length - before - Buffer.byteLength(JSON.stringify(text).slice(1, -1));
        const event = textEvent(bytes, { like: chunkWith({ [name]: 'learned' }), before, after });
        expect([event.chunk, event.bytes]).toEqual([wanted.chunk, bytes]);
      }),
    );
  },
);

test('a chunk is written once, as OpenAI writes it', () => {
  const event = chunkEvent(chunkWith({ content: 'Hi' }));
  expect(event.bytes.toString()).toBe(`data: ${JSON.stringify(event.chunk)}\n\n`);
  expect(event.bytes).toBe(event.bytes);
});

const image = Buffer.alloc(100, 'A');
const strings = longStrings('nonce', [[image]]);
const [placeholder] = [...strings.byPlaceholder.keys()];

test('an image is copied only for a step that reads it', () => {
  const value = { text: 'é', images: [{ url: `data:image/png;base64,${placeholder}` }], none: null };
  const document = documentOf(value, strings);
  expect(document.slices()).toContain(image);
  expect(document.value()).toEqual({ ...value, images: [{ url: `data:image/png;base64,${image}` }] });
  expect(JSON.parse(Buffer.concat(document.slices()).toString())).toEqual(document.value());
  expect([document.encodedBytes, documentOf({}, noLongStrings).encodedBytes]).toEqual([100, 0]);
});

test('events with images are written in slices', () => {
  const chunk = imageChunkEvent(chunkWith({ content: placeholder }), strings);
  expect(eventSlices(chunk)).toContain(image);
  expect(Buffer.concat(eventSlices(chunk)).toString()).toBe(
    `data: ${JSON.stringify(chunkWith({ content: image.toString() }))}\n\n`,
  );
  expect(chunk.bytes).toEqual(Buffer.concat(eventSlices(chunk)));
  expect(chunk.chunk).toEqual(chunkWith({ content: image.toString() }));
  const named = documentEvent('image', { b64_json: placeholder }, strings);
  expect(Buffer.concat(eventSlices(named)).toString()).toBe(`event: image\ndata: {"b64_json":"${image}"}\n\n`);
});

test('a list of slices may be emptied while it is sent', () => {
  for (const document of [documentOf({ a: 1 }), writtenDocument([Buffer.from('{"a":1}')])]) {
    document.slices().shift();
    expect([Buffer.concat(document.slices()).toString(), document.value()]).toEqual(['{"a":1}', { a: 1 }]);
  }
});
