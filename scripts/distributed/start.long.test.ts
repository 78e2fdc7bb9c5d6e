import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayServers, startGatewayServers } from '../../tests/support/gateway-servers.ts';
import { serviceNames } from './settings.ts';
import { startDistributed } from './start.ts';
import type { Distributed } from './start.ts';

// Long: it runs every service.
// About: scripts/distributed.

let servers: GatewayServers;
let running: Distributed;
const deaths: string[] = [];

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'chat-svc': 2 },
    onDeath: (name, how) => deaths.push(`${name} ${how}`),
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

test('starts every service as a separate process and serves a chat through all of them', async () => {
  expect(serviceNames.map((service) => [service, running.pids(service).length])).toEqual(
    serviceNames.map((service) => [service, service === 'chat-svc' ? 2 : 1]),
  );
  expect(await chat()).toEqual({ status: 200, object: 'chat.completion' });
});

test('does not report a replica killed on purpose as a death, and restarts it in another process', async () => {
  const [first, second] = running.pids('chat-svc');
  await running.kill('chat-svc', { index: 1 });
  expect(running.pids('chat-svc')).toEqual([first]);
  expect(await chat()).toMatchObject({ status: 200 });
  await running.restart('chat-svc', { index: 1 });
  expect(running.pids('chat-svc')).toEqual([first, expect.not.toSatisfy((pid) => pid === second)]);
  expect(deaths).toEqual([]);
});

test('reports a process that dies by itself', async () => {
  const [pid = 0] = running.pids('image-svc');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => deaths).toEqual(['image-svc was ended by SIGKILL']);
  expect(running.pids('image-svc')).toEqual([]);
});

test('reports the last lines of a service that cannot start', async () => {
  const broken = startDistributed({
    servers: servers.urls,
    replicas: { 'console-svc': 0, 'mcp-svc': 0, 'chat-svc': 0, 'image-svc': 0, 'catalog-svc': 0, 'auth-svc': 0 },
    environment: { LOG_LEVEL: 'loud' },
    sandboxUrl: running.sandboxUrl,
  });
  await expect(broken).rejects.toThrow(/edge ended with exit code 1 before it was ready.*LOG_LEVEL/s);
});

test('leaves no process running after stop', async () => {
  const pids = serviceNames.flatMap((service) => running.pids(service));
  await running.stop();
  expect(serviceNames.flatMap((service) => running.pids(service))).toEqual([]);
  expect(pids.filter(isRunning)).toEqual([]);
});

async function chat(): Promise<unknown> {
  const response = await fetch(`${running.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const body: unknown = await response.json();
  const object = typeof body === 'object' && body && 'object' in body ? body.object : undefined;
  return { status: response.status, object };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
