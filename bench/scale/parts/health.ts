import { createHealth } from '../../../packages/dispatch/src/standing/health.ts';
import { defaultRouting, halfLifeOf } from '../../../packages/dispatch/src/settings.ts';
import { shareHealth, sharingIntervalMs } from '../../../packages/dispatch/src/standing/share.ts';
import { type Gateway, gatewayOf, offers } from '../gateway.ts';
import type { Mechanism } from '../mechanism.ts';
import { inTurn, startMeteredRedis } from '../redis-meter.ts';

const everyMs = 1_000;
const halfLifeMs = halfLifeOf(defaultRouting);

const roundsPerSecond = ({ chats }: Gateway): number => (chats * 1_000) / sharingIntervalMs(everyMs, chats);
/** The same for every size of a gateway: its load grows with its replicas. */
const attemptsPerReplica = gatewayOf(1).requestsPerSecond / gatewayOf(1).chats;

export const health: Mechanism = {
  name: 'health',
  title: 'Health of offers',
  unit: 'round of one replica',
  payer: 'Redis',
  replicasOf: ({ chats }) => chats,
  unitsPerSecond: roundsPerSecond,
  async measure({ sizes, units, undo }) {
    const redis = await startMeteredRedis(undo);
    const points = [];
    for (const replicas of sizes) {
      const shares = Array.from({ length: replicas }, (_, replica) => {
        const own = createHealth({ halfLifeMs, now: () => performance.now() });
        const store = redis.store(replica);
        return {
          own,
          share: shareHealth({ store, health: own, halfLifeMs, everyMs: 3_600_000, replicas: () => replicas }),
        };
      });
      const rounds = Math.ceil(units / replicas);
      const attempts = attemptsPerReplica * (sharingIntervalMs(everyMs, replicas) / 1_000);
      const round = async (replica: number): Promise<void> => {
        const each = shares[replica];
        for (let attempt = 0; attempt < attempts; attempt += 1) each?.own.record(someOffer(), sample());
        await each?.share.now();
      };
      await fillOffers(shares[0]);
      points.push({ replicas, micros: await redis.microsPerScript(() => inTurn({ replicas, rounds }, round)) });
      await inTurn({ replicas, rounds: 1 }, async (replica) => shares[replica]?.share.stop());
    }
    return points;
  },
};

const offerName = (index: number): string => `provider-${index % 30}/family-of-models-${index}-instruct`;

/** Some models are used more often than others. */
const someOffer = (): string => offerName(Math.floor(offers * Math.random() ** 2));

const sample = () => ({
  good: 1,
  latencyMs: 200 + 800 * Math.random(),
  latencies: 1,
  tokens: 417,
  answeringMs: 3_217.7,
});

interface Sharing {
  own: ReturnType<typeof createHealth>;
  share: ReturnType<typeof shareHealth>;
}

async function fillOffers(sharing: Sharing | undefined): Promise<void> {
  for (let offer = 0; offer < offers; offer += 1) sharing?.own.record(offerName(offer), sample());
  await sharing?.share.now();
}
