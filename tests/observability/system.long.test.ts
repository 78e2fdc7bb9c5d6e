import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { autoscalerMetrics, metricsIn, panelQueries, rules } from './files.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { makeTraffic } from './traffic.ts';

// Long: it runs every service beside a real Prometheus.
// About: deploy/observability, packages/service-kit/src/metrics.

let running: Distributed;
let servers: GatewayServers;
let prometheus: Prometheus;
let folder: string;

beforeAll(async () => {
  servers = await startGatewayServers();
  folder = await mkdtemp(join(tmpdir(), 'tallyport-files-'));
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'chat-svc': 2, 'batch-svc': 1 },
    environment: {
      FILES_DIR: folder,
      LIMIT_MCP_PER_MINUTE: '3',
      // Keep calling a failing provider: `increase` needs a counter that grows.
      ROUTING_BREAKER_VOLUME: '1000000',
      ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
      ROUTING_MAX_COOLDOWN_MS: '0',
    },
  });
  prometheus = await startPrometheus({ targets: running.adminUrls });
});
afterAll(async () => {
  await prometheus?.stop();
  await running?.stop();
  await servers?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Panels for faults that this traffic does not cause. */
const quiet = ['Fleet / Dropped metric series', 'Money / Requests without a price'];

test('every panel has data under a little traffic, and every process is up', async () => {
  const empty = async (): Promise<string[]> => {
    await makeTraffic(running);
    const shown = await Promise.all(
      panelQueries.map(async ({ panel, expr }) => ({ panel, samples: await prometheus.query(expr) })),
    );
    const full = new Set(shown.flatMap(({ panel, samples }) => (samples.length > 0 ? [panel] : [])));
    return [...new Set(panelQueries.map(({ panel }) => panel))].filter(
      (panel) => !full.has(panel) && !quiet.includes(panel),
    );
  };
  await expect.poll(empty, { interval: 1_000 }).toEqual([]);
  const up = await prometheus.query('up');
  expect(up.map(({ labels, value }) => [labels['job'], value]).toSorted()).toEqual(
    [
      'auth-svc',
      'batch-svc',
      'catalog-svc',
      'chat-svc',
      'chat-svc',
      'console-svc',
      'edge',
      'image-svc',
      'ledger-svc',
      'mcp-svc',
    ].map((job) => [job, 1]),
  );
  expect(await prometheus.failingRules()).toEqual([]);
});

test('the uptime panel shows the failing provider', async () => {
  const uptime = await prometheus.query('provider_model:gateway_provider_uptime:ratio1h{model="sandbox-chat"}');
  const of = (provider: string) => uptime.find(({ labels }) => labels['provider'] === provider)?.value;
  expect(of('sandbox-a')).toBeLessThan(1);
  expect(of('sandbox-b')).toBe(1);
});

test('the processes expose every metric of rules, panels and autoscalers', async () => {
  const pages = await Promise.all(
    Object.values(running.adminUrls)
      .flat()
      .map((url) => fetch(`${url}/metrics`).then((response) => response.text())),
  );
  const shown = new Set(pages.flatMap((page) => [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
  const named = [...[...rules, ...panelQueries].flatMap(({ expr }) => metricsIn(expr)), ...autoscalerMetrics];
  const missing = named.filter((name) => name !== 'up' && !name.includes(':') && !shown.has(familyOf(name, shown)));
  expect([...new Set(missing)]).toEqual([]);
});

/** The name of the metric that a series belongs to: the series of a histogram have suffixes. */
function familyOf(name: string, shown: ReadonlySet<string | undefined>): string {
  return shown.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
}
