import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../support/probe.ts';
import { type CuttableRelay, type LinkState, startCuttableRelay } from '../support/cuttable-relay.ts';
import { startNats, type TestServer } from '../support/servers.ts';

const manifest = new URL('../../deploy/k8s/overlays/production/nats.yaml', import.meta.url);

export interface Cluster {
  servers: readonly TestServer[];
  /** The addresses for clients, with the password, in the order of the servers. */
  urls: readonly string[];
  /** Sets the links between one server and the others; clients keep their connections. */
  link(server: number, state: LinkState): void;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** Accounts in place of the one of `urls`. Each has its own JetStream, and so its own journal. */
  accounts?: number;
}

/** The addresses for clients of an account; they begin with that of the server at this index. */
export function accountUrl({ servers }: Cluster, account: number, server: number): string {
  const from = server % servers.length;
  const inOrder = [...servers.slice(from), ...servers.slice(0, from)];
  return inOrder.map(({ url }) => `nats://user-${account}:secret@${new URL(url).host}`).join();
}

/** Three NATS servers with the configuration of the production overlay, on free ports. */
export async function startCluster({ accounts = 0 }: ClusterOptions = {}): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-cluster-'));
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  // Each server reaches each other one through a relay of its own.
  const relays = await Promise.all(ports.map(() => Promise.all(ports.map((port) => startCuttableRelay(port)))));
  const started = await Promise.allSettled(
    ports.map((_, index) => startMember({ directory, ports, relays, index, accounts })),
  );
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const link: Cluster['link'] = (server, state) =>
    relays.forEach((row, from) =>
      row.forEach((relay, to) => (from === server) !== (to === server) && relay.set(state)),
    );
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(relays.flat().map((relay) => relay.close()));
    await rm(directory, { recursive: true });
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const urls = servers.map(({ url }) => `nats://tallyport:secret@${new URL(url).host}`);
  return { servers, urls, link, stop };
}

interface Member {
  directory: string;
  ports: readonly number[];
  relays: readonly (readonly CuttableRelay[])[];
  index: number;
  accounts: number;
}

async function startMember({ directory, ports, relays, index, accounts }: Member): Promise<TestServer> {
  const file = join(directory, `nats-${index}.conf`);
  const shipped = shippedConfiguration();
  const local = {
    $POD_NAME: `nats-${index}`,
    // These tests are about the cluster: their processes are no services.
    'include users.conf': users(accounts),
    'http: 8222': '',
    // The command line has the folder.
    'store_dir: /data, ': '',
    // The servers also send each other their addresses, and would use these instead of the relays.
    'listen: 0.0.0.0:6222': `listen: 127.0.0.1:${ports[index]}, advertise: "127.0.0.1:1"`,
    ...Object.fromEntries(
      ports.map((own, peer) => [
        `nats-${peer}.nats-peers:6222`,
        `127.0.0.1:${peer === index ? own : relays[index]?.[peer]?.port}`,
      ]),
    ),
  };
  await writeFile(file, Object.entries(local).reduce(replaceText, shipped));
  return startNats({ args: ['--config', file] });
}

function users(accounts: number): string {
  if (accounts === 0) return 'authorization { user: tallyport, password: secret }';
  const all = Array.from({ length: accounts }, (_, at) => [`account-${at}`, `user-${at}`] as const);
  const blocks = all.map(
    ([account, user]) => `${account} { jetstream: enabled, users: [{ user: ${user}, password: secret }] }`,
  );
  return `accounts { ${blocks.join('\n')} }`;
}

function replaceText(text: string, [from, to]: [string, string]): string {
  if (!text.includes(from)) throw new Error(`The configuration in nats.yaml no longer contains ${from}.`);
  return text.replaceAll(from, to);
}

function shippedConfiguration(): string {
  for (const document of parseAllDocuments(readFileSync(manifest, 'utf8'))) {
    const text: unknown = document.getIn(['data', 'nats.conf']);
    if (typeof text === 'string') return text;
  }
  throw new Error('nats.yaml has no ConfigMap with nats.conf.');
}
