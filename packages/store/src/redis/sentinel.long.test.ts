import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../tests/support/probe.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { redisCommand } from '../testing/redis-command.ts';
import { type SentinelGroup, startSentinelGroup } from '../testing/sentinel.ts';

// Long: it kills a primary behind Sentinels.
// About: packages/store/src/redis.

const minute = 60_000;
const value = Buffer.from('value');

async function open(url: string): Promise<Store> {
  const store = await openStore({ url });
  onTestFinished(() => store.close());
  return store;
}

/** On a busy machine, the first command of a connection may be late. */
async function openAnswering(url: string): Promise<Store> {
  const store = await open(url);
  await expect.poll(() => store.ping(1_000)).toEqual({ connected: true });
  return store;
}

describe('a store behind Sentinels', () => {
  let group: SentinelGroup;
  let url: string;

  beforeEach(async () => {
    group = await startSentinelGroup();
    // The first Sentinel in the URL does not exist.
    url = `redis+sentinel://127.0.0.1:${await freePort()},${new URL(group.sentinel.url).host}/primary`;
    // The Sentinel finds the replica by asking the primary.
    await expect
      .poll(async () => JSON.stringify(await redisCommand(group.sentinel.url, ['SENTINEL', 'REPLICAS', 'primary'])))
      .toContain(`127.0.0.1:${new URL(group.replica.url).port}`);
  });
  afterEach(() => group.stop());

  test('uses the primary, and the replica once that is the primary', async () => {
    const store = await openAnswering(url);
    expect(await store.set('before', value, minute)).toBe('stored');
    await group.primary.kill();
    await expect.poll(() => store.set('after', value, minute)).toBe('stored');
    const direct = await openAnswering(group.replica.url);
    expect(Buffer.from((await direct.get('after')) ?? []).toString()).toBe('value');
  });

  test('leaves a primary that was made a replica', async () => {
    const store = await openAnswering(url);
    const subscribed: string[] = [];
    store.subscribe('channel', (payload) => subscribed.push(Buffer.from(payload).toString()));
    // On a busy machine the replica may not be good enough yet.
    const failOver = () => redisCommand(group.sentinel.url, ['SENTINEL', 'FAILOVER', 'primary']);
    await expect.poll(failOver).toBe('OK');
    await expect.poll(async () => String(await redisCommand(group.replica.url, ['ROLE']))).toMatch(/^master/);
    const direct = await openAnswering(group.replica.url);
    // The old primary accepts writes until the Sentinel has made it a replica.
    const written = async () => {
      await store.set('after', value, minute);
      return Buffer.from((await direct.get('after')) ?? []).toString();
    };
    await expect.poll(written).toBe('value');
    await expect
      .poll(async () => {
        await store.publish('channel', value);
        return subscribed;
      })
      .toContain('value');
  });

  test('says that the Sentinels do not know the primary', async () => {
    const store = await open(url.replace('/primary', '/other'));
    expect(store.state()).toEqual({
      connected: false,
      error: 'its Sentinels do not know the primary in the URL',
    });
  });
});
