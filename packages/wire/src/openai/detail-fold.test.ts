import { expect, test } from 'vitest';
import { createDetailFold } from './detail-fold.ts';

const folded = (...pieces: unknown[]) => {
  const fold = createDetailFold();
  pieces.forEach(fold.add);
  return fold.whole();
};

test('joins pieces with the same index and type', () => {
  expect(
    folded(
      { type: 'reasoning.text', text: 'a', index: 0, format: 'f' },
      { type: 'reasoning.text', text: 'b', index: 0, signature: null },
      { type: 'reasoning.encrypted', data: 'x', index: 1 },
      { type: 'reasoning.text', signature: 's', index: 0 },
    ),
  ).toEqual([
    { type: 'reasoning.text', text: 'ab', index: 0, format: 'f', signature: 's' },
    { type: 'reasoning.encrypted', data: 'x', index: 1 },
  ]);
});

test('keeps pieces without an index separate and changes none', () => {
  const piece = Object.freeze({ type: 'reasoning.text', text: 'a', index: 0 });
  expect(folded({ text: 'x' }, 'y', piece, piece)).toEqual([
    { text: 'x' },
    'y',
    { type: 'reasoning.text', text: 'aa', index: 0 },
  ]);
});
