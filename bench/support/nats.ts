import { nats } from '../../tests/support/nats.ts';
import { startProcessServer } from '../../tests/support/process-server.ts';
import { findPrograms } from '../../tests/support/programs.ts';
import { startNats } from '../../tests/support/servers.ts';

export interface BusServer {
  url: string;
  /** What it costs can be read of a process, not of a container; then it counts for nobody. */
  pids: { nats?: number };
  stop(): Promise<void>;
}

/** A nats-server of one system's own, so that its cost is counted apart. A program is preferred to a container. */
export async function startBusServer(): Promise<BusServer> {
  const programs = await findPrograms(nats.programs);
  const server = programs ? await startProcessServer(nats, programs) : await startNats();
  return { url: server.url, pids: server.pid === undefined ? {} : { nats: server.pid }, stop: server.stop };
}
