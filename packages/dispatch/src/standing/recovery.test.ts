import { describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { type EndedCall, type Recovery, isOver, progressOf, recoveryAfter, renewedRecovery } from './recovery.ts';

const second = 1_000;
const minute = 60 * second;
const none = { good: 0, bad: 0 };
const past = { at: 0, ...none };

/** A call of an offer that is ill, a tenth of a second before its end. */
const ended = (verdict: EndedCall['verdict'], endedAt: number, changes: Partial<EndedCall> = {}): EndedCall => ({
  verdict,
  endedAt,
  startedAt: endedAt - 100,
  tally: none,
  isIll: true,
  ...changes,
});
const after = (recovery: Recovery | undefined, call: EndedCall) => recoveryAfter(recovery, call, defaultRouting);
const failsTrials = (count: number): Recovery | undefined => {
  let recovery = after(undefined, ended('failed', 0));
  for (let trial = 0; trial < count; trial += 1) {
    if (recovery?.state !== 'away') throw new Error('A failed trial keeps an offer away.');
    recovery = after(recovery, ended('failed', recovery.trialAt + 100));
  }
  return recovery;
};
const pauseOf = (recovery: Recovery | undefined): number =>
  recovery?.state === 'away' ? recovery.trialAt - recovery.since : 0;
const succeeds = (recovery: Recovery | undefined, times: number, at: number): Recovery | undefined =>
  Array.from({ length: times }).reduce<Recovery | undefined>(
    (now, _time, index) => after(now, ended('succeeded', at + index * 100, { isIll: false })),
    recovery,
  );

describe('away', () => {
  test('a failure that makes an offer ill takes its share, any other does not', () => {
    expect(after(undefined, ended('failed', 0, { isIll: false }))).toBeUndefined();
    expect(after(undefined, ended('failed', 5, { tally: { good: 3, bad: 1 } }))).toEqual({
      state: 'away',
      since: 5,
      pauseMs: second,
      trialAt: 5 + second,
      past: { at: 5, good: 3, bad: 1 },
    });
  });

  test('each failed trial doubles the pause, up to that of the breaker', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((trials) => pauseOf(failsTrials(trials)) / second)).toEqual([
      1, 2, 4, 8, 16, 30, 30,
    ]);
  });

  test('an hour of outage is tried 123 times at most', () => {
    let trials = 0;
    for (let at = pauseOf(failsTrials(0)); at < 60 * minute; at += pauseOf(failsTrials(Math.min(trials, 6))))
      trials += 1;
    expect(trials).toBe(123);
  });

  test('a trial that takes longer than a second delays the next one by ten times as long, up to five minutes', () => {
    const hung = (tookMs: number) => pauseOf(after(undefined, ended('failed', minute, { startedAt: minute - tookMs })));
    expect([50, second, 3 * second, minute].map(hung)).toEqual([second, second, 20 * second, 5 * minute]);
  });

  test('a trial whose client left is repeated after the same pause', () => {
    const waiting = failsTrials(2);
    if (waiting?.state !== 'away') throw new Error('A failed trial keeps an offer away.');
    const left = after(waiting, ended('unknown', waiting.trialAt + 100));
    expect(pauseOf(left)).toBe(pauseOf(waiting));
    expect(left).not.toBe(waiting);
  });

  test('calls that began before it failed, and those before the trial is due, change nothing', () => {
    const waiting = after(undefined, ended('failed', minute));
    for (const verdict of ['succeeded', 'failed', 'unknown'] as const) {
      expect(after(waiting, ended(verdict, minute + 50))).toBe(waiting);
    }
    expect(after(waiting, ended('failed', minute + 500))).toBe(waiting);
    expect(after(waiting, ended('unknown', minute + 500))).toBe(waiting);
  });
});

describe('returning', () => {
  const began = after(undefined, ended('failed', 0));

  test('as many requests at a time as have succeeded in a row, until ten have', () => {
    const steps = [1, 2, 9, 10].map((times) => succeeds(began, times, 2 * second));
    const atOnce = steps.map((step) => progressOf(step, { isIll: false, running: 0, now: 3 * second }));
    expect(atOnce).toEqual([
      { state: 'returning', atOnce: 1, mayTry: true },
      { state: 'returning', atOnce: 2, mayTry: true },
      { state: 'returning', atOnce: 9, mayTry: true },
      undefined,
    ]);
    expect(steps.at(-1)).toMatchObject({ state: 'back' });
    expect(progressOf(steps[1], { isIll: false, running: 2, now: 3 * second })).toMatchObject({ mayTry: false });
  });

  test('a failure takes it back at once, with twice the pause, up to five minutes', () => {
    let recovery = began;
    const pauses = Array.from({ length: 11 }, (_, at) => {
      recovery = succeeds(recovery, 3, at * 10 * minute + minute);
      recovery = after(recovery, ended('failed', at * 10 * minute + 2 * minute, { isIll: false }));
      return pauseOf(recovery) / second;
    });
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  test('a client that leaves changes nothing', () => {
    const returning = succeeds(began, 3, 2 * second);
    expect(after(returning, ended('unknown', 3 * second))).toBe(returning);
  });

  test('once it is back only a failure that makes it ill takes its share, with twice the pause', () => {
    const back = succeeds(began, 10, 2 * second);
    expect(after(back, ended('failed', 4 * second, { isIll: false }))).toBe(back);
    expect(pauseOf(after(back, ended('failed', 4 * second)))).toBe(2 * second);
  });
});

describe('other replicas', () => {
  const clock = { now: 10 * minute, halfLifeMs: 75 * second };
  const waiting: Recovery = { state: 'away', since: 0, pauseMs: 30 * second, trialAt: 11 * minute, past };
  const isDue: Recovery = { ...waiting, trialAt: 9 * minute };

  test('a success makes the trial due, also while it waits', () => {
    expect(renewedRecovery(waiting, { good: 1, bad: 2 }, clock)).toEqual({ ...waiting, trialAt: clock.now });
  });

  test('a failure takes the place of a trial that is due', () => {
    expect(renewedRecovery(isDue, { good: 0, bad: 1 }, clock)).toEqual({
      ...isDue,
      trialAt: clock.now + 30 * second,
      past: { at: clock.now, good: 0, bad: 1 },
    });
    expect(renewedRecovery(waiting, { good: 0, bad: 1 }, clock)).toBe(waiting);
    expect(renewedRecovery(isDue, { good: 0, bad: 0.4 }, clock)).toBe(isDue);
  });

  test('what was counted before has faded and is not heard again', () => {
    const old = { ...isDue, past: { at: clock.now - 75 * second, good: 10, bad: 8 } };
    expect(renewedRecovery(old, { good: 5, bad: 4 }, clock)).toBe(old);
    expect(renewedRecovery(old, { good: 5, bad: 5 }, clock)).not.toBe(old);
  });

  test('an offer that only other replicas saw fail gets one trial request at a time', () => {
    expect([0, 1].map((running) => progressOf(undefined, { isIll: true, running, now: 0 }))).toEqual([
      { state: 'away', trialInMs: 0, mayTry: true },
      { state: 'away', trialInMs: 0, mayTry: false },
    ]);
    expect(after(undefined, ended('succeeded', 0))).toMatchObject({ state: 'returning', successes: 1 });
  });
});

test('a recovery is over 75 seconds after its next trial was due, or five minutes after its return began', () => {
  const away: Recovery = { state: 'away', since: 0, pauseMs: second, trialAt: second, past };
  const returning: Recovery = { state: 'returning', since: 0, pauseMs: second, successes: 1, past };
  const over = (recovery: Recovery, now: number) => isOver(recovery, now, defaultRouting);
  expect([over(away, 76 * second - 1), over(away, 76 * second)]).toEqual([false, true]);
  expect([over(returning, 5 * minute - 1), over(returning, 5 * minute)]).toEqual([false, true]);
});
