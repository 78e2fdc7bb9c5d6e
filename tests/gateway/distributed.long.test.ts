import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { type ServiceName, serviceNames } from '../../scripts/distributed/settings.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { peersOf } from '../deploy/peers.ts';
import { renderOverlay } from '../deploy/rendered.ts';
import { openedPorts } from '../support/opened-ports.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { waitUntil } from '../support/probe.ts';
import { type NatsWithUsers, startNatsWithUsers } from '../support/nats-users.ts';
import { startPostgres, startRedis, type TestServer } from '../support/servers.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { gatewaySuite } from './gateway.suite.ts';
import { socketsSuite } from './sockets.suite.ts';
import { resume, suspend } from '../support/suspend.ts';
import { patient } from '../support/patience.ts';

// Long: it runs every service in a process of its own, and kills some.
// About: packages/bus/src, packages/contracts/src, packages/service-kit/src/life, services/edge/src/relay.

const renderer = findRenderer();

describe('every service as its own process, over real NATS, Redis and Postgres', () => {
  let servers: { nats: NatsWithUsers; redis: TestServer; postgres: TestServer };
  let running: Distributed;
  const waited = new Set<string>();
  const forbidden = new Set<string>();
  const deathsAtStart: string[] = [];

  // As on a slow machine: every service starts before its servers, and gets little time.
  beforeAll(async () => {
    const [nats, redis, postgres] = await Promise.all([startNatsWithUsers(), startRedis(), startPostgres()]);
    servers = { nats, redis, postgres };
    await Promise.all(Object.values(servers).map((server) => server.kill()));
    const starting = startDistributed({
      servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
      replicas: { 'chat-svc': 2, 'batch-svc': 1 },
      environment: forgetfulRouting,
      serviceEnvironment: Object.fromEntries(serviceNames.map((name) => [name, { NATS_URL: nats.urlOf(name) }])),
      nodeArgs: ['--import', new URL('../support/slow-start.mjs', import.meta.url).href],
      onLine(name, line) {
        if (line.includes('still waiting for the NATS server')) waited.add(name);
        if (/permissions.violation/i.test(line)) forbidden.add(`${name}: ${line}`);
      },
      onDeath: (name, how) => deathsAtStart.push(`${name} ${how}`),
    });
    const allWait = () => waited.size > serviceNames.length;
    await Promise.race([waitUntil('every service to wait for NATS', allWait), starting]);
    await nats.restart();
    await redis.restart();
    await postgres.restart();
    running = await starting;
  });
  afterAll(async () => {
    await running?.stop();
    await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()));
  });

  test('every service waits for servers that start later, and becomes ready without a restart', () => {
    expect([...waited].toSorted()).toEqual([...serviceNames, 'chat-svc-2'].toSorted());
    expect(deathsAtStart).toEqual([]);
  });

  gatewaySuite(() => ({ baseUrl: running.baseUrl, apiKey: running.apiKey, sandboxUrl: running.sandboxUrl }));
  socketsSuite(() => ({ baseUrl: running.baseUrl, apiKey: running.apiKey }));

  const chat = (content: string, stream: boolean): Promise<Response> =>
    fetch(`${running.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-chat', stream, messages: [{ role: 'user', content }] }),
    });
  const status = (): Promise<number> => chat('Hello', false).then((response) => response.status);

  test.skipIf(renderer === undefined)('each process connects only where the network policies allow it', async () => {
    const resources = renderer === undefined ? [] : renderOverlay('dev', renderer);
    const portOf = (url: string) => Number(new URL(url).port);
    const peers = new Map([
      [portOf(servers.nats.url), 'nats:4222'],
      [portOf(servers.redis.url), 'redis:6379'],
      [portOf(servers.postgres.url), 'postgres:5432'],
      [portOf(running.sandboxUrl), 'sandbox:4010'],
      ...running.replicas('console-svc').map(({ url }) => [portOf(url), 'console-svc:4004'] as const),
    ]);
    const seen = new Map(serviceNames.map((service) => [service, new Set<string>()]));
    const note = (service: ServiceName): void => {
      for (const port of running.pids(service).flatMap(openedPorts))
        seen.get(service)?.add(peers.get(port) ?? `unknown:${port}`);
    };
    /** The peers of a service in all rounds so far. */
    const peersAfterRound = async (of: ServiceName): Promise<string[]> => {
      const pages = Array.from({ length: 20 }, () => '/dashboard');
      const asked = ['/sign-in', ...pages, '/mcp', '/v1/key', '/'].map((path) =>
        fetch(running.baseUrl + path, { headers: { authorization: `Bearer ${running.apiKey}` } }),
      );
      let isAnswered = false;
      const answered = Promise.all([...asked, status()]).finally(() => (isAnswered = true));
      // Edge keeps no connection to console-svc: it is seen while a page is on its way.
      while (!isAnswered) {
        note('edge');
        await nextTurn();
      }
      await answered;
      for (const service of serviceNames) note(service);
      return [...(seen.get(of) ?? [])].toSorted();
    };
    const edge = ['console-svc:4004', 'nats:4222', 'redis:6379'];
    await expect.poll(() => peersAfterRound('edge')).toEqual(edge);
    await expect.poll(() => peersAfterRound('chat-svc')).toContain('sandbox:4010');
    const refused = [...seen].flatMap(([service, to]) => {
      const allowed = peersOf(resources, service, 'to');
      return [...to].filter((peer) => !allowed.includes(peer)).map((peer) => `${service} to ${peer}`);
    });
    expect(refused).toEqual([]);
    expect([...seen].filter(([, to]) => !to.has('nats:4222'))).toEqual([]);
  });

  test('kill -9 of a chat-svc mid-stream: its clients get the error event, other streams continue', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => chat('[words:90]', true)));
    const endings = responses.map(async (response) => {
      const text = await response.text();
      return { text, at: performance.now() };
    });
    await running.kill('chat-svc', { index: 0 });
    const killedAt = performance.now();
    const ended = await Promise.all(endings);
    const broken = ended.filter(({ text }) => !text.includes('[DONE]'));
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.length).toBeLessThan(20);
    for (const { text, at } of broken) {
      const last = text.trimEnd().split('\n\n').at(-1)!.replace('data: ', '');
      expect(JSON.parse(last)).toMatchObject({ error: { code: 'unavailable', type: 'api_error' } });
      expect(at - killedAt).toBeLessThan(patient(9_000));
    }
    expect(await status()).toBe(200);
    await running.restart('chat-svc', { index: 0 });
  });

  test('without a replica of chat-svc: 503 at once with Retry-After, and 200 as soon as one is back', async () => {
    await running.kill('chat-svc', { index: 0 });
    await running.kill('chat-svc', { index: 1 });
    const response = await chat('Hello', false);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    await Promise.all([running.restart('chat-svc', { index: 0 }), running.restart('chat-svc', { index: 1 })]);
    expect(await status()).toBe(200);
  });

  test('a stream survives a restart of NATS without loss', async () => {
    const response = await chat('[words:60]', true);
    const text = response.text();
    await servers.nats.kill('SIGKILL');
    await servers.nats.restart();
    const events = (await text).trimEnd().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const words = events
      .slice(0, -1)
      .map((event) => JSON.parse(event.replace('data: ', '')).choices[0]?.delta.content ?? '')
      .join('');
    expect(words.trim().split(/\s+/)).toHaveLength(60);
    await expect.poll(status).toBe(200);
  });

  test('without Redis: requests are served, and GET / returns 503', async () => {
    await servers.redis.kill('SIGKILL');
    expect(await status()).toBe(200);
    const health = await fetch(`${running.baseUrl}/`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ health: { status: 'error', redis: { connected: false } } });
    await servers.redis.restart();
    await expect.poll(() => fetch(`${running.baseUrl}/`).then((answer) => answer.status)).toBe(200);
  });

  test('without Postgres: known keys work, unknown ones get 503 and never 401', async () => {
    expect(await status()).toBe(200);
    await servers.postgres.kill('SIGKILL');
    expect(await status()).toBe(200);
    const unknownKey = await fetch(`${running.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${randomBytes(20).toString('hex')}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(unknownKey.status).toBe(503);
    await servers.postgres.restart();
    await expect.poll(() => fetch(`${running.baseUrl}/`).then((answer) => answer.status)).toBe(200);
  });

  test('auth-svc hangs: known keys work, unknown ones and pages get 503 before the deadline of a request', async () => {
    expect(await status()).toBe(200);
    const [hung = 0] = running.pids('auth-svc');
    await suspend(hung);
    const askedAt = performance.now();
    const page = fetch(`${running.baseUrl}/sign-in`).then(({ status }) => ({
      status,
      ms: performance.now() - askedAt,
    }));
    const unknownKey = await fetch(`${running.baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${randomBytes(20).toString('hex')}` },
    });
    expect([unknownKey.status, unknownKey.headers.get('retry-after')]).toEqual([503, '1']);
    expect(performance.now() - askedAt).toBeLessThan(patient(15_000));
    expect(await status()).toBe(200);
    const { status: pageStatus, ms } = await page;
    expect([pageStatus, Math.max(25_000, ms)]).toEqual([503, 25_000]);
    resume(hung);
  });

  test('on SIGTERM a chat-svc finishes its streams', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => chat('[words:40]', true)));
    const texts = responses.map((response) => response.text());
    await running.kill('chat-svc', { index: 1, signal: 'SIGTERM' });
    for (const text of await Promise.all(texts)) expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    await running.restart('chat-svc', { index: 1 });
  });

  test('an open socket survives each chat-svc: what runs is finished or fails with an event, and the next is served', async () => {
    const socket = await connectSocket(running.baseUrl, '/v1/responses', { key: running.apiKey });
    const create = (input: string, members: object = {}) =>
      socket.send({ type: 'response.create', model: 'sandbox-chat', input, store: false, ...members });
    create('One');
    const id = (await socket.until('response.completed')).at(-1)?.response?.id;
    for (const stream_id of ['a', 'b', 'c', 'd']) create('[words:40]', { stream_id });
    await socket.until('response.output_text.delta');
    await running.kill('chat-svc', { index: 0, signal: 'SIGTERM' });
    for (let ended = 0; ended < 4; ended += 1) await socket.until('response.completed');
    create('Two', { previous_response_id: id });
    expect((await socket.until('response.completed')).at(-1)?.response?.previous_response_id).toBe(id);
    await running.kill('chat-svc', { index: 1 });
    create('Three');
    expect(await socket.next()).toMatchObject({ type: 'error', status: 503, error: { code: 'unavailable' } });
    await Promise.all([running.restart('chat-svc', { index: 0 }), running.restart('chat-svc', { index: 1 })]);
    create('Four', { previous_response_id: id });
    expect((await socket.until('response.completed')).at(-1)?.response?.status).toBe('completed');
    socket.webSocket.close();
    expect((await socket.closed).code).toBe(1005);
  });

  test('no service did anything in these tests that its user of NATS may not', () => {
    expect([...forbidden]).toEqual([]);
  });
});
