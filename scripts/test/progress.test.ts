import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

test('shows how many files of each part have ended, which one runs for long, and which ones took longest', () => {
  let at = 0;
  const progress = createProgress(() => at);
  const unit = progress.part('unit');
  const system = progress.part('system');
  expect(progress.line()).toBe('0:00  files: unit 0 of …, system 0 of …');
  unit({ kind: 'files', count: 2 });
  system({ kind: 'files', count: 1 });
  unit({ kind: 'began', file: 'a.test.ts' });
  system({ kind: 'began', file: 'b.test.ts' });
  at = 9_000;
  unit({ kind: 'ended', file: 'a.test.ts' });
  expect(progress.line()).toBe('0:09  files: unit 1 of 2, system 0 of 1');
  at = 65_000;
  expect(progress.line()).toBe('1:05  files: unit 1 of 2, system 0 of 1; b.test.ts runs for 1:05');
  system({ kind: 'ended', file: 'b.test.ts' });
  expect(progress.line()).toBe('1:05  files: unit 1 of 2, system 1 of 1');
  expect(progress.slowest(1)).toEqual(['1:05  b.test.ts']);
});
