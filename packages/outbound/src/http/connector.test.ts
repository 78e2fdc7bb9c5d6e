import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createCachedLookup, type Lookup } from '../names/cached-lookup.ts';
import { createConnector } from './connector.ts';
import { openUpstream } from './open.ts';
import { OriginPool } from './origin-pool.ts';
import { createRoundTrip } from './round-trip.ts';
import { readAll } from './read-all.ts';

const servers: Server[] = [];
const opened: OriginPool[] = [];

afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const here: LookupAddress = { address: '127.0.0.1', family: 4 };
/** No server listens here. */
const dead: LookupAddress = { address: '127.0.0.2', family: 4 };
const deadToo: LookupAddress = { address: '::1', family: 6 };

async function start(port: number, host: string, text: string): Promise<number> {
  const listener: RequestListener = (_request, response) =>
    void response.writeHead(200, { connection: 'close' }).end(text);
  const server = createServer(listener).listen(port, host);
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Requests a name whose addresses are what `find` returns. Every request has a new connection. */
function vendorAt(port: number, find: () => LookupAddress[]) {
  let lookups = 0;
  const lookup: Lookup = (_hostname, _options, callback) => {
    lookups += 1;
    callback(null, find());
  };
  const names = createCachedLookup({ lookup, lifetimeOf: async () => 60 });
  const roundTrip = createRoundTrip();
  const origin = `http://vendor.test:${port}`;
  const pool = new OriginPool(origin, { connect: createConnector({ timeoutMs: 2_000, names, roundTrip }), roundTrip });
  opened.push(pool);
  return {
    lookups: () => lookups,
    async ask(): Promise<string> {
      const request = { origin, path: '/', method: 'GET', headers: {}, body: '' } as const;
      const call = openUpstream({ get: () => pool, close: async () => undefined }, request, { maxBytes: 100 });
      await call.head();
      return (await readAll(call)).toString();
    },
  };
}

test('looks a name up once for several connections', async () => {
  const vendor = vendorAt(await start(0, here.address, 'x'), () => [here]);
  for (const _ of [1, 2, 3]) expect(await vendor.ask()).toBe('x');
  expect(vendor.lookups()).toBe(1);
});

test.each([
  ['the first one refuses', [dead, here]],
  ['the one of the other family refuses', [deadToo, here]],
  ['all but the last refuse', [deadToo, dead, here]],
])('tries the addresses of a name until one connects: %s', async (_name, addresses) => {
  const vendor = vendorAt(await start(0, here.address, 'x'), () => addresses);
  expect(await vendor.ask()).toBe('x');
});

test('a name that has moved is looked up again as soon as its old address refuses', async () => {
  const port = await start(0, here.address, 'old');
  let address = here;
  const vendor = vendorAt(port, () => [address]);
  expect(await vendor.ask()).toBe('old');
  const [old] = servers.splice(0);
  old?.close().closeAllConnections();
  await start(port, dead.address, 'new');
  address = dead;
  expect(await vendor.ask()).toBe('new');
  expect(vendor.lookups()).toBe(2);
});

test('an address that was just found and refuses is not looked up again', async () => {
  const port = await start(0, here.address, 'x');
  const vendor = vendorAt(port, () => [dead]);
  await expect(vendor.ask()).rejects.toMatchObject({ kind: 'connection' });
  expect(vendor.lookups()).toBe(1);
});
