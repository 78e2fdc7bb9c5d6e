import { startFloor } from './floor/floor.ts';
import { startGateway } from './gateway/gateway.ts';
import { startOneProcessGateway } from './gateway/one-process.ts';
import type { Generator } from './load/generator.ts';
import { startGenerator } from './load/generator.ts';
import type { Options } from './options.ts';
import { startPeer } from './peer/peer.ts';
import type { Undo } from './support/undo.ts';
import type { System } from './system.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';
import { startUpstream } from './upstream/upstream.ts';
import { warmUp } from './warm-up.ts';

/** All processes of a run. `stop` ends them. */
export interface TestBed {
  upstream: UpstreamProcess;
  generator: Generator;
  systems: readonly System[];
  stop(): Promise<void>;
}

/**
 * Starts all processes and warms them up, so that the code is compiled before the first measurement. Each started
 * process is registered with `undo`, also when a later one fails to start.
 */
export async function openTestBed(options: Options, undo: Undo): Promise<TestBed> {
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
  const testBed = { upstream, generator, systems, stop: undo.all };
  for (const system of systems) await warmUp(testBed, system, options.quick);
  return testBed;
}

function startSystem(name: System['name'], upstreamPort: number, options: Options): Promise<System> {
  switch (name) {
    case 'direct':
      return Promise.resolve(direct(upstreamPort));
    case 'floor':
      return startFloor(upstreamPort);
    case 'gateway':
    case 'compact':
      return startGateway(upstreamPort, options, { name });
    case 'one process':
      return startOneProcessGateway(upstreamPort, options);
    case 'peer':
      return startPeer(upstreamPort);
    default:
      return name satisfies never;
  }
}

/** No gateway: the load generator calls the upstream directly. */
function direct(port: number): System {
  return {
    name: 'direct',
    port,
    model: 'gpt-6-luna',
    headers: {},
    pids: {},
    besidePids: {},
    stop: () => Promise.resolve(),
  };
}
