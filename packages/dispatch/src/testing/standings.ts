import type { Offer } from '@tallyport/contracts';
import { defaultRouting } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import { uptimeOf } from '../standing/uptime.ts';

/** The standing of an untried offer, with the test's changes. */
export const standingOf = (changes: Partial<Standing> = {}): Standing => ({
  uptime: uptimeOf({ good: 0, bad: 0 }, defaultRouting.presumedAnswers),
  latency: { mean: 0, samples: 0 },
  throughput: { mean: 0, samples: 0 },
  breaker: 'closed',
  cooldownMs: 0,
  ...changes,
});

/** An uptime with many samples. */
export const seen = (ratio: number, samples = 10_000): Pick<Standing, 'uptime'> => ({
  uptime: uptimeOf({ good: ratio * samples, bad: (1 - ratio) * samples }, defaultRouting.presumedAnswers),
});

/** Standings by provider; other providers are untried. */
export const standingsOf =
  (byProvider: Record<string, Partial<Standing>>) =>
  ({ providerId }: Offer): Standing =>
    standingOf(byProvider[providerId]);
