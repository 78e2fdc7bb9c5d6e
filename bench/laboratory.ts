import { startFloor } from './floor/floor.ts';
import { startGateway } from './gateway/gateway.ts';
import type { Generator } from './load/generator.ts';
import { startGenerator } from './load/generator.ts';
import type { Options } from './options.ts';
import type { Undo } from './support/undo.ts';
import type { System } from './system.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';
import { startUpstream } from './upstream/upstream.ts';
import { warmUp } from './warm-up.ts';

/** Every process of a run. Whatever of it is started is ended by `stop`, also when starting failed half-way. */
export interface Laboratory {
  upstream: UpstreamProcess;
  generator: Generator;
  systems: readonly System[];
  stop(): Promise<void>;
}

/** Starts everything anew, warmed up: compilers have seen every path before the first figure is taken. */
export async function openLaboratory(options: Options, undo: Undo): Promise<Laboratory> {
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  const generator = await startGenerator();
  undo.add(generator.stop);
  const systems: System[] = [];
  for (const name of options.systems) {
    const system = await startSystem(name, upstream.port, options);
    undo.add(system.stop);
    systems.push(system);
  }
  const laboratory = { upstream, generator, systems, stop: undo.all };
  for (const system of systems) await warmUp(laboratory, system);
  return laboratory;
}

function startSystem(name: System['name'], upstreamPort: number, options: Options): Promise<System> {
  switch (name) {
    case 'direct':
      return Promise.resolve(direct(upstreamPort));
    case 'floor':
      return startFloor(upstreamPort);
    case 'gateway':
      return startGateway(upstreamPort, options);
    default:
      return name satisfies never;
  }
}

/** No gateway at all: what the upstream, the load generator and the machine do by themselves. */
function direct(port: number): System {
  return {
    name: 'direct',
    port,
    model: 'gpt-4o-mini',
    headers: {},
    pids: {},
    besidePids: {},
    stop: () => Promise.resolve(),
  };
}
