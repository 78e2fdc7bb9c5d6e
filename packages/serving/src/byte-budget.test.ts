import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const overloaded = expect.objectContaining({
  code: 'overloaded',
  status: 529,
  domain: 'gateway',
  retryAfterMs: 1_000,
  message: expect.stringContaining('(MAX_BYTES)'),
});

test('accepts requests up to the limit and refuses them beyond it', () => {
  const budget = createByteBudget(100, 'MAX_BYTES');
  const [first, second] = [budget.lease(), budget.lease()];
  first.take(60);
  second.take(40);
  expect(() => second.take(1)).toThrow(overloaded);
  expect(() => budget.lease().take(1)).toThrow(overloaded);
  expect(budget.held()).toBe(100);
});

test('accepts a single request of any size, which its own limits bound', () => {
  const budget = createByteBudget(100, 'MAX_BYTES');
  const alone = budget.lease();
  alone.take(150);
  alone.take(10);
  expect(() => budget.lease().take(1)).toThrow(overloaded);
  alone.release();
  budget.lease().take(1);
  expect(budget.held()).toBe(1);
});

test('settling replaces the reserved bytes, and releasing frees them once', () => {
  const budget = createByteBudget(100, 'MAX_BYTES');
  const [first, second] = [budget.lease(), budget.lease()];
  first.take(80);
  first.settle(120);
  expect(() => second.take(1)).toThrow(overloaded);
  first.settle(30);
  second.take(70);
  first.release();
  first.release();
  expect(budget.held()).toBe(70);
});

test('a released lease holds nothing, whatever is settled later', () => {
  const budget = createByteBudget(100, 'MAX_BYTES');
  const left = budget.lease();
  left.take(60);
  left.release();
  left.settle(90);
  left.take(20);
  expect(budget.held()).toBe(0);
});
