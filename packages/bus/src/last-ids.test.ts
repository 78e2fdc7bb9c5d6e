import { expect, test } from 'vitest';
import { LastIds } from './last-ids.ts';

test('knows at least the last 10,000 ids and at most twice as many', () => {
  const ids = new LastIds();
  expect(ids.has('0')).toBe(false);
  for (let id = 0; id <= 50_000; id += 1) expect(ids.add(String(id))).toBe(true);
  expect(ids.add('50000')).toBe(false);
  expect(ids.add('40001')).toBe(false);
  expect(ids.has('40001')).toBe(true);
  expect(ids.has('30000')).toBe(false);
});
