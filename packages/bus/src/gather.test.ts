import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGather, type GatheredJob } from './gather.ts';

const job = (run: () => void): GatheredJob => ({ isQueued: false, run });

/** Queues `jobs` jobs in each of `count` turns of the event loop. */
async function runTurns(
  gather: ReturnType<typeof createGather>,
  { count, jobs, kind = 'piece' }: { count: number; jobs: number; kind?: 'piece' | 'soon' },
) {
  for (let index = 0; index < count; index++) {
    for (let queued = 0; queued < jobs; queued++) gather[kind](job(() => undefined));
    await turn();
  }
}

describe('gathering', () => {
  test('runs a job once at the end of the turn, in order, however often it was queued', async () => {
    const gather = createGather(2);
    const ran: string[] = [];
    const first = job(() => void ran.push('first'));
    gather.soon(first);
    gather.soon(job(() => ran.push('second')));
    gather.soon(first);
    expect(ran).toEqual([]);
    await turn();
    expect(ran).toEqual(['first', 'second']);
  });

  test('runs everything at once on flush, and nothing twice', async () => {
    const gather = createGather(2);
    let runs = 0;
    gather.soon(job(() => runs++));
    gather.flush();
    await turn();
    expect(runs).toBe(1);
  });

  test('pauses a busy connection after sending, never longer than `gatherMs`', async () => {
    const pauses: number[] = [];
    const gather = createGather(2, (ms) => pauses.push(ms));
    await expect
      .poll(
        async () => {
          await runTurns(gather, { count: 50, jobs: 20 });
          return pauses.length;
        },
        { interval: 5 },
      )
      .toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2);
  });

  test('does not pause within 10 ms after a request begins', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let pauses = 0;
    const gather = createGather(2, () => pauses++);
    const pausesAfter = async (ms: number): Promise<number> => {
      vi.advanceTimersByTime(ms);
      pauses = 0;
      await runTurns(gather, { count: 1, jobs: 1_000 });
      return pauses;
    };
    // The pace of the last 50 ms decides.
    for (let window = 0; window < 3; window++) await pausesAfter(60);
    expect(await pausesAfter(1)).toBe(1);
    gather.begin();
    expect([await pausesAfter(0), await pausesAfter(9), await pausesAfter(1)]).toEqual([0, 0, 1]);
  });

  test('never pauses a quiet connection, one with `gatherMs` 0, or one without streams', async () => {
    const pauses: number[] = [];
    const pause = (ms: number): number => pauses.push(ms);
    const quiet = createGather(2, pause);
    for (let index = 0; index < 5; index++) {
      quiet.piece(job(() => undefined));
      // Pause: a connection is quiet after some milliseconds without a piece.
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await runTurns(createGather(0, pause), { count: 200, jobs: 20 });
    await runTurns(createGather(2, pause), { count: 200, jobs: 20, kind: 'soon' });
    expect(pauses).toEqual([]);
  });
});
