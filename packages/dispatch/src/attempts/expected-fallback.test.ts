import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';

const completion = JSON.stringify({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }],
});

interface Vendor {
  server: Server;
  url: string;
  connections: number;
  requests: number;
}

let vendors: Vendor[];
let bench: DispatchBench;

async function startVendor(): Promise<Vendor> {
  const server = createServer((_request, response) => {
    vendor.requests += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion);
  });
  server.on('connection', () => void (vendor.connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const vendor = { server, url, connections: 0, requests: 0 };
  return vendor;
}

beforeEach(async () => {
  vendors = [await startVendor(), await startVendor()];
  const urls = new Map(['GROQ', 'MISTRAL'].map((stem, at) => [stem, vendors[at]?.url]));
  bench = await startDispatchBench({
    providers: ['groq', 'mistral'],
    access: (stem) => ({ keys: ['key'], baseUrl: urls.get(stem) }),
  });
});

afterEach(async () => {
  await bench.close();
  for (const { server } of vendors) server.close().closeAllConnections();
});

const counts = () => vendors.map(({ connections, requests }) => ({ connections, requests }));

test('the next provider of a plan gets one connection and no request', async () => {
  for (const _ of [1, 2, 3]) await bench.dispatch.complete(bench.job());
  await expect.poll(() => vendors[1]?.connections).toBe(1);
  expect(counts()[1]).toEqual({ connections: 1, requests: 0 });
});

test('a provider that may not be tried gets no connection', async () => {
  for (const _ of [1, 2, 3]) await bench.dispatch.complete(bench.job({ fallback: 'never' }));
  // A connection that was begun would arrive before the one of this request.
  await fetch(vendors[1]?.url ?? '');
  expect(counts()[1]).toEqual({ connections: 1, requests: 1 });
});

test('the failure of the first provider costs no handshake with the next one', async () => {
  await bench.dispatch.complete(bench.job());
  await expect.poll(() => vendors[1]?.connections).toBe(1);
  // A connection is free again one turn after its answer was read.
  await new Promise((later) => setImmediate(later));
  const [first] = vendors;
  first?.server.removeAllListeners('request').on('request', (_request, response) => response.writeHead(503).end());
  await bench.dispatch.complete(bench.job());
  expect(bench.outcomes.map(({ routes }) => routes.map(({ connections }) => connections))).toEqual([
    [['new']],
    [['warm'], ['warm']],
  ]);
});
