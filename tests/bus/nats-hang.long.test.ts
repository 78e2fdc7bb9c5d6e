import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExchangeRequest, ExchangeResponse, Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNats, type TestServer } from '../support/servers.ts';
import { resume, suspend } from '../support/suspend.ts';
import { startProgram } from './start-program.ts';
import { patient } from '../support/patience.ts';

// Long: it suspends servers and processes.
// About: packages/bus/src.

const subject = (operation: string): string => `tp.s.replica.${operation}`;

describe('processes that hang and resume', () => {
  let server: TestServer;
  let link: Link;
  /** A frozen replica resumes when this file exists. */
  let thaw: string;

  beforeEach(async () => {
    server = await startNats();
    thaw = join(mkdtempSync(join(tmpdir(), 'tallyport-test-')), 'thaw');
    link = await natsLink({ url: server.url, name: 'test' });
  });
  afterEach(async () => {
    resume(server.pid);
    await link.close();
    await server.stop();
    rmSync(dirname(thaw), { recursive: true });
  });

  const ask = (
    operation: string,
    { query = '', timeoutMs = 30_000, ...more }: { query?: string; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<ExchangeResponse> => {
    const request: ExchangeRequest = {
      head: { requestId: 'r', timeoutMs, headers: {}, query },
      body: Buffer.from('{}'),
      ...more,
    };
    return link.open(subject(operation), request);
  };
  const read = async (response: ExchangeResponse): Promise<string> =>
    Buffer.from(await response.body.bytes()).toString();
  const startedRequests = async (): Promise<string[]> => JSON.parse(await read(await ask('begun')));
  const freeze = (replica: ChildProcess, timeoutMs?: number): Promise<string> =>
    outcome(ask('freeze', { query: `pid=${replica.pid}&until=${thaw}`, timeoutMs }));
  const outcome = (response: Promise<ExchangeResponse>): Promise<string> =>
    response.then(read).catch((error: { code: string }) => error.code);

  test('a resumed replica starts only requests whose caller still waits', async () => {
    const replica = await startProgram('replica', server.url);
    await read(await ask('note', { query: 'before' }));
    await suspend(replica.pid);
    const left = new AbortController();
    const gone = [
      ...Array.from({ length: 20 }, (_, index) => outcome(ask('note', { query: `late ${index}`, timeoutMs: 1_200 }))),
      ...Array.from({ length: 20 }, (_, index) =>
        outcome(ask('note', { query: `left ${index}`, signal: left.signal })),
      ),
      ...Array.from({ length: 20 }, (_, index) => outcome(ask('note', { query: `refused ${index}` }))),
    ];
    await Promise.all(gone.slice(0, 20));
    left.abort();
    expect(new Set(await Promise.all(gone))).toEqual(
      new Set(['deadline_exceeded', 'client_closed_request', 'unavailable']),
    );
    const waiting = outcome(ask('note', { query: 'still waited for' }));
    // Abandoned after the previous one, by more than the time after which a replica checks a request.
    expect(await outcome(ask('note', { query: 'the last', timeoutMs: 1_200 }))).toBe('deadline_exceeded');
    resume(replica.pid);
    expect(await waiting).toBe('still waited for');
    expect(await startedRequests()).toEqual(['before', 'still waited for']);
  });

  test('does not start abandoned requests that a hung broker delivers late', async () => {
    await startProgram('replica', server.url);
    await read(await ask('note', { query: 'before' }));
    await suspend(server.pid);
    const asked = Array.from({ length: 20 }, (_, index) => outcome(ask('note', { query: `refused ${index}` })));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['unavailable']));
    resume(server.pid);
    await expect.poll(() => link.connected()).toBe(true);
    await expect.poll(() => outcome(ask('note', { query: 'after' }))).toBe('after');
    expect(await startedRequests()).toEqual(['before', 'after']);
  });

  test('while a broker hangs, no new request waits for its own deadline', async () => {
    await startProgram('replica', server.url);
    await read(await ask('note', { query: 'before' }));
    await suspend(server.pid);
    const ended: { code: string; afterMs: number }[] = [];
    let count = 0;
    const timer = setInterval(() => {
      const askedAt = performance.now();
      count++;
      void outcome(ask('note', { query: `refused ${count}` })).then((code) =>
        ended.push({ code, afterMs: performance.now() - askedAt }),
      );
    }, 200);
    // Wait until the connection is closed.
    await expect.poll(() => link.connected()).toBe(false);
    clearInterval(timer);
    await expect.poll(() => ended.length).toBe(count);
    expect(new Set(ended.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(Math.max(...ended.map(({ afterMs }) => afterMs))).toBeLessThan(patient(20_000));
  });

  test('a resumed replica aborts requests that its requester abandoned', async () => {
    const replica = await startProgram('replica', server.url);
    const running = await ask('count', { query: 'count=100000&everyMs=20', timeoutMs: 600_000 });
    const reading = outcome(Promise.resolve(running));
    await suspend(replica.pid);
    expect(await reading).toBe('unavailable');
    resume(replica.pid);
    const active = async (): Promise<number> => JSON.parse(await read(await ask('who'))).active;
    await expect.poll(active).toBe(1);
  });

  test('a requester that hung longer than its replica waited gets an error when it resumes', async () => {
    await startProgram('replica', server.url);
    const requester = await startProgram('requester', server.url);
    const ended: string[] = [];
    requester.stdout?.on('data', (line) => ended.push(...String(line).trim().split('\n')));
    const active = async (): Promise<number> => JSON.parse(await read(await ask('who'))).active;
    await expect.poll(active).toBe(11);
    await suspend(requester.pid);
    await expect.poll(active).toBe(1);
    resume(requester.pid);
    await expect.poll(() => ended).toEqual(Array.from({ length: 10 }, () => 'unavailable'));
  });

  test('a replica that hung during a request does not pay for it if another replica answered it', async () => {
    const first = await startProgram('replica', server.url);
    const said: string[] = [];
    first.stdout?.on('data', (data) => said.push(...String(data).trim().split('\n')));
    const asked = [outcome(ask('pay', { query: 'once' })), freeze(first)];
    const second = await startProgram('replica', server.url);
    const { head } = await ask('pay', { query: 'another' });
    expect(head.headers.pid).toBe(`${second.pid}`);
    expect(await asked[0]).toBe('once');
    writeFileSync(thaw, '');
    await expect.poll(() => said).toEqual(['not paid: RequestDismissed client_closed_request']);
  });

  test('it does not pay either if its deadline passes before it reads the dismissal', async () => {
    const first = await startProgram('replica', server.url);
    const said: string[] = [];
    first.stdout?.on('data', (data) => said.push(...String(data).trim().split('\n')));
    const askedAt = performance.now();
    const asked = [outcome(ask('pay', { query: 'once', timeoutMs: 6_000 })), freeze(first, 1_500)];
    await startProgram('replica', server.url);
    expect(await asked[0]).toBe('once');
    await expect.poll(() => performance.now() - askedAt).toBeGreaterThan(6_500);
    writeFileSync(thaw, '');
    await expect.poll(() => said).toEqual(['not paid: RequestDismissed client_closed_request']);
  });

  test('while one of two replicas hangs, requests use the other one, and both after it resumes', async () => {
    const [hung, other] = await Promise.all([startProgram('replica', server.url), startProgram('replica', server.url)]);
    const pids = async (): Promise<Set<string>> => {
      const asked = Array.from({ length: 40 }, async (_, index) => {
        const answer = await ask('note', { query: `${index}` }).catch((error: { code: string }) => error.code);
        return typeof answer === 'string' ? answer : (answer.head.headers.pid ?? '');
      });
      return new Set(await Promise.all(asked));
    };
    expect(await pids()).toEqual(new Set([`${hung?.pid}`, `${other?.pid}`]));
    await suspend(hung?.pid);
    // Requests move to the other replica before any of them fails.
    expect(await pids()).toEqual(new Set([`${other?.pid}`]));
    const startedAt = performance.now();
    for (let round = 0; round < 20; round++) expect(await pids()).toEqual(new Set([`${other?.pid}`]));
    expect(performance.now() - startedAt).toBeLessThan(patient(10_000));
    resume(hung?.pid);
    const both = new Set([`${hung?.pid}`, `${other?.pid}`]);
    await expect.poll(pids, { interval: 100 }).toEqual(both);
  });
});
