import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../metrics/index.ts';
import type { Readiness } from '../parts/readiness.ts';
import { adminServer } from './admin-server.ts';
import type { AdminServer } from './admin-server.ts';
import { listen, stopServer } from './listen.ts';
import { patient } from '../../../../tests/support/patience.ts';

describe('the admin server', () => {
  const metrics = createMetrics({ defaults: false });
  let state: () => Promise<Readiness>;
  let server: AdminServer;

  beforeEach(async () => {
    state = async () => ({ ready: true, phase: 'running', parts: {} });
    server = adminServer({ host: '127.0.0.1', port: 0, metrics, readiness: () => state() });
    await server.start?.();
  });
  afterEach(async () => server.stop?.(1000));

  async function ask(path: string, method = 'GET') {
    const response = await fetch(`${server.address()}${path}`, { method });
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
  }
  const type = 'application/json; charset=utf-8';

  test('returns 200 for /livez even when readiness fails', async () => {
    state = () => Promise.reject(new Error('broken'));
    expect(await ask('/livez')).toEqual({ status: 200, type, body: '{"status":"ok"}\n' });
  });

  test('returns 200 for /readyz when ready', async () => {
    expect(await ask('/readyz?verbose')).toEqual({
      status: 200,
      type,
      body: '{"ready":true,"phase":"running","parts":{}}\n',
    });
  });

  test('returns 503 for /readyz and names the failing part', async () => {
    const parts = { store: { ok: false, message: 'Redis is away.' } };
    state = async () => ({ ready: false, phase: 'running', parts });
    const { status, body } = await ask('/readyz');
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 503,
      body: { ready: false, phase: 'running', parts },
    });
  });

  test('serves the metrics', async () => {
    metrics.counter({ name: 'shown_total', help: 'Shown.' }).with().increment();
    const { status, type: shownType, body } = await ask('/metrics');
    expect({ status, shownType }).toEqual({ status: 200, shownType: metrics.contentType });
    expect(body).toContain('shown_total 1\n');
  });

  test('exports the state of every part as a metric', async () => {
    const parts = { bus: { ok: true }, catalogue: { ok: false, message: 'There is none yet.' } };
    state = async () => ({ ready: false, phase: 'running', parts });
    const { body } = await ask('/metrics');
    expect(body.match(/^gateway_part_ready\{.*/gm)).toEqual([
      'gateway_part_ready{part="bus"} 1',
      'gateway_part_ready{part="catalogue"} 0',
    ]);
  });

  test('returns 500 for an error of its own and keeps running', async () => {
    state = () => Promise.reject(new Error('secret'));
    expect(await ask('/readyz')).toEqual({
      status: 500,
      type,
      body: '{"message":"This page could not be rendered. See the log."}\n',
    });
    expect((await ask('/livez')).status).toBe(200);
  });

  test.each([
    ['/', 'GET', 404],
    ['/livez/', 'GET', 404],
    ['/readyz', 'POST', 405],
    ['/livez', 'HEAD', 200],
  ])('%s with %s is %i', async (path, method, status) => {
    expect((await ask(path, method)).status).toBe(status);
  });
});

test('listening on a used port rejects with the error of the system', async () => {
  const first = createServer();
  const port = Number(new URL(await listen(first, { host: '127.0.0.1', port: 0 })).port);
  await expect(listen(createServer(), { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await stopServer(first, 1000);
});

test('stopping waits for running answers and cuts them off at the deadline', async () => {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const server = createServer(() => resolve());
  const answer = fetch(await listen(server, { host: '127.0.0.1', port: 0 })).catch(() => 'cut off');
  await requested;
  const since = performance.now();
  await stopServer(server, 50);
  expect(performance.now() - since).toBeGreaterThan(40);
  expect(await answer).toBe('cut off');
});

test('a stopping server answers one more request per kept-alive connection, with `connection: close`', async () => {
  const server = createServer((_request, response) => void response.end('here'));
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<unknown> => {
    const sent = request(address, { agent }).end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    response?.resume();
    await once(sent, 'close');
    return { connection: response?.headers.connection, kept: sent.reusedSocket };
  };
  expect(await ask()).toEqual({ connection: 'keep-alive', kept: false });
  const stopped = stopServer(server, 10_000);
  expect(await ask()).toEqual({ connection: 'close', kept: true });
  await stopped;
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('stopping does not wait for a connection without any request', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  const silent = connect(Number(port), '127.0.0.1');
  await Promise.all([once(silent, 'connect'), once(server, 'connection')]);
  const closed = once(silent, 'close');
  const since = performance.now();
  await stopServer(server, 15_000);
  expect(performance.now() - since).toBeLessThan(patient(10_000));
  await closed;
});
