import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { natsLink } from '@tallyport/bus/nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/probe.ts';
import { startNats, type TestServer } from '../support/servers.ts';
import { type Certificates, makeCertificates } from './certificates.ts';

let certificates: Certificates;
let servers: readonly TestServer[];

beforeAll(async () => {
  certificates = await makeCertificates();
  const { certificate, key, authority } = certificates;
  const routes = await Promise.all([freePort(), freePort(), freePort()]);
  const peers = routes.map((port) => `nats://127.0.0.1:${port}`);
  const start = (peer: string, index: number) => {
    const cluster = ['--name', `nats-${index}`, '--cluster_name', 'test', '--cluster', peer];
    const tls = ['--tls', '--tlscert', certificate, '--tlskey', key];
    return startNats({ args: [...cluster, '--routes', peers.join(','), ...tls] });
  };
  servers = await Promise.all(peers.map(start));
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, await readFile(authority, 'utf8')]);
  return () => setDefaultCACertificates(before);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await certificates.remove();
});

test('a cluster of three servers with TLS is used by way of the server that is left', async () => {
  const url = servers.map((server) => server.url.replace('nats://127.0.0.1', 'tls://localhost')).join(',');
  const events: string[] = [];
  const link = await natsLink({ url, name: 'test', onTrouble: (event) => events.push(event) });
  onTestFinished(() => link.close());
  expect(link.connected()).toBe(true);
  await servers[0]?.kill();
  await servers[1]?.kill();
  await expect.poll(() => link.connected()).toBe(true);
  // Whichever server it used first, at most one is left.
  await servers[2]?.kill();
  await expect.poll(() => link.connected()).toBe(false);
  await servers[1]?.restart();
  await expect.poll(() => link.connected()).toBe(true);
  expect(events).toContain('reconnected');
});
