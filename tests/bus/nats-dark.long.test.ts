import type { ChildProcess } from 'node:child_process';
import type { ExchangeResponse, Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { startTcpRelay } from '@tallyport/database/testing';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { resume, suspend } from '../support/suspend.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { startProgram } from './start-program.ts';

// Long: it waits for servers that fall silent.
// About: packages/bus/src.

/** A dark server answers nothing and closes no connection, like a machine behind a broken network. */
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterEach(() => {
  for (const server of cluster.servers) resume(server.pid);
});
afterAll(() => cluster.stop());

const urlOf = (server: number): string => cluster.urls[server] ?? '';

async function open(url: string): Promise<Link> {
  const link = await natsLink({ url, name: 'test' });
  onTestFinished(() => link.close());
  // The servers exchange their subscriptions first.
  await expect.poll(() => outcome(ask(link, 'note'))).toBe('answered');
  return link;
}

const ask = (link: Link, operation: string, query = ''): Promise<ExchangeResponse> =>
  link.open(`tp.s.replica.${operation}`, {
    head: { requestId: 'r', timeoutMs: 60_000, headers: {}, query },
    body: Buffer.from('{}'),
  });

const outcome = (response: Promise<ExchangeResponse>): Promise<string> =>
  response.then(({ body }) => body.bytes()).then(() => 'answered', (error: { code: string }) => error.code); // prettier-ignore

const pidOf = (response: Promise<ExchangeResponse>): Promise<string | undefined> =>
  response.then(({ head }) => head.headers.pid).catch(() => undefined);

interface Ended {
  askedAtMs: number;
  tookMs: number;
  code: string;
  /** The replica that answered. */
  pid: string | undefined;
}

/** Sends a request every 20 ms until `stop`, which resolves when all have ended. */
function sendSteadily(link: Link): { ended: readonly Ended[]; stop(): Promise<void> } {
  const ended: Ended[] = [];
  const running: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const askedAtMs = performance.now();
    const response = ask(link, 'note');
    const end = (code: string, pid?: string) =>
      ended.push({ askedAtMs, tookMs: performance.now() - askedAtMs, code, pid });
    running.push(outcome(response).then(async (code) => end(code, await pidOf(response))));
  }, 20);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
  onTestFinished(stop);
  return { ended, stop };
}

/** The replicas that answered requests sent after this time. */
const answeringSince = (ended: readonly Ended[], time: number): ReadonlySet<string | undefined> =>
  new Set(ended.filter(({ askedAtMs, code }) => code === 'answered' && askedAtMs >= time).map(({ pid }) => pid));

const pids = (replicas: readonly ChildProcess[]): ReadonlySet<string> => new Set(replicas.map(({ pid }) => `${pid}`));

test('a server goes dark: within seconds its clients use another one, waiting requests are answered, streams continue', async () => {
  const replicas = await Promise.all([startProgram('replica', urlOf(0)), startProgram('replica', urlOf(1))]);
  const link = await open(urlOf(0));
  const streams = await Promise.all(Array.from({ length: 4 }, () => ask(link, 'count', 'count=600&everyMs=20')));
  const lines = streams.map(async ({ body }) => Buffer.from(await body.bytes()).toString());
  const requests = sendSteadily(link);
  await expect.poll(() => requests.ended.length).toBeGreaterThan(10);

  await suspend(cluster.servers[0]?.pid);
  const darkAt = performance.now();
  await expect.poll(() => link.connected()).toBe(false);
  const leftAt = performance.now();
  await expect.poll(() => link.connected()).toBe(true);
  const movedAt = performance.now();
  // The replica that was connected to the dark server is used again, too.
  await expect.poll(() => answeringSince(requests.ended, movedAt)).toEqual(pids(replicas));
  await requests.stop();

  // Three seconds each without other load; a client that does not ping needs half a minute.
  expect({ left: leftAt - darkAt < 20_000, moved: movedAt - leftAt < 20_000 }).toEqual({ left: true, moved: true });
  const before = requests.ended.filter(({ askedAtMs }) => askedAtMs < leftAt - 1_000);
  expect(new Set(before.map(({ code }) => code))).toEqual(new Set(['answered']));
  const refused = requests.ended.filter(({ code }) => code !== 'answered');
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['unavailable']));
  expect(refused.filter(({ tookMs }) => tookMs > 20_000)).toEqual([]);
  const all = Array.from({ length: 600 }, (_, index) => `${index}\n`).join('');
  expect(await Promise.all(lines)).toEqual([all, all, all, all]);
});

test('a replica whose path to its server goes dark moves to another server; no request fails', async () => {
  const relay = await startTcpRelay(urlOf(0));
  onTestFinished(() => relay.close());
  const replicas = await Promise.all([startProgram('replica', relay.url), startProgram('replica', urlOf(1))]);
  const link = await open(urlOf(0));
  const requests = sendSteadily(link);
  await expect.poll(() => requests.ended.length).toBeGreaterThan(10);
  relay.goSilent();
  const darkAt = performance.now();
  // Requests that it had received before it moved are answered late, or by the other replica.
  await expect.poll(() => answeringSince(requests.ended, darkAt + 1_000)).toEqual(pids(replicas));
  await requests.stop();
  expect(requests.ended.filter(({ code }) => code !== 'answered')).toEqual([]);
});
