import { describe, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { startRedis } from '../../../../tests/support/servers.ts';
import { resume, suspend } from '../../../../tests/support/suspend.ts';
import { openStore } from '../open.ts';
import type { Store, StoreEvent } from '../store.ts';
import { everyOperation, nothingKnown } from '../store.suite.ts';
import { moveSlot, type RedisCluster, startRedisCluster } from '../testing/cluster.ts';
import { redisCommand } from '../testing/redis-command.ts';
import { slotOf } from './slot.ts';
import { patient } from '../../../../tests/support/patience.ts';

// Long: it kills the nodes of a cluster.
// About: packages/store/src/redis.

const minute = 60_000;
const value = Uint8Array.of(1, 2, 3);
const prefix = 'test:';

async function start(settings?: Record<string, string>): Promise<RedisCluster> {
  const cluster = await startRedisCluster(settings);
  onTestFinished(() => cluster.stop());
  return cluster;
}

async function open(url: string): Promise<{ store: Store; events: StoreEvent[] }> {
  const events: StoreEvent[] = [];
  const store = await openStore({ url, prefix, onTrouble: (event) => events.push(event) });
  onTestFinished(() => store.close());
  return { store, events };
}

/** Once all nodes have answered: on a busy machine, the first attempt to connect may be late. */
async function openAnswering(url: string): ReturnType<typeof open> {
  const opened = await open(url);
  await expect.poll(() => works(opened.store)).toBe(true);
  opened.events.length = 0;
  return opened;
}

/** Many keys, so that each primary has some. */
const manyKeys = Array.from({ length: 60 }, (_, index) => `key-${index}`);

async function works(store: Store): Promise<boolean> {
  const results = await Promise.all(manyKeys.map((key) => store.set(key, value, minute)));
  return results.every((result) => result === 'stored') && store.state().connected;
}

/** The name of a value in Redis. */
const nameOf = (key: string) => `${prefix}value:${key}`;

async function durationOf(task: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await task();
  return performance.now() - from;
}

/** Publishes until a message arrives. */
async function receives(store: Store, channel: string): Promise<void> {
  const received: string[] = [];
  const stop = store.subscribe(channel, (payload) => received.push(Buffer.from(payload).toString()));
  const publish = async () => {
    await store.publish(channel, Buffer.from('news'));
    return received;
  };
  await expect.poll(publish).toContain('news');
  stop();
}

describe('a store in a cluster', () => {
  test('outlives a primary: its replica takes over, and other keys are served meanwhile', async () => {
    const cluster = await start({ 'cluster-require-full-coverage': 'no' });
    const { store, events } = await openAnswering(cluster.url);
    const messages: string[] = [];
    store.subscribe('channel', (payload) => messages.push(Buffer.from(payload).toString()));
    const primary = await cluster.primaryOf(`${prefix}channel:channel`);
    const [elsewhere] = await keysAt(cluster, (node) => node !== primary);
    await primary.kill();
    await waitUntil('the store to notice', () => !store.state().connected);
    expect((await store.ping(1_000)).connected).toBe(false);
    expect(await store.set(elsewhere ?? '', value, minute)).toBe('stored');
    await expect.poll(() => works(store)).toBe(true);
    await expect.poll(() => store.ping(1_000)).toEqual({ connected: true });
    const publish = async () => {
      await store.publish('channel', Buffer.from('news'));
      return messages;
    };
    await expect.poll(publish).toContain('news');
    expect([events.at(0)?.kind, events.at(-1)?.kind]).toEqual(['away', 'back']);
    await primary.restart();
    await expect.poll(() => works(store)).toBe(true);
  });

  test('delays callers once by 500 ms while a primary hangs, and only those of its keys', async () => {
    const cluster = await start();
    // No replica takes over.
    for (const { url } of cluster.nodes) await redisCommand(url, ['CONFIG', 'SET', 'cluster-node-timeout', '600000']);
    const { store, events } = await openAnswering(cluster.url);
    const hung = await cluster.primaryOf(nameOf('key-0'));
    const there = await keysAt(cluster, (node) => node === hung);
    const elsewhere = manyKeys.filter((key) => !there.includes(key));
    await suspend(hung.pid);
    onTestFinished(() => resume(hung.pid));
    const late = await durationOf(() => Promise.all(there.map((key) => store.get(key))));
    expect(late).toBeLessThan(patient(4_000));
    expect(await Promise.all(elsewhere.map((key) => store.get(key)))).toEqual(elsewhere.map(() => value));
    expect(store.state()).toEqual({ connected: false, error: expect.stringMatching(/^no answer within/) });
    const turns = Array.from({ length: 20 });
    const refused = await durationOf(async () => {
      for (const _ of turns) expect(await store.get('key-0')).toBeUndefined();
    });
    expect(refused).toBeLessThan(patient(4_000));
    resume(hung.pid);
    await expect.poll(() => works(store)).toBe(true);
    expect(events).toEqual([
      { kind: 'away', reason: 'no answer within 500 ms', error: expect.any(Error) },
      { kind: 'back', awayMs: expect.any(Number), swallowed: expect.any(Number) },
    ]);
  });

  test('uses the replica of a primary that hangs for long', async () => {
    const cluster = await start();
    const { store } = await openAnswering(cluster.url);
    await receives(store, 'channel');
    const hung = await cluster.primaryOf(`${prefix}channel:channel`);
    await suspend(hung.pid);
    onTestFinished(() => resume(hung.pid));
    await waitUntil('the store to notice', () => !store.state().connected);
    await expect.poll(() => works(store)).toBe(true);
    await receives(store, 'channel');
  });

  test('answers without its cluster, and with it when all nodes are back', async () => {
    const cluster = await start();
    const { store, events } = await openAnswering(cluster.url);
    const messages: string[] = [];
    store.subscribe('channel', (payload) => messages.push(Buffer.from(payload).toString()));
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    await waitUntil('the store to notice', () => !store.state().connected);
    await durationOf(() => Promise.all(manyKeys.map((key) => store.get(key))));
    const duration = await durationOf(async () => expect(await everyOperation(store)).toEqual(nothingKnown));
    expect(duration).toBeLessThan(patient(4_000));
    const closing = await open(cluster.url);
    expect(closing.store.state()).toEqual({ connected: false, error: 'connection lost' });
    expect(await durationOf(() => closing.store.close())).toBeLessThan(patient(4_000));
    await Promise.all(cluster.nodes.map((node) => node.restart()));
    await expect.poll(() => works(store)).toBe(true);
    const publish = async () => {
      await store.publish('channel', Buffer.from('news'));
      return messages;
    };
    await expect.poll(publish).toContain('news');
    expect([events.at(0)?.kind, events.at(-1)?.kind]).toEqual(['away', 'back']);
  });

  test('counts exactly while slots move, and loses no command', async () => {
    const cluster = await start();
    const { store, events } = await openAnswering(cluster.url);
    // Keys with the same part in braces have the same slot.
    const keys = Array.from({ length: 20 }, (_, index) => `{moving}${index}`);
    const slot = slotOf('{moving}');
    const source = await cluster.primaryOf('{moving}');
    const target = cluster.nodes.slice(0, 3).find((node) => node !== source) ?? source;
    const counts: (number | undefined)[] = [];
    let rounds = 0;
    let isMoving = true;
    const counting = (async () => {
      while (isMoving) {
        counts.push(...(await Promise.all(keys.map((key) => store.increment(key, 1, minute)))));
        rounds += 1;
      }
    })();
    const someRounds = async () => {
      const until = rounds + 5;
      await waitUntil('more rounds', () => rounds > until);
    };
    for (const [from, to] of [
      [source, target],
      [target, source],
    ] as const) {
      const move = await moveSlot(slot, from, to);
      for (const step of [move.begin, move.migrate, move.end, someRounds]) {
        await someRounds();
        await step();
      }
    }
    isMoving = false;
    await counting;
    expect(counts).not.toContain(undefined);
    expect(await Promise.all(keys.map((key) => store.increment(key, 0, minute)))).toEqual(keys.map(() => rounds));
    expect(events).toEqual([]);
  });

  test('outlives a node that is asked for a moving slot and is away', async () => {
    const cluster = await start();
    const { store } = await openAnswering(cluster.url);
    const source = await cluster.primaryOf('{moving}');
    const target = cluster.nodes.slice(0, 3).find((node) => node !== source);
    if (!target) throw new Error('There are three primaries.');
    const move = await moveSlot(slotOf('{moving}'), source, target);
    await move.begin();
    await target.kill();
    expect(await Promise.all(['{moving}1', '{moving}2'].map(store.get))).toEqual([undefined, undefined]);
    await expect.poll(async () => (await store.ping(1_000)).connected).toBe(true);
  });

  test('says which address to use for a cluster, and for a server that is none', async () => {
    const cluster = await start();
    const [node] = cluster.nodes;
    const { store } = await open(node?.url ?? '');
    const reason = 'part of a cluster: use redis+cluster:// or rediss+cluster://';
    const tryAll = async () => {
      await Promise.all(manyKeys.map((key) => store.get(key)));
      return store.state();
    };
    await expect.poll(tryAll).toEqual({ connected: false, error: reason });
    const single = await startRedis();
    onTestFinished(() => single.stop());
    const wrong = await open(single.url.replace('redis:', 'redis+cluster:'));
    expect(wrong.store.state()).toEqual({ connected: false, error: 'not a cluster: use redis:// or rediss://' });
  });

  test('needs the password of the nodes, and never repeats it', async () => {
    const cluster = await start();
    for (const { url } of cluster.nodes) await redisCommand(url, ['CONFIG', 'SET', 'requirepass', 'ri@ght']);
    const { store, events } = await open(cluster.url.replace('//', '//:wrong@'));
    expect(store.state()).toEqual({ connected: false, error: 'access denied' });
    expect(JSON.stringify(events)).not.toContain('wrong');
    const right = await openAnswering(cluster.url.replace('//', '//:ri%40ght@'));
    expect(right.store.state()).toEqual({ connected: true });
  });
});

type Node = RedisCluster['nodes'][number];

async function keysAt(cluster: RedisCluster, isWanted: (node: Node) => boolean): Promise<string[]> {
  const nodes = await Promise.all(manyKeys.map((key) => cluster.primaryOf(nameOf(key))));
  return manyKeys.filter((_, index) => isWanted(nodes[index] as Node));
}
