import { processNames } from '@tallyport/bus';
import type { ProcessName } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type ClusterProcess, openProcess } from './cluster-process.ts';

/** What edge asks: an operation of each service. */
const operations = ['auth.authenticate', 'catalog.listModels', 'chat.complete', 'image.generate', 'mcp.serve'];

/** All processes of a gateway, reduced to their links, on a cluster of three NATS servers for the tests of a file. */
export function clusterGateway() {
  let cluster: Cluster;
  let processes: readonly ClusterProcess[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterEach(async () => {
    await Promise.all(processes.map((process) => process.close()));
    for (const server of [0, 1, 2]) cluster.link(server, 'open');
  });
  afterAll(() => cluster?.stop());

  const find = (wanted: ProcessName): ClusterProcess => {
    const found = processes.find(({ name }) => name === wanted);
    if (!found) throw new Error(`${wanted} is not open.`);
    return found;
  };
  const edge = (): ClusterProcess => find('edge');
  const isServed = async (): Promise<boolean> =>
    (await Promise.all(operations.map((operation) => ask(edge(), operation)))).every(Boolean);

  return {
    cluster: () => cluster,
    processes: () => processes,
    find,
    edge,
    isReady,
    hearsAll,
    /** Whether edge gets an answer from each service. */
    isServed,
    /** Opens all processes, each at its server, and waits until all of them are served. */
    async openAll(at: (name: ProcessName) => number): Promise<void> {
      await waitUntil('the cluster to be whole', () => isWhole(cluster), { everyMs: 100 });
      processes = await Promise.all(processNames.map((name) => openProcess(cluster, name, at(name))));
      const allServed = async () => processes.every(hearsAll) && (await isServed());
      await waitUntil('all processes to be served', allServed);
    },
    async add(name: ProcessName, at: number): Promise<void> {
      processes = [...processes, await openProcess(cluster, name, at)];
    },
    async remove(removed: ProcessName): Promise<void> {
      await find(removed).close();
      processes = processes.filter(({ name }) => name !== removed);
    },
  };
}

/** As `/readyz` reports it. */
const isReady = ({ link }: ClusterProcess): boolean =>
  link.connected() && link.unheard().every(({ isAway, isOptional }) => isAway || isOptional);

const hearsAll = ({ link }: ClusterProcess): boolean => link.connected() && missedBy(link).length === 0;

/** What a process misses of those that are here. */
const missedBy = (link: ClusterProcess['link']) =>
  link.unheard().filter(({ name }) => processNames.some((each) => each === name));

const ask = ({ link }: ClusterProcess, operation: string): Promise<boolean> =>
  link
    .open(`tp.s.${operation}`, {
      head: { requestId: 'r', timeoutMs: 5_000, headers: {} },
      body: Buffer.from('{}'),
    })
    .then(({ body }) => body.bytes())
    .then(() => true, () => false); // prettier-ignore

/** Whether a message gets from each server to each other one. */
async function isWhole(cluster: Cluster): Promise<boolean> {
  const probes = await Promise.all([0, 1, 2].map((at) => openProcess(cluster, 'edge', at)));
  const heard = new Set<string>();
  for (const [to, { link }] of probes.entries())
    link.subscribe('tp.s.auth.accountChanged', (payload) => heard.add(`${String(payload)} at ${to}`));
  const isHeard = () => {
    for (const [from, { link }] of probes.entries()) link.notify('tp.s.auth.accountChanged', Buffer.from(`${from}`));
    return heard.size === 9;
  };
  return waitUntil('messages', isHeard, { deadlineMs: 500 })
    .then(
      () => true,
      () => false,
    ) // prettier-ignore
    .finally(() => Promise.all(probes.map((probe) => probe.close())));
}
