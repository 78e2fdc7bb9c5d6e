import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const overloaded = expect.objectContaining({ code: 'overloaded', status: 529, retryAfterMs: 1_000 });

test('up to the limit all come in, and beyond it nobody', () => {
  const budget = createByteBudget(100);
  const [first, second] = [budget.lease(), budget.lease()];
  first.take(60);
  second.take(40);
  expect(() => second.take(1)).toThrow(overloaded);
  expect(() => budget.lease().take(1)).toThrow(overloaded);
  expect(budget.held()).toBe(100);
});

test('who is alone comes in with any size: its own limits bound it', () => {
  const budget = createByteBudget(100);
  const alone = budget.lease();
  alone.take(150);
  alone.take(10);
  expect(() => budget.lease().take(1)).toThrow(overloaded);
  alone.release();
  budget.lease().take(1);
  expect(budget.held()).toBe(1);
});

test('what is there replaces what was put aside, and is let go once', () => {
  const budget = createByteBudget(100);
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

test('who has let go holds nothing any more, whatever comes of it', () => {
  const budget = createByteBudget(100);
  const left = budget.lease();
  left.take(60);
  left.release();
  left.settle(90);
  left.take(20);
  expect(budget.held()).toBe(0);
});
