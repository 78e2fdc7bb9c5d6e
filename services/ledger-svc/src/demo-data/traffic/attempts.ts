import type { UsageRecord } from '@tallyport/contracts';
import { failuresAt } from './failures.ts';
import { type DemoModel, type DemoOffer, offersOf } from './offers.ts';
import type { Random } from './random.ts';

export interface DemoAttempts {
  attempts: UsageRecord['attempts'];
  /** The offer that answered; absent if none did. */
  served: DemoOffer | undefined;
  /** When the last attempt began, since the request was planned. */
  startMs: number;
}

/** The share of requests that try another offer first. */
const explored = 0.02;
const mostAttempts = 3;

/** Tries the offers of a model in turn until one answers, as dispatch does. */
export function attemptsAt(
  model: DemoModel,
  { daysAgo, hour, random }: { daysAgo: number; hour: number; random: Random },
): DemoAttempts {
  const offers = offersOf(model);
  const [first, ...others] = offers;
  const isExploring = others.length > 0 && random.chance(explored);
  const order = isExploring ? [...others, ...(first ? [first] : [])] : offers;
  const attempts: UsageRecord['attempts'] = [];
  let startMs = 0;
  for (const [at, offer] of order.slice(0, mostAttempts).entries()) {
    const place = {
      provider: offer.provider,
      startMs: tenths(startMs),
      reason: isExploring && at === 0 ? 'explore' : 'score',
      score: Math.round((0.12 + at * 0.21 + random.next() * 0.08) * 1_000) / 1_000,
    };
    const { share, failures } = failuresAt(offer.provider, { daysAgo, hour });
    if (!random.chance(share)) {
      attempts.push({ ...place, status: 200, error: 'none', ms: 0 });
      return { attempts, served: offer, startMs };
    }
    const failure = random.pick(failures);
    const ms = tenths(random.around(failure.ms));
    attempts.push({ ...place, status: failure.status, error: failure.error, ms });
    startMs += ms + 2;
  }
  return { attempts, served: undefined, startMs };
}

export const tenths = (value: number): number => Math.round(value * 10) / 10;
