import { expect, test } from 'vitest';
import { randomHex } from './random-hex.ts';

test('ids are 32 hexadecimal digits, and none repeats', () => {
  const ids = Array.from({ length: 1_000 }, () => randomHex());
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});
