import { setTimeout as pause } from 'node:timers/promises';
import { createRequestWindows } from '../../../packages/limits/src/request-windows.ts';
import { gatewayOf, target } from '../gateway.ts';
import type { Mechanism } from '../mechanism.ts';
import { inTurn, startMeteredRedis } from '../redis-meter.ts';

const { keys, requestsPerSecond } = gatewayOf(1);
const forMs = 4_000;
const everyMs = 20;
const someRule = { limit: 1_000_000, windowMs: 60_000, wanted: 1, least: 1 };

export const windows: Mechanism = {
  name: 'windows',
  title: 'Requests per minute, key and account',
  unit: 'request',
  payer: 'Redis',
  replicasOf: ({ edges }) => edges,
  mostReplicas: target,
  unitsPerSecond: (gateway) => gateway.requestsPerSecond,
  /** One account whose keys are used twice a second each, at any edge: what a request costs depends on how many there are. */
  async measure({ sizes, undo }) {
    const redis = await startMeteredRedis(undo);
    // Under load, a script costs a fraction of what one by itself does.
    const micros = await redis.microsPerScript(() =>
      inTurn({ replicas: 20, rounds: 100 }, (edge) => redis.store(edge).spend(`rate-${edge}`, someRule)),
    );
    const points = [];
    for (const replicas of sizes) {
      const edges = Array.from({ length: replicas }, (_, edge) =>
        createRequestWindows({ store: redis.store(edge), windowMs: 60_000, replicas: () => replicas }),
      );
      let requests = 0;
      const load = async (): Promise<void> => {
        const endAt = performance.now() + forMs;
        for (const startedAt = performance.now(); performance.now() < endAt; await pause(everyMs)) {
          const due = ((performance.now() - startedAt) / 1_000) * requestsPerSecond;
          for (; requests < due; requests += 1) {
            const edge = edges[Math.floor(Math.random() * replicas)];
            await edge?.take(`key-${replicas}-${requests % keys}`, 600);
            await edge?.take(`account-${replicas}`, 30_000);
          }
        }
        await Promise.all(edges.map((edge) => edge.stop()));
      };
      const scripts = await redis.scriptsOf(load);
      points.push({ replicas, micros: (micros * scripts) / requests });
    }
    return points;
  },
};
