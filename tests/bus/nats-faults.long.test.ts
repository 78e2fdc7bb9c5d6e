import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ExchangeResponse, Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { connect } from 'nats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNats, type TestServer } from '../support/servers.ts';
import { startProgram } from './start-program.ts';
import { patient } from '../support/patience.ts';

// Long: it kills and suspends NATS and processes.
// About: packages/bus/src.

const subject = (operation: string): string => `tp.s.replica.${operation}`;

describe('the bus over a real NATS, with real processes', () => {
  let server: TestServer;
  let link: Link;

  beforeEach(async () => {
    server = await startNats();
    link = await natsLink({ url: server.url, name: 'test' });
  });
  afterEach(async () => {
    await link.close();
    await server.stop();
  });

  const replica = (...options: string[]): Promise<ChildProcess> => startProgram('replica', server.url, ...options);

  const ask = (operation: string, query = '', timeoutMs = 30_000): Promise<ExchangeResponse> =>
    link.open(subject(operation), {
      head: { requestId: 'r', timeoutMs, headers: {}, query },
      body: Buffer.from('{}'),
    });
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `${index}\n`).join('');
  const read = async (response: ExchangeResponse): Promise<string> =>
    Buffer.from(await response.body.bytes()).toString();
  const state = async (): Promise<{ pid: number; active: number; rss: number }> =>
    JSON.parse(await read(await ask('who')));
  /** The result of a new request. */
  const outcome = (): Promise<string> =>
    state().then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );

  /** Occupies a place of a replica until the link is closed, also when the request for a result had it at first. */
  const hold = (): Promise<unknown> =>
    ask('hold').catch((error: { code: string }) => (error.code === 'overloaded' ? hold() : undefined));

  /** Memory after it stopped growing. */
  async function settledMemory(): Promise<{ own: number; replica: number }> {
    let last = { own: 0, replica: 0 };
    const grown = async (): Promise<boolean> => {
      const now = { own: process.memoryUsage().rss, replica: (await state()).rss };
      const grew = now.own - last.own > 1e6 || now.replica - last.replica > 1e6;
      last = now;
      return grew;
    };
    await expect.poll(grown, { interval: 200 }).toBe(false);
    return last;
  }

  test('when one of three replicas is killed, its streams fail with a typed error at once and the others complete', async () => {
    const [victim] = await Promise.all([replica(), replica(), replica()]);
    const responses = await Promise.all(Array.from({ length: 30 }, () => ask('count', 'count=100&everyMs=20')));
    const pidOf = (response: ExchangeResponse): number => Number(response.head.headers.pid);
    const dead = responses.filter((response) => pidOf(response) === victim.pid);
    const living = responses.filter((response) => pidOf(response) !== victim.pid);
    expect(dead.length).toBeGreaterThan(0);
    const failures = dead.map((response) =>
      read(response).then(
        () => undefined,
        (error: unknown) => ({ error, at: performance.now() }),
      ),
    );
    const finished = living.map(read);
    victim.kill('SIGKILL');
    const killedAt = performance.now();
    for (const failure of await Promise.all(failures)) {
      expect(failure?.error).toMatchObject({ code: 'unavailable', status: 503 });
      // Without the news from NATS, its silence is noticed after ten seconds.
      expect(failure!.at - killedAt).toBeLessThan(patient(9_000));
    }
    for (const text of await Promise.all(finished)) expect(text).toBe(lines(100));
  });

  test('when NATS is killed and restarted, all streams complete without lost or repeated bytes', async () => {
    await Promise.all([replica(), replica()]);
    const responses = await Promise.all(Array.from({ length: 100 }, () => ask('count', 'count=200&everyMs=10')));
    const finished = responses.map(read);
    await server.kill('SIGKILL');
    await server.restart();
    for (const text of await Promise.all(finished)) expect(text).toBe(lines(200));
  });

  test('streams at full speed survive a restart of NATS', async () => {
    await replica();
    const responses = await Promise.all(Array.from({ length: 20 }, () => ask('count', 'count=20000&bytes=300')));
    const finished = responses.map(read);
    await server.kill('SIGKILL');
    await server.restart();
    for (const text of await Promise.all(finished)) {
      expect(
        text
          .split('\n')
          .map((line) => Number.parseInt(line, 10))
          .slice(0, -1),
      ).toEqual(Array.from({ length: 20_000 }, (_, index) => index));
    }
  });

  test('while NATS is down, a new request fails at once; it works again after the restart', async () => {
    await replica();
    await server.kill('SIGKILL');
    await expect.poll(() => link.connected()).toBe(false);
    await expect(ask('who')).rejects.toMatchObject({ code: 'unavailable' });
    await server.restart();
    await expect.poll(outcome).toBe('accepted');
  });

  test('running exchanges fail on both sides when NATS is down for half a minute, and not before', async () => {
    const child = await replica();
    const aborted: string[] = [];
    child.stdout?.on('data', (text) => aborted.push(...String(text).trim().split('\n')));
    const ended: { code: string; afterMs: number }[] = [];
    let awayAt = 0;
    const end = (error: { code: string }): void =>
      void ended.push({ code: error.code, afterMs: performance.now() - awayAt });
    for (let index = 0; index < 12; index++) ask('hold', '', 1_200_000).catch(end);
    const streams = await Promise.all(
      Array.from({ length: 12 }, () => ask('count', 'count=1000000&everyMs=20', 1_200_000)),
    );
    await expect.poll(async () => (await state()).active).toBe(25);
    for (const stream of streams) read(stream).catch(end);
    // Started after them and answered over the same connection, so they have been confirmed, too.
    await read(await ask('count', 'count=10&everyMs=20'));
    awayAt = performance.now();
    await server.kill('SIGKILL');
    for (let index = 0; index < 3; index++) ask('hold', '', 1_200_000).catch(end);
    await expect.poll(() => ended.length).toBe(27);
    expect(new Set(ended.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    const [sent, ran] = [ended.slice(0, 3), ended.slice(3)];
    // Requests sent while NATS was down were not confirmed by a replica.
    for (const { afterMs } of sent) expect(afterMs).toBeLessThan(patient(20_000));
    for (const { afterMs } of ran) {
      expect(afterMs).toBeGreaterThan(29_500);
      expect(afterMs).toBeLessThan(patient(39_000));
    }
    await expect.poll(() => aborted).toEqual(Array.from({ length: 12 }, () => 'aborted: unavailable'));
    await server.restart();
    await expect.poll(outcome).toBe('accepted');
    expect((await state()).active).toBe(1);
  });

  test('when a requester is killed, its requests are aborted', async () => {
    await replica();
    const requester = await startProgram('requester', server.url);
    await expect.poll(async () => (await state()).active).toBe(11);
    requester.kill('SIGKILL');
    await expect.poll(async () => (await state()).active).toBe(1);
  });

  test('a request refused by a saturated replica is tried once on another', async () => {
    await replica('1');
    void hold();
    await expect.poll(outcome).toBe('overloaded');
    const free = await replica('1000');
    const pids = new Set<number>();
    for (let index = 0; index < 20; index++) pids.add((await state()).pid);
    expect([...pids]).toEqual([free.pid]);
  });

  test('fails with overloaded at once when every replica is saturated', async () => {
    await Promise.all([replica('1'), replica('1')]);
    for (let index = 0; index < 2; index++) void hold();
    await expect.poll(outcome).toBe('overloaded');
    const askedAt = performance.now();
    expect(await outcome()).toBe('overloaded');
    // Half of the time that the request would wait.
    expect(performance.now() - askedAt).toBeLessThan(patient(15_000));
  });

  test('on SIGTERM a replica finishes its streams and accepts no new ones', async () => {
    const child = await replica();
    const running = await ask('count', 'count=50&everyMs=10');
    const finished = read(running);
    child.kill('SIGTERM');
    const exited = once(child, 'exit');
    await expect.poll(outcome).toBe('unavailable');
    expect(await finished).toBe(lines(50));
    expect(await exited).toEqual([0, null]);
  });

  test('50 slow readers do not grow the memory of either process', async () => {
    await replica();
    const before = { own: process.memoryUsage().rss, replica: (await state()).rss };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ask('count', 'count=100000&bytes=1000')));
    const after = await settledMemory();
    // 50 streams of 100 MB each are pending; each side may buffer one credit window of 1 MiB per stream.
    expect(after.own - before.own).toBeLessThan(250 * 1024 * 1024);
    expect(after.replica - before.replica).toBeLessThan(250 * 1024 * 1024);
    for (const response of responses) response.body.cancel();
    await expect.poll(async () => (await state()).active).toBe(1);
  });

  test('NATS tooling finds the service by $SRV.PING, INFO and STATS', async () => {
    await replica();
    await state();
    const connection = await connect({ servers: server.url });
    const query = async (verb: string) =>
      (await connection.request(`$SRV.${verb}.replica`)).json<Record<string, unknown>>();
    expect(await query('PING')).toMatchObject({
      type: 'io.nats.micro.v1.ping_response',
      name: 'replica',
      version: '1.0.0',
    });
    expect(await query('INFO')).toMatchObject({
      type: 'io.nats.micro.v1.info_response',
      endpoints: expect.arrayContaining([expect.objectContaining({ name: 'count', subject: subject('count') })]),
    });
    const stats = await query('STATS');
    expect(stats).toMatchObject({ type: 'io.nats.micro.v1.stats_response', name: 'replica' });
    await connection.close();
  });
});
