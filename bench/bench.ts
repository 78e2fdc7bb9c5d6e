import type { Generator } from './load/generator.ts';
import type { System } from './system.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';

/** The processes and callbacks that a case uses. */
export interface Bench {
  upstream: UpstreamProcess;
  generator: Generator;
  /** In the order of measurement within a round. */
  systems: readonly System[];
  quick: boolean;
  /** Reports a problem that does not end the case, for example failed requests. It appears in the table. */
  problem(system: System, text: string): void;
  /** Reports how many cores other programs kept busy during a measurement. */
  others(cores: number): void;
}

/** Measures all systems in turn, several times (A B A B, not A A B B), so that a noisy moment affects each of them. */
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
