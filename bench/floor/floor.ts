import type { Child } from '../support/child.ts';
import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';
import { startBusServer } from '../support/nats.ts';
import type { System } from '../system.ts';

const ready = messageOf<'ready', { kind: 'ready'; port: number }>('ready');

/**
 * The baseline cost of this architecture: node:http, the bus, undici's dispatch. The rest is the cost of the gateway's
 * features.
 */
export async function startFloor(upstreamPort: number): Promise<System> {
  const nats = await startBusServer();
  const children: Child[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()));
    await nats.stop();
  };
  try {
    const worker = startChild(new URL('./worker.ts', import.meta.url), {
      arguments: [nats.url, `http://127.0.0.1:${upstreamPort}`],
    });
    children.push(worker);
    await worker.receive(ready, 5_000);
    const edge = startChild(new URL('./edge.ts', import.meta.url), { arguments: [nats.url] });
    children.push(edge);
    const { port } = await edge.receive(ready, 5_000);
    const pids = { edge: edge.pid, worker: worker.pid, ...nats.pids };
    return { name: 'floor', port, model: 'gpt-6-luna', headers: {}, pids, besidePids: {}, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
