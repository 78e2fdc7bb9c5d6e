import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { measureShare, shareOfNew } from './replica-share.ts';
import { loadSettings } from './service-loads.ts';

// Long: it adds replicas under load.
// About: packages/bus/src, packages/dispatch/src/standing.

// By chance, a replica that is asked at random gets less than 35 % of 200 requests once in a hundred thousand runs.
const counted = { forMs: 0, atLeast: 200 };

let servers: GatewayServers;
let running: Distributed;
const deaths: string[] = [];

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'image-svc': 0 },
    consoleAddresses: 2,
    environment: loadSettings,
    onDeath: (name, how) => deaths.push(`${name} ${how}`),
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

test.each([
  ['mcp-svc', 0.35],
  ['auth-svc', 0.35],
  ['console-svc', 0.35],
  // Replicas pull records in batches when they have time, so the shares of few records are less even.
  ['ledger-svc', 0.15],
] as const)('a second replica of %s takes its share under load, and then all of it', async (service, share) => {
  const { requests, failures, ending } = await measureShare(running, service, counted);
  expect(failures).toEqual([]);
  expect(shareOfNew(requests)).toBeGreaterThanOrEqual(share);
  expect([ending, deaths]).toEqual(['ended with exit code 0', []]);
});
