import { expect, test } from 'vitest';
import { costAt, growthBetween, limitOf } from './curve.ts';

const points = [
  { replicas: 10, micros: 20 },
  { replicas: 1_000, micros: 200 },
];

test.each([
  [1, 20],
  [10, 20],
  [100, 63.246],
  [1_000, 200],
  [100_000, 2_000],
])('the cost at %i replicas is on a line between the measured ones, and beyond: %d µs', (replicas, cost) => {
  expect(costAt(points, replicas)).toBeCloseTo(cost, 3);
});

test('a cost grows beyond what was measured at most as fast as the replicas', () => {
  const steep = [
    { replicas: 10, micros: 1 },
    { replicas: 100, micros: 100 },
  ];
  expect(costAt(steep, 50)).toBeCloseTo(25, 6);
  expect(costAt(steep, 1_000)).toBeCloseTo(1_000, 6);
});

test('a cost that falls at the end stays beyond it', () => {
  const falling = [
    { replicas: 1, micros: 110 },
    { replicas: 1_000, micros: 100 },
  ];
  expect(costAt(falling, 3_000)).toBe(100);
});

test('one point has its cost for all numbers of replicas', () => {
  expect([1, 10, 9_000].map((replicas) => costAt([{ replicas: 10, micros: 40 }], replicas))).toEqual([40, 40, 40]);
});

test.each([
  { loadAt: (size: number) => size / 250, limit: 250 },
  { loadAt: (size: number) => (size / 250) ** 2, limit: 250 },
  { loadAt: (size: number) => size / 1_000, limit: 1_000 },
  { loadAt: (size: number) => size / 1_001, limit: 1_000 },
  { loadAt: () => 2, limit: 0 },
])('the limit is the largest size with a load of at most 1: $limit', ({ loadAt, limit }) => {
  expect(limitOf(loadAt, 1_000)).toBe(limit);
});

test('growth is the power of the size', () => {
  expect(growthBetween((size) => 3 * size, 500, 1_000)).toBeCloseTo(1, 6);
  expect(growthBetween((size) => 7 * size ** 2, 500, 1_000)).toBeCloseTo(2, 6);
  expect(growthBetween(() => 4, 500, 1_000)).toBeCloseTo(0, 6);
});
