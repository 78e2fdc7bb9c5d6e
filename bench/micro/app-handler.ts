import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import express from 'express';
import { type ByteStream, inProcessLink, serve } from '../../packages/bus/src/index.ts';
import { exchange, service } from '../../packages/contracts/src/index.ts';
import { appHandler } from '../../packages/http-exchange/src/index.ts';
import { median } from '../measure/stats.ts';

/**
 * CPU cost of an express route with a small JSON body each way: through the handler of exchanges alone, over the
 * in-process bus, and for comparison over an HTTP connection that stays open. Client and server are in this process.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const requests = values.quick ? 2_000 : 10_000;
const rounds = values.quick ? 3 : 9;

const app = express();
app.disable('x-powered-by').disable('etag').set('trust proxy', true);
app.post('/things', express.json(), ({ body, ip }, response) => void response.json({ name: body.name, ip }));

const body = Buffer.from(JSON.stringify({ name: 'a name of some length '.repeat(5) }));
const headers = {
  host: 'gateway.example',
  authorization: 'Bearer a-key-of-the-bench-with-some-length',
  'content-type': 'application/json',
  'content-length': String(body.length),
  'user-agent': 'bench',
};
const http = { method: 'POST', url: '/things', address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
const head = { requestId: 'req_1', timeoutMs: 10_000, http, headers };

const handler = appHandler(app);
const link = inProcessLink();
await serve(link, service('things', { serve: exchange() }), { serve: handler });
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const agent = new Agent({ keepAlive: true });

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield body;
}

async function byHandler(): Promise<void> {
  const { signal } = new AbortController();
  const answer = await handler({ head, body: pieces() as unknown as ByteStream, signal });
  for await (const _piece of answer.body as AsyncIterable<Uint8Array>);
}

async function byBus(): Promise<void> {
  await (await link.open('tp.s.things.serve', { head, body })).body.bytes();
}

async function byHttp(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/things', headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const _piece of answer);
}

async function cost(one: () => Promise<void>): Promise<number> {
  const round = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let count = 0; count < requests; count += 1) await one();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / requests;
  };
  await round();
  const costs: number[] = [];
  for (let count = 0; count < rounds; count += 1) costs.push(await round());
  return median(costs);
}

const show = (label: string, microseconds: number): void =>
  console.log(`${label.padEnd(48)} ${microseconds.toFixed(1).padStart(6)}`);

console.log('an express route with a small JSON body          µs of CPU per request');
show('by the handler of exchanges', await cost(byHandler));
show('the same over the in-process bus', await cost(byBus));
show('over an open HTTP connection', await cost(byHttp));
agent.destroy();
server.close();
await link.close();
