import { chmod, chown, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { redisCommand } from '../../packages/store/src/testing/redis-command.ts';
import { startSentinelWith } from '../../packages/store/src/testing/sentinel.ts';
import { freePort } from '../support/probe.ts';
import { startNats, startPostgres, startRedis, type TestServer } from '../support/servers.ts';
import { unprivilegedUser } from '../support/unprivileged-user.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { connecting } from './connecting.ts';

let ours: Certificates;
let strange: Certificates;
let nats: TestServer;
let postgres: TestServer;
let redis: TestServer;

beforeAll(async () => {
  [ours, strange] = await Promise.all([makeCertificates(), makeCertificates()]);
  const { certificate, key } = ours;
  nats = await startNats({ args: ['--tls', '--tlscert', certificate, '--tlskey', key] });
  const files = ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${await keyOfPostgres(ours)}`];
  postgres = await startPostgres({ args: files.flatMap((setting) => ['-c', setting]) });
  redis = await startTlsRedis(ours);
});
afterAll(async () => {
  await Promise.all([nats.stop(), postgres.stop(), redis.stop(), ours.remove(), strange.remove()]);
});

/** Postgres reads only a key that no other user can read. */
async function keyOfPostgres({ directory, key }: Certificates): Promise<string> {
  const path = join(directory, 'postgres.pem');
  await chmod(directory, 0o755);
  await copyFile(key, path);
  const user = await unprivilegedUser();
  if (user) await chown(path, user.uid, user.gid);
  await chmod(path, 0o600);
  return path;
}

/** Serves TLS beside the plain port by which the tests find out that it has started. */
async function startTlsRedis(certificates: Certificates): Promise<TestServer> {
  const port = await freePort();
  const server = await startRedis({
    args: tlsSettings(certificates, port).flatMap(([name, value]) => [`--${name}`, value]),
  });
  return Object.defineProperty(server, 'url', { value: `rediss://localhost:${port}` });
}

const tlsSettings = ({ certificate, key, authority }: Certificates, port: number): [name: string, value: string][] => [
  ['tls-port', String(port)],
  ['tls-auth-clients', 'no'],
  ['tls-cert-file', certificate],
  ['tls-key-file', key],
  ['tls-ca-cert-file', authority],
];

/** A Sentinel and the address at which it offers TLS. */
async function startTlsSentinel(primaryPort: string): Promise<{ server: TestServer; host: string }> {
  const port = await freePort();
  const names = ['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes', 'tls-replication yes'];
  const settings = tlsSettings(ours, port).map((setting) => setting.join(' '));
  const monitor = `sentinel monitor primary localhost ${primaryPort} 1`;
  return { server: await startSentinelWith([...settings, ...names, monitor]), host: `localhost:${port}` };
}

/** A node with all slots, which is known by its host name, and its TLS address. */
async function startTlsNode(): Promise<{ server: TestServer; host: string }> {
  const port = await freePort();
  const names = ['--cluster-announce-hostname', 'localhost', '--cluster-preferred-endpoint-type', 'hostname'];
  const settings = tlsSettings(ours, port).flatMap(([name, value]) => [`--${name}`, value]);
  const bus = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(await freePort())];
  const server = await startRedis({ args: [...settings, ...bus, ...names] });
  await redisCommand(server.url, ['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  return { server, host: `localhost:${port}` };
}

const named = (url: string, host: string): string => url.replace(/127\.0\.0\.1|localhost/, host);

describe('Redis with TLS', () => {
  test('is used if its authority is trusted', async () => {
    expect(await connecting('redis', redis.url, ours.authority)).toEqual({ connected: true });
  });

  test('is used where its Sentinels name it', async () => {
    const { server, host } = await startTlsSentinel(new URL(redis.url).port);
    onTestFinished(() => server.stop());
    const url = `rediss+sentinel://${host}/primary`;
    expect(await connecting('redis', url, ours.authority)).toEqual({ connected: true });
    expect(await connecting('redis', url, strange.authority)).toMatchObject({ connected: false });
  });

  test('is used as a cluster', async () => {
    const { server, host } = await startTlsNode();
    onTestFinished(() => server.stop());
    const url = `rediss+cluster://${host}`;
    expect(await connecting('redis', url, ours.authority)).toEqual({ connected: true });
    expect(await connecting('redis', url, strange.authority)).toMatchObject({ connected: false });
  });

  test.each([
    ['of another authority', () => [redis.url, strange.authority]],
    ['for another name', () => [named(redis.url, '127.0.0.1'), ours.authority]],
  ])('is away with a certificate %s, and the reason says what to set', async (_what, given) => {
    const [url = '', authority] = given();
    expect(await connecting('redis', url, authority)).toEqual({
      connected: false,
      error: 'certificate cannot be verified: see NODE_EXTRA_CA_CERTS',
    });
  });
});

describe('Postgres with TLS', () => {
  const url = (settings: string, host = 'localhost') => `${named(postgres.url, host)}?${settings}`;

  test('is used with sslmode=verify-full if its authority is trusted', async () => {
    expect(await connecting('postgres', url('sslmode=verify-full'), ours.authority)).toEqual({ connected: true });
    const own = `sslmode=verify-full&sslrootcert=${ours.authority}`;
    expect(await connecting('postgres', url(own))).toEqual({ connected: true });
  });

  test('is away with a certificate of another authority or for another name', async () => {
    expect(await connecting('postgres', url('sslmode=verify-full'), strange.authority)).toEqual({
      connected: false,
      error: expect.stringMatching(/certificate/),
    });
    expect(await connecting('postgres', url('sslmode=verify-full', '127.0.0.1'), ours.authority)).toEqual({
      connected: false,
      error: expect.stringMatching(/does not match certificate/),
    });
  });
});

describe('NATS with TLS', () => {
  const url = (scheme: string, host = 'localhost') => named(nats.url, host).replace('nats:', `${scheme}:`);

  test.each(['tls', 'nats'])('is used with %s:// if its authority is trusted', async (scheme) => {
    expect(await connecting('nats', url(scheme), ours.authority)).toEqual({ connected: true });
  });

  test('is refused with a certificate of another authority or for another name', async () => {
    const refused = { refused: 'Error: The certificate of the NATS server cannot be verified.' };
    expect(await connecting('nats', url('tls'), strange.authority)).toEqual(refused);
    expect(await connecting('nats', url('tls', '127.0.0.1'), ours.authority)).toEqual(refused);
  });

  test('is refused without TLS if the URL asks for it', async () => {
    const plain = await startNats();
    expect(await connecting('nats', named(plain.url, 'localhost').replace('nats:', 'tls:'))).toEqual({
      refused: 'Error: The NATS server offers no TLS.',
    });
    await plain.stop();
  });
});
