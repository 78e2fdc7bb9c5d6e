import type { ScoreWeights } from '@tallyport/contracts';

/** When a prefixed model, `openai/gpt-6-luna`, may be answered by another provider. */
export const prefixFallbacks = ['unhealthy', 'any-failure'] as const;

export type PrefixFallback = (typeof prefixFallbacks)[number];

/** How routing decides. Operators may change a part of it (`ROUTING_*`). */
export interface RoutingSettings {
  /**
   * The weight of each factor, for accounts without weights of their own. Only their ratios matter, and only among the
   * factors with a known value.
   */
  weights: Readonly<ScoreWeights>;
  /** That of the price for image requests, which cost more and differ more in price. */
  imagePriceWeight: number;
  /** The model that `auto` selects for image requests. */
  imageAutoModel: string;
  /** An offer whose uptime has a lower bound below this is not tried first while a healthy offer exists. */
  healthyUptime: number;
  /** When a prefixed model may be answered by another provider, unless the client asks for something else. */
  prefixFallback: PrefixFallback;
  /** Below this uptime the score drops faster than in proportion. */
  penalisedBelowUptime: number;
  /** The share of requests that try another healthy offer first, so that its measurements stay current. */
  exploration: number;
  /** Scores within this distance are a tie: catalogue order decides, so noise does not move traffic. */
  tieMargin: number;
  /** After this time an event has one sixteenth of its weight left: it halves four times. */
  healthWindowMs: number;
  /** Successes credited to an untried offer; a few failures outweigh them. */
  presumedAnswers: number;
  /** With fewer attempts than this, an offer has to recover once its uptime is below `penalisedBelowUptime`. */
  probationSamples: number;
  /** How long the chats of a conversation stay with the offer that served one; 0 means not at all. */
  affinityMs: number;
  /** Chats that begin with this many equal characters count as one conversation. */
  affinityCharacters: number;
  breaker: BreakerSettings;
  /** How long a refused key is benched while another one works. */
  keyBenchMs: number;
  /** The longest `Retry-After` that is honoured. */
  maxCooldownMs: number;
}

export type FactorName = keyof ScoreWeights;

export interface BreakerSettings {
  /** Opens above this percentage of failures … */
  errorPercentage: number;
  /** … among at least this many calls in the window … */
  volume: number;
  windowMs: number;
  /** … or after this many consecutive failures, which an outage causes within moments. */
  failuresInARow: number;
  /** How long a breaker stays open before it permits one probe, and the longest pause between two trial requests. */
  resetMs: number;
  /** How long the breaker of an unused offer is kept. */
  idleMs: number;
}

export const defaultRouting: RoutingSettings = {
  weights: { uptime: 0.5, throughput: 0.2, price: 0.2, latency: 0.1 },
  imagePriceWeight: 0.4,
  imageAutoModel: 'gemini-3-pro-image-preview',
  healthyUptime: 0.9,
  prefixFallback: 'unhealthy',
  penalisedBelowUptime: 0.95,
  exploration: 0.01,
  tieMargin: 0.02,
  healthWindowMs: 300_000,
  presumedAnswers: 30,
  probationSamples: 100,
  affinityMs: 600_000,
  affinityCharacters: 4_000,
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

/** The time after which an observation of an offer has half its weight. */
export const halfLifeOf = ({ healthWindowMs }: Pick<RoutingSettings, 'healthWindowMs'>): number => healthWindowMs / 4;
