import { expect, test } from 'vitest';
import { oncePer } from './once-per.ts';

test('reads each object once', () => {
  const reads: string[] = [];
  const lengthOf = oncePer(({ name }: { name: string }) => {
    reads.push(name);
    return name.length;
  });
  const [ada, other] = [{ name: 'Ada' }, { name: 'Ada' }];
  expect([lengthOf(ada), lengthOf(ada), lengthOf(other), lengthOf(ada)]).toEqual([3, 3, 3, 3]);
  expect(reads).toEqual(['Ada', 'Ada']);
});

test('reads an object again whose reading failed', () => {
  let isReady = false;
  const read = oncePer((_key: object) => {
    if (!isReady) throw new Error('not yet');
    return 'read';
  });
  const key = {};
  expect(() => read(key)).toThrow('not yet');
  isReady = true;
  expect(read(key)).toBe('read');
});
