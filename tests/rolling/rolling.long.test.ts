import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceNames, type ServiceName } from '../../scripts/distributed/settings.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { createTestDatabase } from '../../packages/database/src/testing/index.ts';
import { waitUntil } from '../support/probe.ts';
import { startNats, startRedis, type TestServer } from '../support/servers.ts';
import { partOf, wholly } from '../support/scale.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { terminate } from './terminate.ts';
import { startTraffic } from './traffic.ts';

// Long: it replaces every replica under load.
// About: packages/service-kit/src/life, packages/bus/src.

// Like deploy/k8s, scaled down: streams of 12 s instead of 20 minutes, preStop of 1 s instead of 8 s.
// The words of a stream are few, because most of the processor time is spent on them.
const streams = wholly ? 500 : 60;
const words = 24;
const wordsPerSecond = 2;
const everyMs = wholly ? 250 : 500;
const graceMs = 30_000;

const behindBalancers = ['edge', 'console-svc'] as const;

let balancers: Record<(typeof behindBalancers)[number], Balancer>;
let running: Distributed;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let servers: TestServer[] = [];
const deaths: string[] = [];

const noLimits = Object.fromEntries(
  ['CHAT_PER_MINUTE', 'IMAGES_PER_MINUTE', 'MODELS_PER_MINUTE', 'MCP_PER_MINUTE', 'CONCURRENT_REQUESTS'].map(
    (limit) => [`LIMIT_${limit}`, '0'],
  ),
);

const balancerOf = (service: ServiceName): Balancer | undefined =>
  Object.entries(balancers).find(([name]) => name === service)?.[1];

beforeAll(async () => {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  servers = [nats, redis];
  const [edge, dashboard] = await Promise.all([startBalancer(), startBalancer()]);
  balancers = { edge, 'console-svc': dashboard };
  database = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '');
  const twice = Object.fromEntries(serviceNames.map((service) => [service, 2]));
  running = await startDistributed({
    servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: database.url },
    replicas: twice,
    sandboxArgs: ['--chunks-per-second', String(wordsPerSecond)],
    environment: { SHUTDOWN_TIMEOUT_MS: String(graceMs - 2_000), ...noLimits },
    serviceEnvironment: {
      edge: { CONSOLE_URL: dashboard.url, BASE_URL: edge.url },
    },
    onDeath: (name, how) => deaths.push(`${name} ${how}`),
  });
  for (const service of behindBalancers)
    running.replicas(service).forEach((replica) => balancers[service].add(replica));
  await waitUntil('the balancers to know all', () =>
    Object.values(balancers).every((balancer) => balancer.ready() === 2),
  );
});
afterAll(async () => {
  await running?.stop();
  Object.values(balancers ?? {}).forEach((balancer) => balancer.close());
  await database?.drop();
  await Promise.all(servers.map((server) => server.stop()));
});

test(`replaces every service during ${streams} live streams without a client error`, async () => {
  const traffic = startTraffic({ url: balancers.edge.url, apiKey: running.apiKey }, { streams, words, everyMs });
  await expect.poll(() => Object.keys(traffic.counts).length).toBeGreaterThanOrEqual(12);
  await expect.poll(() => traffic.openStreams()).toBe(streams);

  const ended: Promise<string>[] = [];
  for (const service of serviceNames.toReversed()) {
    const replaced = partOf(running.replicas(service), { one: 2 });
    for (const replica of replaced) {
      const next = await running.add(service);
      balancerOf(service)?.add(next);
      ended.push(terminate(running, { program: service, replica, balancer: balancerOf(service), graceMs }));
    }
  }
  const endings = await Promise.all(ended);
  await traffic.stop();

  expect(traffic.failures).toEqual([]);
  expect(endings).toEqual(endings.map(() => 'ended with exit code 0'));
  expect(deaths).toEqual([]);
  expect(traffic.counts.stream).toBeGreaterThanOrEqual(streams);
});
