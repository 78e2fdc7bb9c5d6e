import type { Offer } from '@switchyard/contracts';
import { defaultRouting } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import { uptimeOf } from '../standing/uptime.ts';

/** An offer that nobody has seen, but for what the test changes. */
export const standingOf = (changes: Partial<Standing> = {}): Standing => ({
  uptime: uptimeOf({ good: 0, bad: 0 }, defaultRouting.presumedAnswers),
  latency: { mean: 0, samples: 0 },
  throughput: { mean: 0, samples: 0 },
  breaker: 'closed',
  cooldownMs: 0,
  ...changes,
});

/** Much data with this uptime. */
export const seen = (ratio: number, samples = 10_000): Pick<Standing, 'uptime'> => ({
  uptime: uptimeOf({ good: ratio * samples, bad: (1 - ratio) * samples }, defaultRouting.presumedAnswers),
});

/** Standings by provider; the others are unseen. */
export const standingsOf =
  (byProvider: Record<string, Partial<Standing>>) =>
  ({ providerId }: Offer): Standing =>
    standingOf(byProvider[providerId]);
