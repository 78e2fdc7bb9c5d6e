import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPacer } from './pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const pacer = createPacer(() => performance.now());
  const start = performance.now();
  return { pacer, elapsed: () => Math.round(performance.now() - start) };
};

test('keeps an interval that is not a multiple of its tick without drifting', () => {
  const { pacer, elapsed } = setUp();
  const times: number[] = [];
  pacer.every({ afterMs: 33.3, everyMs: 33.3, step: () => times.push(elapsed()) < 30 });
  vi.advanceTimersByTime(1_100);
  expect(times).toHaveLength(30);
  expect(times.every((time, index) => Math.abs(time - (index + 1) * 33.3) <= 4)).toBe(true);
});

test('can be faster than its tick', () => {
  const { pacer } = setUp();
  let steps = 0;
  pacer.every({ afterMs: 0.5, everyMs: 0.5, step: () => (steps += 1) > 0 });
  vi.advanceTimersByTime(1_000);
  expect(Math.abs(steps - 2_000)).toBeLessThanOrEqual(8);
  pacer.close();
});

test('waits longer than one turn of its wheel', () => {
  const { pacer, elapsed } = setUp();
  const times: number[] = [];
  const step = () => {
    times.push(elapsed());
    return false;
  };
  pacer.every({ afterMs: 5_000, everyMs: 0, step });
  pacer.every({ afterMs: 1_023, everyMs: 0, step });
  pacer.every({ afterMs: 1_025, everyMs: 0, step });
  vi.advanceTimersByTime(6_000);
  expect(
    times.map((time, index) => time - [1_023, 1_025, 5_000][index]!).every((late) => late >= -2 && late <= 4),
  ).toBe(true);
});

test('has no timer without tasks', () => {
  const { pacer } = setUp();
  expect(vi.getTimerCount()).toBe(0);
  const stop = pacer.every({ afterMs: 10, everyMs: 10, step: () => true });
  expect(vi.getTimerCount()).toBe(1);
  stop();
  vi.advanceTimersByTime(10);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not run a task stopped by another in the same tick', () => {
  const { pacer } = setUp();
  const ran: string[] = [];
  const stops: (() => void)[] = [];
  for (const name of ['first', 'second']) {
    const step = () => {
      ran.push(name);
      for (const stop of stops) stop();
      return true;
    };
    stops.push(pacer.every({ afterMs: 10, everyMs: 10, step }));
  }
  vi.advanceTimersByTime(100);
  expect(ran).toEqual(['first']);
});

test('runs everything after the process was suspended', () => {
  let now = 0;
  const pacer = createPacer(() => now);
  let ran = 0;
  for (let task = 0; task < 1_000; task += 1)
    pacer.every({ afterMs: task, everyMs: 0, step: () => ((ran += 1), false) });
  now = 60_000;
  vi.advanceTimersByTime(2);
  expect(ran).toBe(1_000);
});

test('drops all tasks when closed', () => {
  const { pacer } = setUp();
  pacer.every({ afterMs: 10, everyMs: 10, step: () => true });
  pacer.close();
  expect(vi.getTimerCount()).toBe(0);
});
