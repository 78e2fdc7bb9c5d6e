import { createKit, createMetrics, readConfig, silentLog } from '@switchyard/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpConfig, mcpModule } from './module.ts';

const metrics = createMetrics({ defaults: false });
const config = readConfig(mcpConfig, { environment: { MCP_PORT: '0' } });
const mcp = mcpModule(createKit({ name: 'mcp-svc', config, log: silentLog(), metrics }));

beforeAll(() => mcp.start?.());
afterAll(() => mcp.stop?.(1000));

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${mcp.address()}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
}

test('a plain GET describes the server', async () => {
  const { status, headers, body } = await ask('/mcp?probe=1');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(body).toEqual({ name: 'switchyard', version: '0.1.0', transport: 'streamable-http', status: 'unavailable' });
});

test('a POST is told in JSON-RPC that tools are not built yet, whatever its body', async () => {
  const { status, headers, body } = await ask('/mcp', { method: 'POST', body: 'x'.repeat(1_000_000) });
  expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message: 'MCP is not built yet in this version. The HTTP API is.' },
  });
  expect(await metrics.text()).toContain('gateway_mcp_requests_total{outcome="unavailable"} 1');
});

test.each([
  ['/mcp', 'HEAD', 200],
  ['/mcp', 'DELETE', 405],
  ['/', 'GET', 404],
  ['/mcp/', 'POST', 404],
])('%s with %s is %i', async (path, method, status) => {
  expect((await ask(path, { method })).status).toBe(status);
});
