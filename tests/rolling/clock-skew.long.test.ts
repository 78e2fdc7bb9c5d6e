import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';

// Long: it needs replicas with different clocks.
// About: packages/limits/src, packages/store/src.

const clock = fileURLToPath(new URL('clock.ts', import.meta.url));

const wrongBy = (milliseconds: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${clock}`,
  CLOCK_OFFSET_MS: String(milliseconds),
});

let servers: GatewayServers;
let running: Distributed;

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'image-svc': 0 },
    environment: { LIMIT_CHAT_PER_MINUTE: '3' },
    serviceEnvironment: {
      edge: wrongBy(-30_000),
      'mcp-svc': wrongBy(30_000),
      'chat-svc': wrongBy(-60_000),
      'auth-svc': wrongBy(60_000),
      'console-svc': wrongBy(30_000),
    },
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

const ask = (path: string, body?: object): Promise<Response> =>
  fetch(`${running.baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${running.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const chat = (): Promise<Response> =>
  ask('/v1/chat/completions', { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] });

test('requests work with a clock skew of a minute between processes', async () => {
  expect((await ask('/v1/models')).status).toBe(200);
  expect((await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(200);
  expect((await ask('/v1/providers')).status).toBe(200);
  const page = await fetch(`${running.baseUrl}/dashboard`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fdashboard']);
});

test('limits use the clock of Redis', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await chat()).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});
