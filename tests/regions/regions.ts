import { GatewayError, type Principal } from '@tallyport/contracts';
import { startTcpRelay, type TcpRelay } from '@tallyport/database/testing';
import { createRequestWindows, joinReplicas, type LimitVerdict } from '../../packages/limits/src/index.ts';
import { openStore } from '@tallyport/store';
import { createBudgets } from '../../packages/serving/src/metering/budgets/budgets.ts';
import { startRedis } from '../support/servers.ts';

/** The replicas of two regions that share one Redis, which is in the first region. */
export interface Regions {
  near: readonly Replica[];
  far: readonly Replica[];
  /** From now on no byte passes between the regions, and connections stay open. */
  cutLink(): void;
  stop(): Promise<void>;
}

export interface Replica {
  /** Sends requests that count towards one limit per minute. */
  request(count: number, limit: number): Promise<readonly LimitVerdict[]>;
  /** Spends this many cents of a budget of one dollar, and returns whether that was granted. */
  spend(cents: number): Promise<boolean>;
  /** How many replicas it knows. */
  count(): number;
  connected(): boolean;
  stop(): Promise<void>;
}

const cent = 10_000_000;
const principal: Principal = {
  accountId: 'account',
  keyId: 'key',
  budgets: { key: { amount: '1', period: 'month' } },
};

/** @param linkMs The time of a byte from one region to the other. */
export async function startRegions(replicas: number, linkMs: number): Promise<Regions> {
  const redis = await startRedis();
  const link: TcpRelay = await startTcpRelay(redis.url, linkMs);
  const open = (url: string) => Promise.all(Array.from({ length: replicas }, () => openReplica(url)));
  const [near, far] = await Promise.all([open(redis.url), open(link.url)]);
  return {
    near,
    far,
    cutLink: link.goSilent,
    async stop() {
      await Promise.all([...near, ...far].map((replica) => replica.stop()));
      await link.close();
      await redis.stop();
    },
  };
}

async function openReplica(url: string): Promise<Replica> {
  const store = await openStore({ url });
  const replicas = joinReplicas({ store, group: 'limits' });
  const windows = createRequestWindows({ store, windowMs: 60_000, replicas: replicas.count });
  const budgets = createBudgets({
    store,
    replicas,
    whenAway: 'allow',
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  return {
    request: (count, limit) => Promise.all(Array.from({ length: count }, async () => windows.take('account', limit))),
    async spend(cents) {
      const reserved = await budgets.reserve({ principal, wanted: () => cents * cent, ttlMs: 60_000 });
      if (reserved === undefined || reserved instanceof GatewayError) return false;
      reserved.settle(cents * cent, new Date());
      return true;
    },
    count: replicas.count,
    connected: () => store.state().connected,
    async stop() {
      await Promise.all([windows.stop(), replicas.stop(), budgets.stop()]);
      await store.close();
    },
  };
}
