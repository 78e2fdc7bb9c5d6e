/** Everything about choosing that an operator may want otherwise. */
export interface RoutingSettings {
  /** What counts how much; only their proportions matter, and only among the factors that are known. */
  weights: Readonly<Record<FactorName, number>>;
  /** What the price counts instead where images are made: they cost more, and differ more. */
  imagePriceWeight: number;
  /** The model that `auto` means where images are made. */
  imageAutoModel: string;
  /** Below this lower bound of its uptime an offer is not tried first while a healthy one exists. */
  healthyUptime: number;
  /** Below this the score is worse than the ratio alone makes it. */
  penalisedBelowUptime: number;
  /** Part of the requests whose first offer is another healthy one, so that it stays known. */
  exploration: number;
  /** Scores no further apart than this are a tie: catalogue order decides, and noise moves no traffic. */
  tieMargin: number;
  /** After this an event has all but lost its weight: it halves four times on the way. */
  healthWindowMs: number;
  /** Good answers that an untried offer is credited with; a few failures outweigh them. */
  presumedAnswers: number;
  /** With failures and fewer attempts than this, an offer is tried first only now and again until they are forgotten. */
  probationSamples: number;
  breaker: BreakerSettings;
  /** How long a key that a provider refused is left out when another one works. */
  keyBenchMs: number;
  /** The longest `Retry-After` that is believed. */
  maxCooldownMs: number;
}

export type FactorName = 'uptime' | 'throughput' | 'price' | 'latency';

export interface BreakerSettings {
  /** Opens above this share of failures … */
  errorPercentage: number;
  /** … among at least so many calls within the window … */
  volume: number;
  windowMs: number;
  /** … or after so many failures one after the other, which an outage makes within moments. */
  failuresInARow: number;
  /** After this one call may try whether it is over. */
  resetMs: number;
  /** An offer that is not called for this long is forgotten. */
  idleMs: number;
}

export const defaultRouting: RoutingSettings = {
  weights: { uptime: 0.5, throughput: 0.2, price: 0.2, latency: 0.1 },
  imagePriceWeight: 0.4,
  imageAutoModel: 'gemini-3-pro-image-preview',
  healthyUptime: 0.9,
  penalisedBelowUptime: 0.95,
  exploration: 0.01,
  tieMargin: 0.02,
  healthWindowMs: 300_000,
  presumedAnswers: 30,
  probationSamples: 100,
  breaker: {
    errorPercentage: 10,
    volume: 20,
    windowMs: 30_000,
    failuresInARow: 3,
    resetMs: 30_000,
    idleMs: 600_000,
  },
  keyBenchMs: 300_000,
  maxCooldownMs: 120_000,
};

/** The time in which what is remembered of an offer loses half its weight. */
export const halfLifeOf = ({ healthWindowMs }: Pick<RoutingSettings, 'healthWindowMs'>): number => healthWindowMs / 4;
