import { nats } from '../../tests/support/nats.ts';
import { startProcessServer } from '../../tests/support/process-server.ts';
import { findPrograms } from '../../tests/support/programs.ts';
import { startNats } from '../../tests/support/servers.ts';

interface BusServer {
  url: string;
  /** Empty for a container, whose CPU time cannot be measured. */
  pids: { nats?: number };
  stop(): Promise<void>;
}

/** Starts a nats-server for one system, so that its cost is measured separately. Prefers a program to a container. */
export async function startBusServer(): Promise<BusServer> {
  const programs = await findPrograms(nats.programs);
  const server = programs ? await startProcessServer(nats, programs) : await startNats();
  return { url: server.url, pids: server.pid === undefined ? {} : { nats: server.pid }, stop: server.stop };
}
