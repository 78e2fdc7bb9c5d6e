import { createConcurrency } from '../../../packages/limits/src/concurrency.ts';
import { target } from '../gateway.ts';
import type { Mechanism } from '../mechanism.ts';
import { inTurn, startMeteredRedis } from '../redis-meter.ts';

/** The interval of `replicas.ts`, at which each edge renews the shares that it holds. */
const beatMs = 2_000;
/** Accounts with a limit of running requests that are busy at every edge. */
const accounts = 10;

export const concurrency: Mechanism = {
  name: 'concurrency',
  title: 'Running requests of 10 large accounts',
  unit: 'renewal of one share',
  payer: 'Redis',
  replicasOf: ({ edges }) => edges,
  mostReplicas: target,
  unitsPerSecond: ({ edges }) => (accounts * edges * 1_000) / beatMs,
  async measure({ sizes, units, undo }) {
    const redis = await startMeteredRedis(undo);
    const points = [];
    for (const replicas of sizes) {
      const edges = Array.from({ length: replicas }, (_, edge) =>
        createConcurrency({
          store: redis.store(edge),
          replicas: { self: `01234567-89ab-cdef-0123-${edge}`, count: () => replicas },
          onDecision() {},
        }),
      );
      const rule = { scope: 'account', id: `of-${replicas}`, limit: 100_000 } as const;
      await inTurn({ replicas, rounds: 1 }, async (edge) => edges[edge]?.enter(rule));
      const renew = async (edge: number): Promise<void> => {
        edges[edge]?.beat();
        // Answers arrive in the order of the commands.
        await redis.store(edge).get('none');
      };
      const rounds = Math.ceil(units / replicas);
      points.push({ replicas, micros: await redis.microsPerScript(() => inTurn({ replicas, rounds }, renew)) });
      await inTurn({ replicas, rounds: 1 }, async (edge) => edges[edge]?.stop());
    }
    return points;
  },
};
