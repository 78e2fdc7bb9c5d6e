import { setTimeout as pause } from 'node:timers/promises';
import type { MoneySystem } from '../system.ts';
import type { DisturbanceRun } from '../expected-losses.ts';
import type { Kill } from '../trial.ts';
import type { Disturbance } from './disturbances.ts';
import { readSamples } from './metrics.ts';

export interface Chaos {
  kills: readonly Kill[];
  disturbed: readonly DisturbanceRun[];
  /** Descriptions of failed disturbances. */
  problems: readonly string[];
}

const betweenMs = 3_000;
/**
 * Time for all records to reach the journal after a disturbance: the next one might kill the process that holds them.
 */
const recordedMs = 60_000;

/** Runs the disturbances one after the other, each after the records of the previous one are stored. */
export async function disturb(
  system: MoneySystem,
  { chosen, over }: { chosen: readonly Disturbance[]; over: AbortSignal },
): Promise<Chaos> {
  const kills: Kill[] = [];
  const disturbed: DisturbanceRun[] = [];
  const problems: string[] = [];
  for (let turn = 0; !over.aborted; turn += 1) {
    await pause(betweenMs, undefined, { signal: over }).catch(() => undefined);
    const disturbance = chosen[turn % chosen.length];
    if (over.aborted || disturbance === undefined) break;
    const { name, victim, isKill } = disturbance;
    const from = Date.now();
    if (isKill) kills.push({ name: victim, at: from });
    console.log(`${new Date(from).toISOString()} ${name}`);
    await disturbance.run(system).catch((error: unknown) => problems.push(`${name}: ${String(error)}`));
    disturbed.push({ name, victim, from, until: Date.now() });
    if (!(await untilRecorded(system))) problems.push(`${name}: records still wait after ${recordedMs} ms`);
  }
  return { kills, disturbed, problems };
}

async function untilRecorded({ gateway }: MoneySystem): Promise<boolean> {
  const deadline = performance.now() + recordedMs;
  while (performance.now() < deadline) {
    const samples = await readSamples(gateway);
    const waiting = samples.map(({ sum }) => sum('gateway_usage_spilled_bytes') + sum('gateway_usage_held_bytes'));
    if (samples.length > 0 && waiting.every((bytes) => bytes === 0)) return true;
    await pause(250);
  }
  return false;
}
