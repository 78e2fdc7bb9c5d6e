import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../support/probe.ts';
import { startNats, type TestServer } from '../support/servers.ts';

const manifest = new URL('../../deploy/k8s/overlays/production/nats.yaml', import.meta.url);

export interface Cluster {
  servers: readonly TestServer[];
  /** The addresses for clients, with the password, in the order of the servers. */
  urls: readonly string[];
  stop(): Promise<void>;
}

export interface ClusterOptions {
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
  const routes = await Promise.all([freePort(), freePort(), freePort()]);
  const started = await Promise.allSettled(
    routes.map((_, index) => startMember({ directory, routes, index, accounts })),
  );
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true });
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const urls = servers.map(({ url }) => `nats://tallyport:secret@${new URL(url).host}`);
  return { servers, urls, stop };
}

interface Member {
  directory: string;
  routes: readonly number[];
  index: number;
  accounts: number;
}

async function startMember({ directory, routes, index, accounts }: Member): Promise<TestServer> {
  const file = join(directory, `nats-${index}.conf`);
  const shipped = shippedConfiguration();
  const local = {
    $POD_NAME: `nats-${index}`,
    // These tests are about the cluster: their processes are no services.
    'include users.conf': users(accounts),
    'http: 8222': '',
    // The command line has the folder.
    'store_dir: /data, ': '',
    'listen: 0.0.0.0:6222': `listen: 127.0.0.1:${routes[index]}`,
    ...Object.fromEntries(routes.map((port, peer) => [`nats-${peer}.nats-peers:6222`, `127.0.0.1:${port}`])),
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
