import { expect, test } from 'vitest';
import { startDispatchBench } from '../testing/dispatch-bench.ts';

const pauseMs = 20;

test('an attempt ends before the next one starts, also if the process is paused while it begins', async () => {
  await using bench = await startBench();
  const { simulator, dispatch, outcomes } = bench;
  simulator.faults.set({ provider: bench.providers[0] ?? '', fault: 'status:503' });
  const job = bench.job();
  const model = {
    ...job.plan.model,
    get id() {
      if (simulator.requests.length === 0) pause();
      return job.plan.model.id;
    },
  };
  await dispatch.complete({ ...job, plan: { ...job.plan, model } });
  const [outcome] = outcomes;
  const starts = outcome?.routes.map(({ startMs }) => microseconds(startMs)) ?? [];
  const ends = outcome?.attempts.map(({ duration_ms: ms }, at) => (starts[at] ?? 0) + microseconds(ms)) ?? [];
  expect(starts).toHaveLength(2);
  expect(starts[1]).toBeGreaterThanOrEqual(ends[0] ?? Infinity);
  expect(microseconds(outcome?.durationMs ?? 0)).toBeGreaterThanOrEqual(ends[1] ?? Infinity);
});

test("keeps the message of the provider's own failure, and none of what the request caused", async () => {
  await using bench = await startBench();
  const { simulator, dispatch, outcomes } = bench;
  const [first = '', second = ''] = bench.providers;
  simulator.faults.set({ provider: first, fault: 'status:503' });
  simulator.faults.set({ provider: second, fault: 'status:400' });
  await dispatch.complete(bench.job()).catch(() => undefined);
  expect(outcomes[0]?.attempts.map(({ error_type: type }) => type)).toEqual([
    'provider_overloaded',
    'caller_invalid_request',
  ]);
  expect(outcomes[0]?.routes.map(({ message }) => message)).toEqual([
    expect.stringContaining(`${first} failed with status 503`),
    undefined,
  ]);
});

/** Whole microseconds can be added without an error. */
const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000);

function pause(): void {
  for (const end = performance.now() + pauseMs; performance.now() < end;);
}

async function startBench() {
  const bench = await startDispatchBench();
  return { ...bench, [Symbol.asyncDispose]: bench.close };
}
