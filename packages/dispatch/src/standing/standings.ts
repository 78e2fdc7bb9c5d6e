import { type Offer, oncePer } from '@tallyport/contracts';
import { boundedMap } from './bounded-map.ts';
import type { FailureType } from '../failure/attempt-failure.ts';
import { type RoutingSettings, halfLifeOf } from '../settings.ts';
import { type BreakerState, type Breakers, createBreakers } from './breakers.ts';
import { type Health, createHealth } from './health.ts';
import { createRecoveries, type Recoveries } from './recoveries.ts';
import type { RecoveryProgress } from './recovery.ts';
import type { Tally } from './tally.ts';
import { type Uptime, uptimeOf } from './uptime.ts';

/** The current state of an offer: everything that a plan weighs besides the catalogue. */
export interface Standing {
  /** While an offer recovers, of what happened since its return. */
  uptime: Uptime;
  latency: Mean;
  throughput: Mean;
  breaker: BreakerState;
  /** For how long the provider asked not to be called; 0 if it did not. */
  cooldownMs: number;
  /** Absent for an offer that has its share of the requests. */
  recovery?: RecoveryProgress | undefined;
}

/** A mean and its weight; without weight the mean is meaningless. */
export interface Mean {
  /** Milliseconds to the first content, or tokens per second. */
  mean: number;
  samples: number;
}

interface LastFault {
  type: FailureType;
  /** Milliseconds since 1970. */
  at: number;
}

/** What this replica knows of all offers. No method waits: health is shared with the store in the background. */
export interface Standings {
  of(offer: Offer): Standing;
  /** The uptime over the whole window, also of an offer that recovers. */
  uptime(offer: Offer): Uptime;
  /** Makes a call of an offer; see `Recoveries`. */
  call(offer: Offer, ...call: CallOfOffer): Promise<void> | undefined;
  lastFault(offer: Offer): LastFault | undefined;
  readonly breakers: Breakers;
  readonly health: Health;
  /** An attempt succeeded; `latencyMs` is the time to the first content of a stream. */
  answered(offer: Offer, latencyMs: number | undefined): void;
  /** A complete answer, for the throughput. */
  delivered(offer: Offer, tokens: number, tookMs: number): void;
  failed(offer: Offer, fault: OfferFault): void;
  /** A stream that had counted as a success failed after its first content. */
  brokeOff(offer: Offer, type: FailureType): void;
  close(): void;
}

type CallOfOffer = Parameters<Recoveries['call']> extends [string, ...infer Rest] ? Rest : never;

interface OfferFault {
  type: FailureType;
  retryAfterMs?: number | undefined;
}

interface StandingsOptions {
  settings: RoutingSettings;
  /** Milliseconds of a monotonic clock: changing the system clock must not change the standings. */
  monotonic?(): number;
  wallClock?(): number;
  onBreaker?(offerKey: string, state: BreakerState): void;
}

/**
 * The key of an offer: one provider's model is one offer, under any name in the catalogue. Every request looks its offers
 * up several times, and a new text has to be hashed each time.
 */
export const offerKey = oncePer(({ providerId, modelName }: Offer): string => `${providerId}/${modelName}`);

const mostOffers = 10_000;

/** More than any answer has. The sum of two absurd figures could overflow. */
const mostTokens = 100_000_000;

export function createStandings(options: StandingsOptions): Standings {
  const { settings, monotonic = () => performance.now(), wallClock = Date.now, onBreaker } = options;
  const health = createHealth({ halfLifeMs: halfLifeOf(settings), now: monotonic });
  const breakers = createBreakers({ settings: settings.breaker, ...(onBreaker && { onChange: onBreaker }) });
  // Offers may be missing from the catalogue: clients can name any number of models.
  const coolUntil = boundedMap<number>(mostOffers);
  const faults = boundedMap<LastFault>(mostOffers);
  const { tally: tallyOf } = health;
  const recoveries = createRecoveries({ settings, breakers, tally: tallyOf, now: monotonic, mostOffers });

  return {
    breakers,
    health,
    uptime: (offer) => uptimeOf(tallyOf(offerKey(offer)), settings.presumedAnswers),
    call: (offer, ...call) => recoveries.call(offerKey(offer), ...call),
    of(offer) {
      const key = offerKey(offer);
      const tally = tallyOf(key);
      const { uptime, recovery } = recoveries.of(key, tally);
      return {
        uptime,
        recovery,
        latency: latencyOf(tally),
        throughput: throughputOf(tally),
        breaker: breakers.state(key),
        cooldownMs: Math.max(0, (coolUntil.get(key) ?? 0) - monotonic()),
      };
    },
    lastFault: (offer) => faults.get(offerKey(offer)),
    answered(offer, latencyMs) {
      health.record(offerKey(offer), latencyMs === undefined ? { good: 1 } : { good: 1, latencyMs, latencies: 1 });
    },
    delivered(offer, tokens, tookMs) {
      // The figures are the vendor's and may be anything.
      if (tokens > 0 && tookMs > 0 && tokens <= mostTokens)
        health.record(offerKey(offer), { tokens, answeringMs: tookMs });
    },
    failed(offer, { type, retryAfterMs }) {
      const key = offerKey(offer);
      health.record(key, { bad: 1 });
      faults.set(key, { type, at: wallClock() });
      if (retryAfterMs === undefined) return;
      coolUntil.set(key, monotonic() + Math.min(retryAfterMs, settings.maxCooldownMs));
    },
    brokeOff(offer, type) {
      const key = offerKey(offer);
      health.record(key, { good: -1, bad: 1 });
      faults.set(key, { type, at: wallClock() });
      void recoveries.call(key, 'usual', async () => 'failed');
    },
    close: () => breakers.close(),
  };
}

const latencyOf = ({ latencyMs, latencies }: Tally): Mean => ({
  mean: latencies > 0 ? latencyMs / latencies : 0,
  samples: Math.max(0, latencies),
});

/** The weight of a throughput is the number of seconds observed. */
const throughputOf = ({ tokens, answeringMs }: Tally): Mean => ({
  mean: answeringMs > 0 ? (tokens * 1000) / answeringMs : 0,
  samples: Math.max(0, answeringMs / 1000),
});
