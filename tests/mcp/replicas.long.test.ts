import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { toolsSuite } from './tools.suite.ts';
import { resume, suspend } from '../support/suspend.ts';
import { patient } from '../support/patience.ts';

// Long: it kills and suspends replicas.
// About: services/mcp-svc/src/http, packages/bus/src.

const replicas = [0, 1, 2];

describe('three replicas of mcp-svc behind one edge', () => {
  let servers: GatewayServers;
  let running: Distributed;

  beforeAll(async () => {
    servers = await startGatewayServers();
    running = await startDistributed({
      servers: servers.urls,
      replicas: { 'auth-svc': 2, 'mcp-svc': replicas.length },
      environment: { LIMIT_MCP_PER_MINUTE: '100000' },
    });
  });
  afterAll(async () => {
    await running?.stop();
    await servers?.stop();
  });

  const ask = (
    method: string,
    params: object = {},
    { signal, accept }: { signal?: AbortSignal; accept?: string } = {},
  ): Promise<Response> =>
    fetch(`${running.baseUrl}/mcp`, {
      ...(signal && { signal }),
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.apiKey}`,
        'content-type': 'application/json',
        ...(accept && { accept }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const chat = (accept?: string) =>
    ask(
      'tools/call',
      {
        name: 'chat',
        arguments: { model: 'sandbox-chat', messages: [{ role: 'user', content: `${performance.now()}` }] },
      },
      { ...(accept && { accept }) },
    );
  const statuses = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask('tools/list')));
    return new Set(answers.map(({ status }) => status));
  };

  toolsSuite(() => running);

  test('share the calls', async () => {
    for (let round = 0; round < 9; round++) await Promise.all(Array.from({ length: 10 }, chat));
    const counts = await Promise.all(
      running.adminUrls['mcp-svc'].map(async (url) => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return Number(
          /^gateway_mcp_tool_duration_seconds_count\{tool="chat",outcome="ok"\} (\d+)$/m.exec(metrics)?.[1],
        );
      }),
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
  });

  test('reports an unavailable chat-svc in the result of the tool', async () => {
    await running.kill('chat-svc');
    const { result } = (await (await chat()).json()) as { result: { isError: boolean; _meta: object } };
    expect(result).toMatchObject({ isError: true, _meta: { 'tallyport/error': { code: 'unavailable' } } });
    await running.restart('chat-svc');
    await expect
      .poll(async () => ((await (await chat()).json()) as { result: object }).result)
      .not.toHaveProperty('isError');
  });

  test('a hung replica gets no new calls, and those it was sent are answered by others', async () => {
    const [hung = 0] = running.pids('mcp-svc');
    await suspend(hung);
    const startedAt = performance.now();
    const pending = statuses(12);
    const oneByOne = async () => {
      const answer = await ask('tools/list', {}, { signal: AbortSignal.timeout(900) }).catch(() => undefined);
      return answer?.status;
    };
    await expect.poll(async () => [await oneByOne(), await oneByOne(), await oneByOne()]).toEqual([200, 200, 200]);
    expect(await statuses(30)).toEqual(new Set([200]));
    expect(performance.now() - startedAt).toBeLessThan(patient(13_000));
    expect(await pending).toEqual(new Set([200]));
    expect(performance.now() - startedAt).toBeLessThan(patient(20_000));
    resume(hung);
    expect(await statuses(12)).toEqual(new Set([200]));
  });

  test('a hung auth-svc is skipped, and serves pages again when it resumes', async () => {
    const page = async () => (await fetch(`${running.baseUrl}/sign-in`, { signal: AbortSignal.timeout(1_500) })).status;
    const [hung = 0] = running.pids('auth-svc');
    await suspend(hung);
    await expect
      .poll(async () => [await page(), await page(), await page(), await page()])
      .toEqual([200, 200, 200, 200]);
    resume(hung);
    await expect.poll(async () => [await page(), await page()]).toEqual([200, 200]);
  });

  test('running calls of killed replicas end with an error at once, as JSON and as events', async () => {
    const [hung] = running.pids('chat-svc');
    await suspend(hung);
    const json = chat();
    // Resolves with the head.
    const streamed = await chat('application/json, text/event-stream');
    const startedAt = performance.now();
    await Promise.all(replicas.map((index) => running.kill('mcp-svc', { index })));
    const whole = await json;
    expect([whole.status, await whole.json()]).toEqual([502, { jsonrpc: '2.0', id: null, error: expect.anything() }]);
    const [last] = (await streamed.text()).trim().split('\n\n').slice(-1);
    const message = 'The MCP service stopped during this request. It may have had its effect.';
    expect([streamed.status, last]).toEqual([
      200,
      `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message } })}`,
    ]);
    expect(performance.now() - startedAt).toBeLessThan(patient(10_000));
    resume(hung);
    for (const index of replicas) await running.restart('mcp-svc', { index });
    expect(await statuses(12)).toEqual(new Set([200]));
  });

  test('two killed replicas are skipped', async () => {
    await running.kill('mcp-svc', { index: 0 });
    await running.kill('mcp-svc', { index: 2 });
    await expect.poll(() => statuses(12)).toEqual(new Set([200]));
    expect(await statuses(30)).toEqual(new Set([200]));
  });

  test('without replicas the error is JSON-RPC; restarted replicas are used again', async () => {
    await running.kill('mcp-svc', { index: 1 });
    const response = await ask('tools/list');
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      502,
      '1',
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_603,
          message: 'The MCP service is not responding. Try again shortly.',
          data: { retryAfter: 1 },
        },
      },
    ]);
    for (const index of replicas) await running.restart('mcp-svc', { index });
    expect(await statuses(12)).toEqual(new Set([200]));
  });
});
