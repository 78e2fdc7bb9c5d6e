import { setTimeout as pause } from 'node:timers/promises';
import { joinReplicas, type Replicas } from '../../../packages/limits/src/replicas.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredRedis } from '../redis-meter.ts';

/** As in `replicas.ts`. */
const beatMs = 2_000;

export const heartbeats: Mechanism = {
  name: 'heartbeats',
  title: 'Heartbeats of chat-svcs',
  unit: 'heartbeat of one replica',
  payer: 'Redis',
  replicasOf: ({ chats }) => chats,
  unitsPerSecond: ({ chats }) => (chats * 1_000) / beatMs,
  async measure({ sizes, units, undo }) {
    const redis = await startMeteredRedis(undo);
    const points = [];
    for (const replicas of sizes) {
      const joined: Replicas[] = [];
      const groups = Math.ceil(units / replicas);
      // Not at the same time: they would beat together from then on.
      for (let replica = 0; replica < replicas * groups; replica += 1) {
        joined.push(joinReplicas({ store: redis.store(replica), group: `${replicas}-${replica % groups}` }));
        await pause(beatMs / (replicas * groups));
      }
      points.push({ replicas, micros: await redis.microsPerScript(() => pause(2 * beatMs)) });
      await Promise.all(joined.map((each) => each.stop()));
    }
    return points;
  },
};
