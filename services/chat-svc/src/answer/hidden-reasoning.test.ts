import type { ChatChunk } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { chunkWithoutReasoning } from './hidden-reasoning.ts';

const chunk = (delta: ChatChunk['choices'][number]['delta'], finish_reason: 'stop' | null = null): ChatChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

test('removes reasoning from chunks and keeps everything else', () => {
  expect(chunkWithoutReasoning(chunk({ reasoning_content: 'hm' }))).toBeUndefined();
  expect(chunkWithoutReasoning(chunk({ reasoning_details: [] }))).toBeUndefined();
  expect(chunkWithoutReasoning(chunk({ reasoning_content: 'hm', content: 'x' }))).toEqual(chunk({ content: 'x' }));
  expect(chunkWithoutReasoning(chunk({ reasoning_content: 'hm' }, 'stop'))).toEqual(chunk({}, 'stop'));
  const other = chunk({ content: 'x' });
  expect(chunkWithoutReasoning(other)).toBe(other);
});
