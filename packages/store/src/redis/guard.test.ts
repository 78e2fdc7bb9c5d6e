import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGuard } from './guard.ts';
import type { Guard } from './guard.ts';

const never = () => new Promise<never>(() => {});
const fail = async () => Promise.reject(new Error('LOADING'));
const answer = async () => 'answer';

let events: string[];
let probe: () => Promise<unknown>;
let guard: Guard;

beforeEach(() => {
  vi.useFakeTimers();
  events = [];
  probe = answer;
  guard = createGuard({
    limitMs: 500,
    probe: () => probe(),
    onOpen: (cause) => events.push(`open: ${cause.message}`),
    onClose: () => events.push('close'),
    onDead: (cause) => events.push(`dead: ${cause.message}`),
    onSwallowed: () => {},
  });
});

afterEach(() => {
  guard.shutdown();
  vi.useRealTimers();
});

const runMany = (count: number, task: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, () => guard.run(task)));

test('returns answers, and undefined for failures', async () => {
  expect([await guard.run(answer), await guard.run(fail)]).toEqual(['answer', undefined]);
  expect(events).toEqual([]);
});

test('waits 500 ms at most', async () => {
  const run = vi.fn();
  void guard.run(never).then(run);
  await vi.advanceTimersByTimeAsync(499);
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  expect(run).toHaveBeenCalledWith(undefined);
});

test('opens after five failures in a row, and then runs nothing', async () => {
  await runMany(50, answer);
  await runMany(4, fail);
  expect(events).toEqual([]);
  await runMany(1, fail);
  expect(events).toEqual(['open: LOADING']);
  const task = vi.fn(answer);
  expect(await runMany(100, task)).toEqual(Array.from({ length: 100 }));
  expect(task).not.toHaveBeenCalled();
});

test('opens when more than half of the commands fail, even without five in a row', async () => {
  for (let round = 0; round < 3; round += 1) {
    await runMany(2, fail);
    await runMany(1, answer);
  }
  expect(events).toEqual(['open: LOADING']);
});

test('closes after a second when the probe is answered', async () => {
  await runMany(5, fail);
  await vi.advanceTimersByTimeAsync(999);
  expect(await guard.run(answer)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await guard.run(answer)).toBe('answer');
  expect(events).toEqual(['open: LOADING', 'close']);
});

test('probes without delaying a request, and drops a connection that does not answer', async () => {
  await runMany(5, fail);
  probe = never;
  await vi.advanceTimersByTimeAsync(1_000);
  const task = vi.fn(answer);
  expect(await guard.run(task)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(502);
  expect(task).not.toHaveBeenCalled();
  expect(events).toEqual(['open: LOADING', 'open: no answer within 500 ms', 'dead: no answer within 500 ms']);
});

test('keeps a connection whose probe is answered with an error', async () => {
  await runMany(5, fail);
  probe = fail;
  await vi.advanceTimersByTimeAsync(1_502);
  expect(events).toEqual(['open: LOADING', 'open: LOADING']);
});

test('opens at once when a check is not answered', async () => {
  probe = never;
  guard.check();
  await vi.advanceTimersByTimeAsync(502);
  expect(events).toEqual(['open: no answer within 500 ms']);
});

test('can be closed from outside', async () => {
  await runMany(5, fail);
  guard.close();
  expect(await guard.run(answer)).toBe('answer');
});
