import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';

// Long: it runs every service, three of one.
// About: packages/dispatch/src/standing.

const replicas = 3;
let servers: GatewayServers;
let running: Distributed;

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'chat-svc': replicas, 'console-svc': 0, 'mcp-svc': 0, 'image-svc': 0 },
    // Without breakers and cache, so that requests still reach the failing offer.
    environment: {
      ROUTING_BREAKER_VOLUME: '1000000',
      ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
      CACHE_TTL_SECONDS: '0',
    },
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

const chat = (model: string) =>
  fetch(`${running.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json', 'x-no-fallback': 'true' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  }).then(async (response) => {
    await response.body?.cancel();
    return response.status;
  });

const fault = (body: object | undefined) =>
  fetch(`${running.sandboxUrl}/control/faults`, {
    method: body === undefined ? 'DELETE' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The uptime of an offer in the metrics of each replica. */
async function uptimes(provider: string): Promise<number[]> {
  const texts = await Promise.all(
    running.adminUrls['chat-svc'].map((url) => fetch(`${url}/metrics`).then((response) => response.text())),
  );
  const line = new RegExp(
    `^gateway_provider_uptime_ratio\\{provider="${provider}",model="sandbox-chat"\\} (\\S+)$`,
    'm',
  );
  return texts.flatMap((text) => {
    const value = line.exec(text)?.[1];
    return value === undefined ? [] : [Number(value)];
  });
}

test('three replicas that served different requests agree on the uptime of an offer', async () => {
  await Promise.all(Array.from({ length: 60 }, () => chat('sandbox-a/sandbox-chat')));
  await fault({ provider: 'sandbox-a', fault: 'status:503' });
  const statuses = await Promise.all(Array.from({ length: 30 }, () => chat('sandbox-a/sandbox-chat')));
  await fault(undefined);
  expect(new Set(statuses)).toEqual(new Set([502]));
  const agreed = async () => {
    const seen = await uptimes('sandbox-a');
    return {
      replicas: seen.length,
      apart: Math.max(...seen) - Math.min(...seen) < 0.02,
      right: seen.every(isTwoThirds),
    };
  };
  await expect.poll(agreed, { interval: 100 }).toEqual({ replicas, apart: true, right: true });
});

/** 60 successes of 90, of which the older ones have lost a little weight. */
const isTwoThirds = (ratio: number): boolean => ratio > 0.6 && ratio < 0.68;
