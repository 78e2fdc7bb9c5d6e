import type { Link, Listener } from '@tallyport/bus';
import { type LinkTrouble, natsLink } from '@tallyport/bus/nats';
import { type ProcessName, services, type Use, uses } from '@tallyport/contracts';
import { startCuttableRelay } from '../support/cuttable-relay.ts';
import type { Cluster } from './cluster.ts';

/** One process of a gateway on a cluster: its link, and for a service a handler for each operation. */
export interface ClusterProcess {
  name: ProcessName;
  link: Link;
  troubles: readonly LinkTrouble[];
  close(): Promise<void>;
}

/** Opens a link that may use all servers of the cluster, connected to one of them. */
export async function openProcess(cluster: Cluster, name: ProcessName, at: number): Promise<ClusterProcess> {
  const ports = cluster.urls.map((url) => Number(new URL(url).port));
  // At the start, only the way to one server is open.
  const doors = await Promise.all(
    ports.map((port, index) => startCuttableRelay(port, index === at ? 'open' : 'closed')),
  );
  const url = doors.map(({ port }) => `nats://tallyport:secret@127.0.0.1:${port}`).join(',');
  const troubles: LinkTrouble[] = [];
  const link = await natsLink({ url, name, journal: { replicas: 3 }, onTrouble: (event) => troubles.push(event) });
  const listener = await listen(link, name);
  for (const door of doors) door.set('open');
  return {
    name,
    link,
    troubles,
    async close() {
      await listener?.drain(0);
      await link.close();
      await Promise.all(doors.map((door) => door.close()));
    },
  };
}

async function listen(link: Link, name: ProcessName): Promise<Listener | undefined> {
  const { serves }: Use = uses[name];
  const contract = services.find((service) => service.name === serves);
  if (!contract) return undefined;
  const answer = () => Promise.resolve({ head: { status: 200, headers: {} }, body: Buffer.from(name) });
  const asked = Object.entries(contract.operations).filter(([, { kind }]) => kind === 'call' || kind === 'exchange');
  const handlers = Object.fromEntries(asked.map(([operation]) => [operation, answer]));
  return link.listen({ service: contract.name, version: '1.0.0', handlers });
}
