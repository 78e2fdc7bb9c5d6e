import type { LoadPlan } from './load/plan.ts';
import { targetOf } from './load/target.ts';
import type { Generator } from './load/generator.ts';
import { cpuSeconds, sum } from './measure/cpu.ts';
import { isSteady } from './measure/steady.ts';
import type { System } from './system.ts';
import type { UpstreamMode } from './upstream/mode.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';

interface Portion {
  mode: UpstreamMode;
  connections: number;
  requests: number;
  /** How many portions are sent at most. */
  atMost: number;
}

const answers: Portion = { mode: { kind: 'answer', delayMs: 0 }, connections: 64, requests: 5_000, atMost: 40 };
const streams: Portion = {
  mode: { kind: 'stream', chunks: 100, intervalMs: 0 },
  connections: 32,
  requests: 400,
  atMost: 10,
};

/** Enough to show that the system answers. */
const quickly = (portion: Portion): Portion => ({ ...portion, requests: portion.requests / 2.5, atMost: 1 });

interface Players {
  upstream: UpstreamProcess;
  generator: Generator;
}

/**
 * Sends portions of requests of each kind until a portion costs as much CPU as those before it: V8 compiles a service
 * of this size over the first 100,000 requests. Throws if a request fails.
 */
export async function warmUp(players: Players, system: System, quick: boolean): Promise<void> {
  for (const portion of [answers, streams]) {
    await untilSteady(players, system, quick ? quickly(portion) : portion);
  }
}

async function untilSteady(players: Players, system: System, portion: Portion): Promise<void> {
  const costs: number[] = [];
  while (costs.length < portion.atMost && !isSteady(costs)) {
    const before = sum(cpuSeconds(system.pids));
    await send(players, system, portion);
    costs.push(sum(cpuSeconds(system.pids)) - before);
  }
}

async function send(players: Players, system: System, { mode, connections, requests: total }: Portion): Promise<void> {
  await players.upstream.setMode(mode);
  const plan: LoadPlan = { kind: 'count', target: targetOf(system, mode), connections, total };
  const none = () => undefined;
  const { failures, firstFailure } = await players.generator.run(plan, { deadlineMs: 60_000, onMeasuring: none });
  if (failures > 0) throw new Error(`${system.name} failed ${failures} of ${total} warm-up requests: ${firstFailure}`);
}
