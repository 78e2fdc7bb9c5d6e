import type { UsagePlan, UsageRecord } from '@tallyport/contracts';
import { type DemoFailure, failuresAt } from './failures.ts';
import { type DemoModel, type DemoOffer, offersOf } from './offers.ts';
import { demoPlan } from './plan.ts';
import type { Random } from './random.ts';

export interface DemoAttempts {
  attempts: UsageRecord['attempts'];
  /** The offer that answered; absent if none did. */
  served: DemoOffer | undefined;
  /** When the last attempt began, since the request was planned. */
  startMs: number;
  plan: UsagePlan | undefined;
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
  const plan = demoPlan(order, mostAttempts, isExploring ? 'explore' : 'score');
  const attempts: UsageRecord['attempts'] = [];
  let startMs = 0;
  for (const [at, offer] of order.slice(0, mostAttempts).entries()) {
    const place = {
      provider: offer.provider,
      startMs: tenths(startMs),
      reason: isExploring && at === 0 ? 'explore' : 'score',
      score: plan?.offers[at]?.score ?? 1,
    };
    const { share, failures } = failuresAt(offer.provider, { daysAgo, hour });
    if (!random.chance(share)) {
      attempts.push({ ...place, status: 200, error: 'none', ms: 0 });
      return { attempts, served: offer, startMs, plan };
    }
    const failure = random.pick(failures);
    const ms = tenths(random.around(failure.ms));
    attempts.push({ ...place, status: failure.status, error: failure.error, ms, message: messageOf(failure, offer) });
    startMs += ms + 2;
  }
  return { attempts, served: undefined, startMs, plan };
}

const messageOf = ({ status, text }: DemoFailure, { provider }: DemoOffer): string =>
  status === null ? `${provider} ${text}.` : `${provider} failed with status ${status}: ${text}.`;

export const tenths = (value: number): number => Math.round(value * 10) / 10;
