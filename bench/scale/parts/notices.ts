import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../packages/bus/src/index.ts';
import { authService } from '../../../packages/contracts/src/index.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredNats } from '../nats-meter.ts';

const sent = 300;
const subscribedMs = 1_000;
const patienceMs = 20_000;
/** Each process of this machine is a link with two connections; further ones are extrapolated. */
const mostLinks = 300;
/** Each key, or its account, changes once a day. */
const secondsOfDay = 86_400;

export const notices: Mechanism = {
  name: 'notices',
  title: 'NATS: changes of keys, to all replicas',
  unit: 'change',
  payer: 'NATS',
  replicasOf: ({ edges, chats }) => edges + chats,
  mostReplicas: mostLinks,
  unitsPerSecond: ({ keys }) => keys / secondsOfDay,
  async measure({ sizes, undo }) {
    const nats = await startMeteredNats(undo);
    const { accountChanged } = createClient(await nats.open('auth-svc'), authService);
    const points = [];
    let listening = 0;
    let arrived = 0;
    /** Publishes changes, and waits until every replica has each. */
    const publish = async (count: number, everyMs: number): Promise<void> => {
      const expected = arrived + count * listening;
      for (let index = 0; index < count; index += 1, await pause(everyMs))
        accountChanged.publish({ accountId: `account-${index}` });
      for (const endAt = performance.now() + patienceMs; arrived < expected; await pause(10))
        if (performance.now() > endAt) throw new Error(`${expected - arrived} notices did not arrive`);
    };
    for (const replicas of sizes) {
      for (; listening < replicas; listening += 1) {
        const client = createClient(await nats.open('edge'), authService);
        client.accountChanged.subscribe(() => void (arrived += 1));
      }
      // Subscriptions take effect a moment later.
      await pause(subscribedMs);
      const micros = await nats.microsOf(() => publish(sent, 5));
      points.push({ replicas, micros: micros / sent });
    }
    return points;
  },
};
