import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createTargets, type ProxyTargets } from './targets.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listening(port = 0): Promise<{ address: string; port: number; server: Server }> {
  const server = createServer((_request, response) => response.end());
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return { address: `http://127.0.0.1:${bound}`, port: bound, server };
}

const gone = 'http://127.0.0.1:1';
const targetsOf = (...addresses: string[]): ProxyTargets =>
  createTargets({ addresses: () => addresses, checkPath: '/' });

describe('replicas', () => {
  test('take turns in order', async () => {
    const three = await Promise.all([listening(), listening(), listening()]);
    const addresses = three.map(({ address }) => address);
    const targets = targetsOf(...addresses);
    const chosen = [await targets.next(), await targets.next(), await targets.next(), await targets.next()];
    expect(chosen).toEqual([...addresses, addresses[0]]);
  });

  test('skip the ones that are gone', async () => {
    const { address } = await listening();
    const targets = targetsOf(gone, address, gone);
    for (let round = 0; round < 6; round++) expect(await targets.next()).toBe(address);
  });

  test('are checked at once after a failure, and used again when they recover', async () => {
    const [first, second] = await Promise.all([listening(), listening()]);
    const targets = targetsOf(first.address, second.address);
    expect([await targets.next(), await targets.next()]).toEqual([first.address, second.address]);
    first.server.close();
    targets.suspect(first.address);
    expect([await targets.next(), await targets.next()]).toEqual([second.address, second.address]);
    await listening(first.port);
    expect(await targets.next()).toBe(first.address);
  });

  test('try one even if all are gone, so that the request fails with the reason', async () => {
    const targets = targetsOf(gone, 'http://127.0.0.1:2');
    expect(await targets.next()).toBe(gone);
  });

  test('does not check a single replica first', async () => {
    const targets = createTargets({
      addresses: () => [gone],
      checkPath: '/',
      checkReplica: () => Promise.reject(new Error('It was checked.')),
    });
    expect(await targets.next()).toBe(gone);
  });
});
