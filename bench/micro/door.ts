import type { IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { createClient, inProcessLink, serve } from '../../packages/bus/src/index.ts';
import { authService, makeKey, service } from '../../packages/contracts/src/index.ts';
import { createKit, createMetrics, readConfig, silentLog } from '../../packages/service-kit/src/index.ts';
import { openStore } from '../../packages/store/src/index.ts';
import { edgeConfig } from '../../services/edge/src/config.ts';
import { type Door, openDoor, type EntryRequest } from '../../services/edge/src/door.ts';
import { median } from '../measure/stats.ts';

/**
 * CPU cost of edge's door for a request with a known key: authenticating it and counting it against its limits. Goal:
 * 15 µs for the authentication. A mistyped key is measured, too, because a flood consists mostly of these.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const entries = values.quick ? 20_000 : 100_000;
const rounds = values.quick ? 3 : 9;

const key = makeKey();
const link = inProcessLink();
const { authenticate } = authService.operations;
await serve(link, service(authService.name, { authenticate }), {
  authenticate: () => ({ caller: { principal: { accountId: 'account', keyId: 'key' }, limits: {} } }),
});
const store = await openStore();

const requestWith = (authorization: string): IncomingMessage =>
  ({ headers: { authorization }, socket: { remoteAddress: '192.0.2.1' } }) as unknown as IncomingMessage;

function doorWith(limits: Record<string, string>) {
  const config = readConfig(edgeConfig, { environment: { INTERNAL_SECRET: 'x'.repeat(32), ...limits } });
  const kit = createKit({ name: 'edge', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
  const publicUrl = () => new URL('http://127.0.0.1');
  return openDoor(kit, { auth: createClient(link, authService), store, publicUrl, secrets: { open: () => undefined } });
}

async function cost(one: () => Promise<void> | void): Promise<number> {
  const round = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let count = 0; count < entries; count += 1) await one();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / entries;
  };
  await round();
  const costs: number[] = [];
  for (let count = 0; count < rounds; count += 1) costs.push(await round());
  return median(costs);
}

const show = (label: string, microseconds: number): void =>
  console.log(`${label.padEnd(48)} ${microseconds.toFixed(2).padStart(6)}`);

const open = doorWith({ LIMIT_CHAT_PER_MINUTE: '0' });
const limited = doorWith({ LIMIT_CHAT_PER_MINUTE: '1000000000' });
const withConcurrency = doorWith({ LIMIT_CHAT_PER_MINUTE: '1000000000', LIMIT_CONCURRENT_REQUESTS: '1000000' });
const valid = requestWith(`Bearer ${key}`);
const mistyped = requestWith(`Bearer ${key.slice(0, -1)}!`);
const entry: EntryRequest = { request: valid, query: '', addHeaders: () => {}, onCaller: () => {} };
const route = { key: 'required', kind: 'chat' } as const;

console.log('the door of edge                                 µs of CPU per request');
show('nothing', await cost(() => {}));
show('a known key', await cost(async () => void (await open.caller(valid))));
const costOfEntering = (door: Door) => cost(async () => (await door.enter(entry, route))());
show('a known key with a rate limit', await costOfEntering(limited));
show('a known key with a rate and concurrency limit', await costOfEntering(withConcurrency));
show(
  'a mistyped key',
  await cost(async () => {
    try {
      await open.caller(mistyped);
    } catch {
      // The cost of the refusal is what is measured.
    }
  }),
);
await Promise.all([open, limited, withConcurrency].map((door) => door.close()));
await store.close();
await link.close();
