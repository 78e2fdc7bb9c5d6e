import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { ruleFiles } from './files.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { fault } from './traffic.ts';

// Long: it lets every alert fire in a real Prometheus.
// About: deploy/observability, packages/service-kit/src/metrics.

let running: Distributed;
let servers: GatewayServers;
let prometheus: Prometheus;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-rules-'));
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'console-svc': 0, 'mcp-svc': 0, 'image-svc': 0 },
    environment: { LIMIT_CHAT_PER_MINUTE: '0', ROUTING_MAX_COOLDOWN_MS: '3000' },
  });
  prometheus = await startPrometheus({ targets: running.adminUrls, rules: await quickRules() });
});
afterAll(async () => {
  await prometheus?.stop();
  await running?.stop();
  await servers?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * The rules, with seconds instead of minutes until an alert fires. The tests of promtool have the real times. Their windows
 * stay: in less than five minutes, a provider with an open breaker is tried too rarely.
 */
async function quickRules(): Promise<readonly string[]> {
  return Promise.all(
    ruleFiles.map(async (path) => {
      const text = await readFile(path, 'utf8');
      const quick = join(folder, basename(path));
      await writeFile(quick, text.replaceAll(/^( +for: \d+)m$/gm, '$1s'));
      return quick;
    }),
  );
}

/** Chats at the provider; their answers do not matter. Each prompt is unique, so that the cache does not answer. */
async function chat(times: number): Promise<void> {
  const send = () =>
    fetch(`${running.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox-a/sandbox-chat',
        messages: [{ role: 'user', content: `Hello ${performance.now()}` }],
      }),
    }).then((response) => response.arrayBuffer());
  await Promise.all(Array.from({ length: times }, send));
}

const alerts = ['BreakerOpen', 'ProviderUptimeBelow90'];

async function firing(): Promise<readonly (string | undefined)[]> {
  const samples = await prometheus.query('ALERTS{alertstate="firing", provider="sandbox-a"}');
  return samples.map(({ labels }) => labels['alertname']).filter((name) => alerts.includes(name ?? ''));
}

const waiting = { interval: 500 };

test('a broken provider fires its alerts, and a healed one resolves them', async () => {
  const attempts = 'provider_model:gateway_provider_attempts:increase5m{provider="sandbox-a"}';
  const attempted = async () => {
    await chat(5);
    return (await prometheus.query(attempts))[0]?.value ?? 0;
  };
  await expect.poll(attempted, waiting).toBeGreaterThan(15);
  expect(await firing()).toEqual([]);

  await fault(running, 'sandbox-a', 'status:503');
  const broken = async () => {
    await chat(5);
    return (await firing()).toSorted();
  };
  await expect.poll(broken, waiting).toEqual(alerts);

  await fetch(`${running.sandboxUrl}/control/faults`, { method: 'DELETE' });
  const healed = async () => {
    await chat(20);
    return firing();
  };
  await expect.poll(healed, waiting).toEqual([]);
});
