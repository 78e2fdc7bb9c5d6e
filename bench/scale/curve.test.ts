import { expect, test } from 'vitest';
import { costAt, fitLine, growthBetween, limitOf } from './curve.ts';

const line = { fixed: 20, perReplica: 1.5 };
const sizes = [1, 10, 100, 1_000];

test('the line through exact points is found', () => {
  const found = fitLine(sizes.map((replicas) => ({ replicas, micros: costAt(line, replicas) })));
  expect(found.fixed).toBeCloseTo(20, 6);
  expect(found.perReplica).toBeCloseTo(1.5, 6);
});

test('a point counts by its relative error', () => {
  const points = sizes.map((replicas) => ({
    replicas,
    micros: costAt(line, replicas) * (replicas === 1_000 ? 1.1 : 1),
  }));
  const found = fitLine(points);
  expect(costAt(found, 1)).toBeGreaterThan(0.9 * costAt(line, 1));
  expect(costAt(found, 1)).toBeLessThan(1.1 * costAt(line, 1));
});

test('a cost that falls with the replicas, by noise, is the mean of what was measured', () => {
  const found = fitLine([
    { replicas: 1, micros: 110 },
    { replicas: 1_000, micros: 100 },
  ]);
  expect(found.perReplica).toBe(0);
  expect(found.fixed).toBeCloseTo(104.5, 1);
});

test('a cost is negative for no number of replicas', () => {
  const found = fitLine([
    { replicas: 10, micros: 5 },
    { replicas: 1_000, micros: 1_000 },
  ]);
  expect(found.fixed).toBe(0);
  expect(found.perReplica).toBeGreaterThan(0.5);
});

test('one size has its cost for all numbers of replicas', () => {
  expect(fitLine([{ replicas: 10, micros: 40 }])).toEqual({ fixed: 40, perReplica: 0 });
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
