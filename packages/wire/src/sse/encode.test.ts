import { expect, test } from 'vitest';
import { frameText } from '../frame.ts';
import { createSseDecoder } from './decoder.ts';
import { encodeSse, sseComment, sseDone } from './encode.ts';

test('an encoded event can be decoded', () => {
  const decoder = createSseDecoder({ maxFrameBytes: 1_000 });
  const json = JSON.stringify({ text: 'line\nbreak\r 🌍' });
  const frames = decoder.push(Buffer.concat([sseComment(), encodeSse(json), sseDone()]));
  expect(frames.map(frameText)).toEqual([json, '[DONE]']);
  expect(decoder.comments()).toBe(1);
});

test('a comment stays on its line', () => {
  expect(sseComment('a\nb\r\nc').toString()).toBe(': a b  c\n\n');
});
