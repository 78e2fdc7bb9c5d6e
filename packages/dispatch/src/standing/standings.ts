import type { Offer } from '@switchyard/contracts';
import type { FailureType } from '../failure/attempt-failure.ts';
import { type RoutingSettings, halfLifeOf } from '../settings.ts';
import { type BreakerState, type Breakers, createBreakers } from './breakers.ts';
import { type Health, createHealth } from './health.ts';
import type { Tally } from './tally.ts';
import { type Uptime, uptimeOf } from './uptime.ts';

/** How an offer stands now: all that a plan weighs besides the catalogue. */
export interface Standing {
  uptime: Uptime;
  latency: Mean;
  throughput: Mean;
  breaker: BreakerState;
  /** The provider asked to be left alone for so long; 0 when it did not. */
  cooldownMs: number;
}

/** A mean with the weight behind it; without weight the mean says nothing. */
export interface Mean {
  /** Milliseconds to the first content, or tokens per second. */
  mean: number;
  samples: number;
}

export interface LastFault {
  type: FailureType;
  /** Milliseconds since 1970. */
  at: number;
}

/** What this replica knows of all offers. Nothing here waits for anything: the store is told and asked beside requests. */
export interface Standings {
  of(offer: Offer): Standing;
  lastFault(offer: Offer): LastFault | undefined;
  readonly breakers: Breakers;
  readonly health: Health;
  /** An attempt answered; `latencyMs` up to the first content, where it streams. */
  answered(offer: Offer, latencyMs: number | undefined): void;
  /** What a whole answer brought, for the throughput. */
  delivered(offer: Offer, tokens: number, tookMs: number): void;
  failed(offer: Offer, fault: OfferFault): void;
  /** A stream that had counted as an answer ended with a fault after its first content. */
  brokeOff(offer: Offer, type: FailureType): void;
  close(): void;
}

export interface OfferFault {
  type: FailureType;
  retryAfterMs?: number | undefined;
}

export interface StandingsOptions {
  settings: RoutingSettings;
  /** Milliseconds that never go back: a changed clock must not change what we think of anyone. */
  monotonic?(): number;
  wallClock?(): number;
  onBreaker?(offerKey: string, state: BreakerState): void;
}

/** The same model of a provider is one offer, whatever it is called in the catalogue. */
export const offerKey = ({ providerId, modelName }: Offer): string => `${providerId}/${modelName}`;

/** No answer has more; of two absurd figures the sum would be no number. */
const mostTokens = 100_000_000;

export function createStandings(options: StandingsOptions): Standings {
  const { settings, monotonic = () => performance.now(), wallClock = Date.now, onBreaker } = options;
  const health = createHealth({ halfLifeMs: halfLifeOf(settings), now: monotonic });
  const breakers = createBreakers({ settings: settings.breaker, ...(onBreaker && { onChange: onBreaker }) });
  const coolUntil = new Map<string, number>();
  const faults = new Map<string, LastFault>();

  return {
    breakers,
    health,
    of(offer) {
      const key = offerKey(offer);
      const tally = health.tally(key);
      return {
        uptime: uptimeOf(tally, settings.presumedAnswers),
        latency: latencyOf(tally),
        throughput: throughputOf(tally),
        breaker: breakers.state(key),
        cooldownMs: Math.max(0, (coolUntil.get(key) ?? 0) - monotonic()),
      };
    },
    lastFault: (offer) => faults.get(offerKey(offer)),
    answered(offer, latencyMs) {
      const latency = latencyMs === undefined ? {} : { latencyMs, latencies: 1 };
      health.record(offerKey(offer), { good: 1, ...latency });
    },
    delivered(offer, tokens, tookMs) {
      // Figures of a vendor: they may be anything.
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
      void breakers.call(key, async () => 'failed');
    },
    close: () => breakers.close(),
  };
}

const latencyOf = ({ latencyMs, latencies }: Tally): Mean => ({
  mean: latencies > 0 ? latencyMs / latencies : 0,
  samples: Math.max(0, latencies),
});

/** The weight of a throughput is the seconds it was seen for. */
const throughputOf = ({ tokens, answeringMs }: Tally): Mean => ({
  mean: answeringMs > 0 ? (tokens * 1000) / answeringMs : 0,
  samples: Math.max(0, answeringMs / 1000),
});
