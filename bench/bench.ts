import type { Generator } from './load/generator.ts';
import type { System } from './system.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';

/** What every case works with. */
export interface Bench {
  upstream: UpstreamProcess;
  generator: Generator;
  /** In the order in which a round visits them. */
  systems: readonly System[];
  quick: boolean;
  /** Something went wrong without ending the case, such as failed requests: it is shown beside the table. */
  problem(system: System, text: string): void;
  /** So many cores were busy with what is none of ours during a measurement. */
  others(cores: number): void;
}

/** Visits all systems in turn, several times, so that a noisy moment hits each of them: A B A B, never A A B B. */
export async function interleave<Result>(
  systems: readonly System[],
  rounds: number,
  visit: (system: System) => Promise<Result>,
): Promise<BySystem<Result[]>> {
  const results: BySystem<Result[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const system of systems) {
      const list = (results[system.name] ??= []);
      list.push(await visit(system));
    }
  }
  return results;
}

export type BySystem<Value> = Partial<Record<System['name'], Value>>;
