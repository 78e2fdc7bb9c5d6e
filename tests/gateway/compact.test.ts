import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../packages/database/src/testing/index.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { programNames } from '../../scripts/distributed/settings.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type NatsWithUsers, startNatsWithUsers } from '../support/nats-users.ts';
import { startRedis, type TestServer } from '../support/servers.ts';
import { gatewaySuite } from './gateway.suite.ts';

/** More than the suite needs at once. */
const maxChats = 12;
const maxToolRequests = 10;

describe('edge, chat-svc, image-svc and catalog-svc in one process, two of them, beside the other services', () => {
  let servers: { nats: NatsWithUsers; redis: TestServer };
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let running: Distributed;
  const forbidden = new Set<string>();

  beforeAll(async () => {
    const [nats, redis] = await Promise.all([startNatsWithUsers(), startRedis()]);
    servers = { nats, redis };
    database = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '');
    running = await startDistributed({
      servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: database.url },
      replicas: { compact: 2 },
      environment: {
        ...forgetfulRouting,
        CHAT_MAX_CONCURRENT: String(maxChats),
        LIMIT_MCP_PER_MINUTE: String(maxToolRequests),
      },
      serviceEnvironment: Object.fromEntries(programNames.map((name) => [name, { NATS_URL: nats.urlOf(name) }])),
      onLine(name, line) {
        if (/permissions.violation/i.test(line)) forbidden.add(`${name}: ${line}`);
      },
    });
  });
  afterAll(async () => {
    await running?.stop();
    await database?.drop();
    await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()));
  });

  test('they run no process of their own', () => {
    const counts = programNames.map((name) => [name, running.pids(name).length]);
    expect(Object.fromEntries(counts)).toEqual({
      compact: 2,
      edge: 0,
      'chat-svc': 0,
      'image-svc': 0,
      'catalog-svc': 0,
      'console-svc': 1,
      'mcp-svc': 1,
      'auth-svc': 1,
      'ledger-svc': 1,
    });
  });

  gatewaySuite(() => ({ baseUrl: running.baseUrl, apiKey: running.apiKey, sandboxUrl: running.sandboxUrl }));

  const headers = () => ({ authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' });
  const chat = (content: string, { stream = false, replica = 0 } = {}): Promise<Response> =>
    fetch(`${running.baseUrls[replica]}/v1/chat/completions`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ model: 'sandbox-chat', stream, messages: [{ role: 'user', content }] }),
    });
  const status = (replica = 0): Promise<number> => chat('Hello', { replica }).then((response) => response.status);
  const openStreams = async (): Promise<number[]> => {
    const texts = await Promise.all(
      running.adminUrls.compact.map((url) => fetch(`${url}/metrics`).then((response) => response.text())),
    );
    return texts.map((text) => Number(/^gateway_streams_active\{service="chat"\} (\d+)$/m.exec(text)?.[1] ?? 0));
  };
  const isWhole = (text: string): boolean => text.trimEnd().endsWith('data: [DONE]');

  test('the other services reach the services in them', async () => {
    const page = await fetch(`${running.baseUrl}/dashboard`, { redirect: 'manual' });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list-models', arguments: {} } };
    const tool = await fetch(`${running.baseUrls[1]}/mcp`, {
      method: 'POST',
      headers: { ...headers(), accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    expect([page.status, tool.status, await tool.text()]).toEqual([303, 200, expect.stringContaining('sandbox-chat')]);
  });

  test('a limit holds for both together', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 2 * maxToolRequests }, async (_, index) => {
        const response = await fetch(`${running.baseUrls[index % 2]}/mcp`, {
          method: 'POST',
          headers: { ...headers(), accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/list' }),
        });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    // One was counted by the test before; the second of a minute passes may give one back.
    const served = statuses.filter((each) => each === 200).length;
    expect([maxToolRequests - 1, maxToolRequests]).toContain(served);
    expect(statuses.filter((each) => each === 429)).toHaveLength(statuses.length - served);
  });

  test('a process serves its own streams, and sends those beyond its limit to the other one', async () => {
    const beyond = 4;
    const answers = await Promise.all(
      Array.from({ length: maxChats + beyond }, () => chat('[words:40]', { stream: true })),
    );
    const texts = Promise.all(answers.map((response) => response.text()));
    await expect.poll(openStreams).toEqual([maxChats, beyond]);
    expect((await texts).filter(isWhole)).toHaveLength(maxChats + beyond);
  });

  test('while NATS is away, running streams and new requests of known keys go on', async () => {
    expect(await status()).toBe(200);
    const answer = await chat('[words:60]', { stream: true });
    await servers.nats.kill('SIGKILL');
    const notReady = async () => (await fetch(`${running.adminUrls.compact[0]}/readyz`)).status;
    await expect.poll(notReady).toBe(503);
    expect(await status()).toBe(200);
    expect(isWhole(await answer.text())).toBe(true);
    await servers.nats.restart();
    await expect.poll(notReady, { timeout: 30_000 }).toBe(200);
    expect(await status()).toBe(200);
  });

  test('kill -9 of one: the other one serves alone until it is back', async () => {
    await running.kill('compact', { index: 0 });
    expect(await status(1)).toBe(200);
    await running.restart('compact', { index: 0 });
    expect([await status(0), await status(1)]).toEqual([200, 200]);
  });

  test('on SIGTERM a process finishes its streams, and the other one serves', async () => {
    const streams = await Promise.all(
      Array.from({ length: 6 }, () => chat('[words:40]', { stream: true, replica: 1 })),
    );
    const texts = Promise.all(streams.map((response) => response.text()));
    const ended = running.drain('compact', { index: 1, deadlineMs: 30_000 });
    expect(await status(0)).toBe(200);
    expect((await texts).filter(isWhole)).toHaveLength(6);
    expect([await ended, await status(0)]).toEqual(['ended with exit code 0', 200]);
  });

  test('no process did anything in these tests that its user of NATS may not', () => {
    expect([...forbidden]).toEqual([]);
  });
});
