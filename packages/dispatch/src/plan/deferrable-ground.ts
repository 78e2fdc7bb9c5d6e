import type { Offer } from '@tallyport/contracts';
import { findChatProvider } from '@tallyport/providers';
import { type PlanGround, withoutExploring } from './plan.ts';
import type { Standing } from '../standing/standings.ts';

/** Whether its vendor has batches. */
export const hasBatches = ({ providerId }: Offer): boolean => findChatProvider(providerId)?.batches !== undefined;

/**
 * What a line is planned with that a batch of a vendor may answer hours later, at a lower price: no moment's trouble of that vendor,
 * and no exploration, is a reason to have it answered elsewhere now.
 */
export const groundOfDeferrable = (ground: PlanGround): PlanGround => ({
  ...withoutExploring(ground),
  standing: (offer) => (hasBatches(offer) ? untroubled(ground.standing(offer)) : ground.standing(offer)),
});

const untroubled = ({ latency, throughput, uptime }: Standing): Standing => ({
  latency,
  throughput,
  uptime: { ...uptime, ratio: undefined, expected: 1, lower: 1, upper: 1 },
  breaker: 'closed',
  cooldownMs: 0,
});
