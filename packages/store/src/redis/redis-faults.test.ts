import { once } from 'node:events';
import { createServer } from 'node:net';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { startRedis } from '../../../../tests/support/servers.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TestContext } from 'vitest';
import { openStore } from '../open.ts';
import type { Store, StoreEvent } from '../store.ts';
import { everyOperation, nothingKnown } from '../store.suite.ts';

import { startHangableRedis } from '../testing/hangable-redis.ts';
import { redisCommand } from '../testing/redis-command.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { patient } from '../../../../tests/support/patience.ts';

const minute = 60_000;

type Finish = TestContext['onTestFinished'];

async function watched(
  url: string,
  onTestFinished: Finish,
): Promise<{ store: Store; events: StoreEvent[]; kinds: () => string[] }> {
  const events: StoreEvent[] = [];
  const store = await openStore({ url, onTrouble: (event) => events.push(event) });
  onTestFinished(() => store.close());
  return { store, events, kinds: () => events.map(({ kind }) => kind) };
}

/** Of a server that is there: on a busy machine, the first attempt to connect may be late. */
async function answering(...to: Parameters<typeof watched>): ReturnType<typeof watched> {
  const opened = await watched(...to);
  await connected(opened.store);
  opened.events.length = 0;
  return opened;
}

async function server(onTestFinished: Finish) {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis;
}

async function hangable(onTestFinished: Finish) {
  const redis = await startHangableRedis();
  onTestFinished(() => redis.end());
  return redis;
}

const deadline = { everyMs: 10 };
/** A command has succeeded as well: on a busy machine the first one of a connection may be late. */
const connected = (store: Store) =>
  waitUntil('the store to answer', async () => store.state().connected && (await store.delete('nothing')), deadline);
/** For a server that is there. On a busy machine a single command may be late, so it is sent until it is answered. */
async function answered<Answer>(command: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await waitUntil('a command to be answered', async () => (answer = await command()) !== undefined, deadline);
  return answer;
}

async function stored(store: Store): Promise<boolean> {
  await waitUntil(
    'a value to be stored',
    async () => (await store.set('b', Uint8Array.of(1), minute)) === 'stored',
    deadline,
  );
  return (await answered(() => store.get('b')))?.at(0) === 1;
}

/** Publishes on a channel until its subscriber has received that, which appends to `received`. */
async function arrives(store: Store, channel: string, received: string[]): Promise<void> {
  const publish = async () => (await store.publish(channel, Uint8Array.of(1))) && received.includes(channel);
  await waitUntil('what was published to arrive', publish, deadline);
}

const away = (store: Store) => waitUntil('the store to be disconnected', () => !store.state().connected, deadline);

function stateError(store: Store): string | undefined {
  const state = store.state();
  return state.connected ? undefined : state.error;
}

/** Each turn waits for the one before, so that waits add up. */
async function repeatedly(times: number, task: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < times; turn++) await task();
}

async function durationOf(task: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await task();
  return performance.now() - from;
}

// Each test has its own server and mostly waits.
describe.concurrent('redis faults', () => {
  test('a store can be opened before its server exists', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    await redis.kill();
    const { store, events } = await watched(redis.url, onTestFinished);
    expect(store.state()).toEqual({ connected: false, error: 'connection refused' });
    expect(await store.ping(100)).toEqual({ connected: false, error: 'connection refused' });
    expect(await everyOperation(store)).toEqual(nothingKnown);
    await redis.restart();
    await connected(store);
    expect(await answered(() => store.increment('a', 1, minute))).toBeGreaterThanOrEqual(1);
    expect(events).toEqual([
      { kind: 'away', reason: 'connection refused', error: expect.any(Error) },
      { kind: 'back', awayMs: expect.any(Number), swallowed: Object.keys(nothingKnown).length },
    ]);
  });

  test('a restart of the server affects only commands sent while it is down', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    const { store, kinds } = await answering(redis.url, onTestFinished);
    const received: string[] = [];
    store.subscribe('a', () => received.push('a'));
    const inFlight = Promise.all(Array.from({ length: 200 }, () => everyOperation(store)));
    await redis.kill();
    await inFlight;
    await away(store);
    // Many requests while disconnected cause a single event, take no time and leave nothing behind.
    await Promise.all(Array.from({ length: 10_000 }, () => store.get('a')));
    expect(await durationOf(() => repeatedly(20, () => store.get('a')))).toBeLessThan(patient(5_000));
    expect(await everyOperation(store)).toEqual(nothingKnown);
    store.subscribe('b', () => received.push('b'));
    await redis.restart();
    await connected(store);
    await arrives(store, 'a', received);
    await arrives(store, 'b', received);
    expect(kinds()).toEqual(['away', 'back']);
  });

  test('a hung server delays callers once by 500 ms, then not at all, and is used again when it resumes', async ({
    onTestFinished,
  }) => {
    const redis = await hangable(onTestFinished);
    const { store, events } = await answering(redis.url, onTestFinished);
    const late = await durationOf(async () => {
      // May take so long on a busy machine that the store's own probe finds it.
      await redis.hang();
      expect(await everyOperation(store)).toEqual(nothingKnown);
    });
    expect(late).toBeGreaterThanOrEqual(499);
    // Fifteen operations: one after the other they would take 7.5 s.
    expect(late).toBeLessThan(patient(7_000));
    expect(store.state()).toEqual({ connected: false, error: 'no answer within 500 ms' });
    expect(await durationOf(() => repeatedly(30, () => everyOperation(store)))).toBeLessThan(patient(10_000));
    expect((await store.ping(50)).connected).toBe(false);
    redis.resume();
    await connected(store);
    expect(await stored(store)).toBe(true);
    expect(events).toEqual([
      { kind: 'away', reason: 'no answer within 500 ms', error: expect.any(Error) },
      { kind: 'back', awayMs: expect.any(Number), swallowed: expect.any(Number) },
    ]);
  });

  test('a server that hangs for long is detected while idle, and its connection is replaced', async ({
    onTestFinished,
  }) => {
    const redis = await hangable(onTestFinished);
    const { store, kinds } = await answering(redis.url, onTestFinished);
    await redis.hang();
    expect(await durationOf(() => away(store))).toBeLessThan(patient(10_000));
    // After the breaker's 1 s, the probe's 0.5 s and the limit for connecting.
    await waitUntil('the next connection to fail', () => stateError(store) === 'no answer within 1500 ms', deadline);
    expect(await everyOperation(store)).toEqual(nothingKnown);
    redis.resume();
    await connected(store);
    expect(await answered(() => store.increment('a', 1, minute))).toBeGreaterThanOrEqual(1);
    expect(kinds()).toEqual(['away', 'back']);
  });

  test('a connection that has silently died is replaced', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    const proxy = await startTcpProxy(Number(new URL(redis.url).port));
    onTestFinished(() => proxy.end());
    const { store, kinds } = await answering(`redis://127.0.0.1:${proxy.port}`, onTestFinished);
    const received: string[] = [];
    store.subscribe('a', () => received.push('a'));
    const count = await answered(() => store.increment('a', 1, minute));
    proxy.swallow();
    await away(store);
    await connected(store);
    expect(await answered(() => store.increment('a', 0, minute))).toBe(count);
    await arrives(store, 'a', received);
    expect(kinds()).toEqual(['away', 'back']);
  });

  test('a server that accepts connections but never answers delays neither opening nor closing', async ({
    onTestFinished,
  }) => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const address = mute.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const opening = openStore({ url: `redis://127.0.0.1:${address.port}` });
    expect(await durationOf(() => opening)).toBeLessThan(patient(10_000));
    const store = await opening;
    expect(store.state().connected).toBe(false);
    expect(await durationOf(() => store.close())).toBeLessThan(patient(5_000));
  });

  test('a hung server delays closing by half a second at most', async ({ onTestFinished }) => {
    const redis = await hangable(onTestFinished);
    const { store } = await answering(redis.url, onTestFinished);
    await redis.hang();
    const value = store.get('a');
    expect(await durationOf(() => store.close())).toBeLessThan(patient(5_000));
    expect(await value).toBeUndefined();
  });

  test('a wrong password is reported as access denied and never repeated', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    await redisCommand(redis.url, ['CONFIG', 'SET', 'requirepass', 'right']);
    const { store, events } = await watched(redis.url.replace('//', '//:wrong@'), onTestFinished);
    expect(store.state()).toEqual({ connected: false, error: 'access denied' });
    expect(JSON.stringify(events)).not.toContain('wrong');
    const right = await answering(redis.url.replace('//', '//:right@'), onTestFinished);
    expect(right.store.state()).toEqual({ connected: true });
  });

  test('a database that does not exist is reported, and no other one is used', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    const { store } = await watched(`${redis.url}/99`, onTestFinished);
    expect(store.state()).toEqual({ connected: false, error: 'no such database' });
    expect(await everyOperation(store)).toEqual(nothingKnown);
    expect(await redisCommand(redis.url, ['DBSIZE'])).toBe(0);
  });

  test('a full server is reported once and recovers by itself', async ({ onTestFinished }) => {
    const redis = await server(onTestFinished);
    const { store, events } = await answering(redis.url, onTestFinished);
    await redisCommand(redis.url, ['CONFIG', 'SET', 'maxmemory', '1']);
    const from = performance.now();
    const results = await Promise.all(Array.from({ length: 20 }, () => store.set('a', Uint8Array.of(1), minute)));
    expect(new Set(results)).toEqual(new Set(['unknown']));
    expect(events).toEqual([{ kind: 'away', reason: 'cannot write', error: expect.any(Error) }]);
    // Still full after the breaker's second: there is no further event.
    await away(store);
    await waitUntil('the next probe', () => performance.now() - from > 1_300, deadline);
    expect(events.length).toBe(1);
    await redisCommand(redis.url, ['CONFIG', 'SET', 'maxmemory', '0']);
    await connected(store);
    expect(await stored(store)).toBe(true);
  });
});

test.each([
  ['before the command is sent', () => Promise.resolve()],
  ['before the answer is read', () => new Promise(setImmediate)],
])('a block of this process %s is not blamed on the server', async (_, progress) => {
  const redis = await startRedis();
  const { store, events } = await answering(redis.url, onTestFinished);
  expect(await stored(store)).toBe(true);
  // On a busy machine, the value may have been stored late.
  events.length = 0;
  const values = Array.from({ length: 10 }, () => store.get('b'));
  await progress();
  const until = performance.now() + 700;
  while (performance.now() < until);
  expect(await Promise.all(values)).toEqual(Array.from({ length: 10 }, () => Uint8Array.of(1)));
  expect(events).toEqual([]);
  await redis.stop();
});
