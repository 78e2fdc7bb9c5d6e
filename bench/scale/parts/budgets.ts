import { GatewayError } from '../../../packages/contracts/src/index.ts';
import { createBudgets } from '../../../packages/serving/src/metering/budgets/budgets.ts';
import type { Mechanism } from '../mechanism.ts';
import { inTurn, startMeteredRedis } from '../redis-meter.ts';

/** The part of all requests that the largest account makes. Its budget is one key of Redis. */
const part = 1 / 10;
/** Reserved, then settled. */
const stepsOfRequest = 2;
/** Each asks Redis once a second whether it has lost its data; with more of them this process is too busy. */
const mostReplicas = 1_000;
const now = () => new Date('2026-11-21T20:30:00.000Z');

export const budgets: Mechanism = {
  name: 'budgets',
  title: 'Budget of the largest account',
  unit: 'step of its budget',
  payer: 'Redis',
  replicasOf: ({ chats }) => chats,
  mostReplicas,
  unitsPerSecond: ({ requestsPerSecond }) => requestsPerSecond * part * stepsOfRequest,
  async measure({ sizes, units, undo }) {
    const redis = await startMeteredRedis(undo);
    const points = [];
    for (const replicas of sizes) {
      const opened = Array.from({ length: replicas }, (_, chat) =>
        createBudgets({
          store: redis.store(chat),
          replicas: { count: () => replicas },
          now,
          whenAway: 'deny',
          waitMs: 0,
          readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
          onDecision() {},
          onNotCompared() {},
        }),
      );
      const principal = {
        accountId: `account-${replicas}`,
        keyId: 'key',
        budgets: { account: { amount: '1000000', period: 'month' as const } },
      };
      const request = async (chat: number): Promise<void> => {
        const reserved = await opened[chat]?.reserve({ principal, wanted: () => 1_000_000, ttlMs: 60_000 });
        if (reserved === undefined || reserved instanceof GatewayError) throw reserved ?? new Error('no budget');
        reserved.settle(900_000, now());
        // Answers arrive in the order of the commands.
        await redis.store(chat).get('none');
      };
      await inTurn({ replicas, rounds: 1 }, request);
      const rounds = Math.ceil(units / replicas);
      points.push({ replicas, micros: await redis.microsPerScript(() => inTurn({ replicas, rounds }, request)) });
      await Promise.all(opened.map((each) => each.stop()));
    }
    return points;
  },
};
