import { expect, test } from 'vitest';
import { createInputCheck } from './input-check.ts';

/** The parts of so many lines, each of so many bytes. */
function partsOf(count: number, bytes: number) {
  const check = createInputCheck({
    check: (line) => ({ customId: line.toString(), model: 'model' }),
    mostLines: Infinity,
  });
  for (let at = 0; at < count; at += 1)
    check.add({ number: at + 1, start: at * bytes, end: (at + 1) * bytes, bytes: Buffer.from(String(at)) });
  return check.checked().parts;
}

test('the first parts have a hundred lines, and those of a large batch a thousand', () => {
  expect(partsOf(250, 10).map(({ lines }) => lines)).toEqual([100, 100, 50]);
  const parts = partsOf(50_000, 10);
  expect(parts.length).toBe(68);
  expect(parts.slice(0, 20).every(({ lines }) => lines === 100)).toBe(true);
  expect(parts.slice(20).every(({ lines }) => lines === 1_000)).toBe(true);
  expect(parts.slice(19, 22)).toEqual([
    { start: 19_000, end: 20_000, firstLine: 1_901, lastLine: 2_000, lines: 100 },
    { start: 20_000, end: 30_000, firstLine: 2_001, lastLine: 3_000, lines: 1_000 },
    { start: 30_000, end: 40_000, firstLine: 3_001, lastLine: 4_000, lines: 1_000 },
  ]);
});

test('a part has at most four megabytes, unless one line is longer', () => {
  const megabyte = 1024 ** 2;
  expect(partsOf(9, megabyte).map(({ lines }) => lines)).toEqual([4, 4, 1]);
  expect(partsOf(2, 5 * megabyte).map(({ lines }) => lines)).toEqual([1, 1]);
});
