import { expect, onTestFinished, test, vi } from 'vitest';
import { Alarm, type Sleeper } from './alarm.ts';

/** Sleepers that are woken once, at their times after now. */
function sleeping(times: readonly number[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const woken: number[] = [];
  const sleepers = new Map<string, Sleeper & { wakeAt: number }>();
  const alarm = new Alarm(sleepers);
  for (const time of times) {
    const sleeper = {
      wakeAt: performance.now() + time,
      wake() {
        sleeper.wakeAt = Infinity;
        woken.push(time);
      },
    };
    sleepers.set(`${time}`, sleeper);
    alarm.set(sleeper.wakeAt);
  }
  return { alarm, sleepers, woken };
}

test('wakes each sleeper at its time, at most 10 ms late', () => {
  const { woken } = sleeping([500, 20, 100, 101]);
  vi.advanceTimersByTime(19);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(woken).toEqual([20]);
  vi.advanceTimersByTime(91);
  expect(woken).toEqual([20, 100, 101]);
  vi.advanceTimersByTime(389);
  expect(woken).toEqual([20, 100, 101, 500]);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not wake a sleeper that was removed, and looks no more once there is none', () => {
  const { sleepers, woken } = sleeping([20, 500]);
  sleepers.clear();
  vi.advanceTimersByTime(20);
  expect([woken, vi.getTimerCount()]).toEqual([[], 0]);
});

test('waits longer than the longest timer', () => {
  const month = 30 * 24 * 60 * 60 * 1000;
  const { woken } = sleeping([month]);
  vi.advanceTimersByTime(month - 1);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(woken).toEqual([month]);
});

test('wakes no sleeper after it was stopped', () => {
  const { alarm, woken } = sleeping([20]);
  alarm.stop();
  vi.advanceTimersByTime(100);
  expect(woken).toEqual([]);
});
