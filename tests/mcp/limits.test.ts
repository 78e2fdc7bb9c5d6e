import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ LIMIT_MCP_PER_MINUTE: '6', MCP_MAX_STREAMS_PER_ACCOUNT: '2' });
});
afterAll(() => gateway?.stop());

const ask = (headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}/mcp`, { headers: { authorization: `Bearer ${gateway.apiKey}`, ...headers }, ...init });

const refused = (message: unknown) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message, data: { retryAfter: expect.any(Number) } },
});

test('limits the streams and requests of an account with JSON-RPC errors', async () => {
  const stream = () => ask({ accept: 'text/event-stream' });
  const open = [await stream(), await stream()];
  expect(open.map(({ status }) => status)).toEqual([200, 200]);
  const third = await stream();
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await third.json()).toEqual(refused(expect.stringContaining('MCP_MAX_STREAMS_PER_ACCOUNT')));
  await open[0]!.body!.cancel();
  await expect.poll(async () => metric('gateway_inflight_requests')).toBeLessThan(2);
  const again = await stream();
  expect(again.status).toBe(200);

  const list = () =>
    ask(
      { 'content-type': 'application/json' },
      { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    );
  const statuses = [(await list()).status, (await list()).status];
  expect(statuses).toEqual([200, 200]);
  const seventh = await list();
  expect([seventh.status, Number(seventh.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect(seventh.headers.get('www-authenticate')).toBeNull();
  expect(await seventh.json()).toEqual(refused(expect.stringContaining('6 ')));
  await Promise.all([again, open[1]!].map((response) => response.body!.cancel()));
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
}
