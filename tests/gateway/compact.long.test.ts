import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../packages/database/src/testing/index.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { programNames } from '../../scripts/distributed/settings.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { ownerEnvironment, signInOwner } from '../provider-keys/owner.ts';
import { startBalancer } from '../rolling/balancer.ts';
import { terminate } from '../rolling/terminate.ts';
import { startTraffic } from '../rolling/traffic.ts';
import { type NatsWithUsers, startNatsWithUsers } from '../support/nats-users.ts';
import { startRedis, type TestServer } from '../support/servers.ts';
import { gatewaySuite } from './gateway.suite.ts';

// Long: it runs the suite of the gateway on two processes and kills one.
// About: services/all-in-one/src, packages/bus/src.

/** More than the suite needs at once. */
const maxChats = 12;
const limit = 10;

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
        ...ownerEnvironment,
        CHAT_MAX_CONCURRENT: String(maxChats),
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
      'batch-svc': 0,
      'catalog-svc': 0,
      'console-svc': 1,
      'mcp-svc': 1,
      'auth-svc': 1,
      'ledger-svc': 1,
    });
  });

  gatewaySuite(() => ({ baseUrl: running.baseUrl, apiKey: running.apiKey, sandboxUrl: running.sandboxUrl }));

  const headers = (key = running.apiKey) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const chat = (content: string, { stream = false, replica = 0, key = running.apiKey } = {}): Promise<Response> =>
    fetch(`${running.baseUrls[replica]}/v1/chat/completions`, {
      method: 'POST',
      headers: headers(key),
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

  test('the limit of a key holds for both together', async () => {
    const owner = await signInOwner(running.baseUrl);
    const limits = { requestsPerMinute: { chat: limit } };
    const { body } = await owner.ask('POST /keys', { name: 'few', limits });
    const answers = await Promise.all(
      Array.from({ length: 2 * limit }, (_, index) => chat('Hello', { replica: index % 2, key: String(body['key']) })),
    );
    const statuses = answers.map((response) => response.status).toSorted();
    expect(statuses).toEqual([...Array(limit).fill(200), ...Array(limit).fill(429)]);
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
    await expect.poll(notReady).toBe(200);
    expect(await status()).toBe(200);
  });

  test('kill -9 of one: the other one serves', async () => {
    await running.kill('compact', { index: 0 });
    expect(await status(1)).toBe(200);
    await running.restart('compact', { index: 0 });
  });

  test('replaces both under load without a client error', async () => {
    const balancer = await startBalancer();
    onTestFinished(() => balancer.close());
    running.replicas('compact').forEach((replica) => balancer.add(replica));
    await expect.poll(balancer.ready).toBe(2);
    const load = { streams: 6, words: 40, everyMs: 500 };
    const traffic = startTraffic({ url: balancer.url, apiKey: running.apiKey }, load);
    await expect.poll(() => traffic.counts['stream'] ?? 0).toBeGreaterThan(0);
    const endings: Promise<string>[] = [];
    for (const replica of running.replicas('compact')) {
      balancer.add(await running.add('compact'));
      endings.push(terminate(running, { program: 'compact', replica, balancer, graceMs: 30_000 }));
    }
    expect(await Promise.all(endings)).toEqual(['ended with exit code 0', 'ended with exit code 0']);
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(Object.keys(traffic.counts)).toHaveLength(13);
  });

  test('no process did anything in these tests that its user of NATS may not', () => {
    expect([...forbidden]).toEqual([]);
  });
});
