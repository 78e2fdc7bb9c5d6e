import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createThinkSplitter, splitThinking } from './think-tags.ts';

test.each<[string, { content?: string; reasoning?: string }]>([
  ['', {}],
  ['Hello', { content: 'Hello' }],
  [' \n Hello', { content: ' \n Hello' }],
  ['<think>a</think>b', { reasoning: 'a', content: 'b' }],
  [' \n<think>\na\n</think>\n\nb', { reasoning: 'a\n', content: 'b' }],
  ['<think>\n\n</think>\n\nb', { content: 'b' }],
  ['<think>a</think>\n<think>b</think>c', { reasoning: 'ab', content: 'c' }],
  ['<think>never closed', { reasoning: 'never closed' }],
  ['<think>a </thin', { reasoning: 'a </thin' }],
  ['<think>a < b </ c</think>d', { reasoning: 'a < b </ c', content: 'd' }],
  ['<thinking hard', { content: '<thinking hard' }],
  ['<thin', { content: '<thin' }],
  ['Write <think>x</think>', { content: 'Write <think>x</think>' }],
  ['<think>a</think>b <think>c</think>', { reasoning: 'a', content: 'b <think>c</think>' }],
  ['a</think>b', { content: 'a</think>b' }],
])('%j', (text, split) => {
  expect(splitThinking(text)).toEqual(split);
});

test('waits for a tag through whitespace up to a limit', () => {
  const behind = (blanks: number) => splitThinking(`${' '.repeat(blanks)}<think>a</think>b`);
  expect(behind(1_000)).toEqual({ reasoning: 'a', content: 'b' });
  expect(behind(1_001)).toEqual({ content: `${' '.repeat(1_001)}<think>a</think>b` });
  const splitter = createThinkSplitter();
  expect(splitter.push(' '.repeat(1_001))).toEqual({ content: ' '.repeat(1_001) });
});

test('reads a hundred thousand blocks without recursion', () => {
  expect(splitThinking(`${'<think>a</think>'.repeat(100_000)}b`)).toEqual({
    reasoning: 'a'.repeat(100_000),
    content: 'b',
  });
});

test('gives the same result for any split', () => {
  const texts = fc
    .array(fc.constantFrom('<think>', '</think>', '<', '</', '<th', 'ink>', ' ', '\n', 'a', '🌍'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.array(fc.nat(60), { maxLength: 12 }), (text, places) => {
      const cuts = [0, ...places.map((place) => Math.min(place, text.length)), text.length].toSorted((a, b) => a - b);
      const splitter = createThinkSplitter();
      const splits = [...cuts.slice(1).map((end, at) => splitter.push(text.slice(cuts[at], end))), splitter.flush()];
      const all = (name: 'content' | 'reasoning') => splits.map((split) => split[name] ?? '').join('');
      const whole = splitThinking(text);
      expect([all('content'), all('reasoning')]).toEqual([whole.content ?? '', whole.reasoning ?? '']);
    }),
    { numRuns: 5_000 },
  );
});
