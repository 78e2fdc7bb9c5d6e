import { GatewayError, type Principal } from '@tallyport/contracts';
import { startTcpRelay } from '@tallyport/database/testing';
import { openStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { type Budgets, createBudgets } from '../../packages/serving/src/metering/budgets/budgets.ts';
import { waitUntil } from '../support/probe.ts';
import { startRedis } from '../support/servers.ts';

// Long: it kills Redis.
// About: packages/serving/src/metering, packages/store/src.

const cent = 10_000_000;
/** Large enough that a replica's share of it suffices, because Redis may be too slow for the first amounts. */
const budgets = { key: { amount: '100', period: 'month' } } as const;
const principal: Principal = { accountId: 'account', keyId: 'key', budgets };

async function openReplica(url: string) {
  const store = await openStore({ url });
  const opened = createBudgets({
    store,
    replicas: { count: () => 1 },
    whenAway: 'allow',
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  const stop = async () => {
    await opened.stop();
    await store.close();
  };
  return { budgets: opened, connected: () => store.state().connected, stop };
}

/** Asks for more than the budget has, and returns the refusal, which names what was spent and reserved. */
async function books(from: Budgets): Promise<string> {
  const refused = await from.reserve({ principal, wanted: () => 100_000 * cent, ttlMs: 60_000 });
  return refused instanceof GatewayError ? refused.message : 'granted';
}

test.each([
  ['loses the connection', false],
  ['is killed, and has kept its data,', true],
])('a settlement counts once if Redis carries it out and %s before it answers', async (_what, isKilled) => {
  const redis = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  const relay = await startTcpRelay(redis.url);
  const [replica, watcher] = await Promise.all([openReplica(relay.url), openReplica(redis.url)]);
  try {
    const reserve = (cents: number) =>
      replica.budgets.reserve({ principal, wanted: () => cents * cent, ttlMs: 600_000 });
    const [settled, other] = [await reserve(30), await reserve(10)];
    if (settled instanceof GatewayError || other instanceof GatewayError) throw new Error('not granted');
    // While Redis is slower than a command may take, an amount is reserved here and reported to Redis later.
    await expect.poll(() => books(watcher.budgets)).toMatch(/\$0.0000 spent, \$0.4000 reserved/);
    relay.loseAnswers();
    settled?.settle(20 * cent, new Date());
    await expect.poll(() => books(watcher.budgets)).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
    if (isKilled) {
      await redis.kill();
      await redis.restart();
      await waitUntil('Redis to be back', () => watcher.connected());
    }
    // The replica notices that the connection is dead, connects again and sends the settlement again.
    await expect.poll(() => books(replica.budgets)).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
    await waitUntil('the replica to be back', () => replica.connected());
    expect(await books(replica.budgets)).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
    expect(await books(watcher.budgets)).toMatch(/\$0.2000 spent, \$0.1000 reserved/);
    other?.settle(10 * cent, new Date());
    await expect.poll(() => books(watcher.budgets)).toMatch(/\$0.3000 spent/);
  } finally {
    await Promise.all([replica.stop(), watcher.stop()]);
    await relay.close();
    await redis.stop();
  }
});
