import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createTargets } from './targets.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listening(port = 0): Promise<{ address: string; port: number; server: Server }> {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return { address: `http://127.0.0.1:${bound}`, port: bound, server };
}

const gone = 'http://127.0.0.1:1';

describe('replicas', () => {
  test('take turns', async () => {
    const three = await Promise.all([listening(), listening(), listening()]);
    const addresses = three.map(({ address }) => address);
    const targets = createTargets(() => addresses);
    const asked = [await targets.next(), await targets.next(), await targets.next(), await targets.next()];
    expect(asked).toEqual([...addresses, addresses[0]]);
  });

  test('that are gone are passed over', async () => {
    const { address } = await listening();
    const targets = createTargets(() => [gone, address, gone]);
    for (let round = 0; round < 6; round++) expect(await targets.next()).toBe(address);
  });

  test('that failed are looked at again at once, and are back when they are back', async () => {
    const [first, second] = await Promise.all([listening(), listening()]);
    const targets = createTargets(() => [first.address, second.address]);
    expect([await targets.next(), await targets.next()]).toEqual([first.address, second.address]);
    first.server.close();
    targets.suspect(first.address);
    expect([await targets.next(), await targets.next()]).toEqual([second.address, second.address]);
    await listening(first.port);
    expect(await targets.next()).toBe(first.address);
  });

  test('that are all gone are asked all the same, so that the request says so', async () => {
    const targets = createTargets(() => [gone, 'http://127.0.0.1:2']);
    expect(await targets.next()).toBe(gone);
  });

  test('one alone is not looked at first', async () => {
    const targets = createTargets(
      () => [gone],
      () => Promise.reject(new Error('It was looked at.')),
    );
    expect(await targets.next()).toBe(gone);
  });
});
