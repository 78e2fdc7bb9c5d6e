import type { Offer } from '@tallyport/contracts';
import type { FactorName, RoutingSettings } from '../settings.ts';
import type { Mean, Standing } from '../standing/standings.ts';
import { typicalPrice } from '@tallyport/pricing';
import type { WhatIf, WhatIfs } from './what-if.ts';

/** One factor of a score. */
interface Factor {
  value: number;
  /** Relative to the best candidate: 1 is the best, 2 is half as good. */
  ratio: number;
  /** Its share of the score, normalised over the factors in force. */
  weight: number;
}

export interface Score {
  /** The lowest wins. */
  total: number;
  /** The factors in force: those known for at least one candidate and relevant to the request. */
  factors: Readonly<Partial<Record<FactorName, Factor>>>;
  /** Added for an uptime below the threshold. */
  penalty: number;
  /** Added if an operator set a priority below 1. */
  priority: number;
}

export interface Entrant {
  offer: Offer;
  standing: Standing;
  /** The calling account has its own key for this provider. */
  ownKey?: true;
}

interface ScoreTerms {
  weights: RoutingSettings['weights'];
  settings: Pick<RoutingSettings, 'penalisedBelowUptime'>;
  /** Latency counts for streams only; other requests do not wait for a first content. */
  streaming: boolean;
  /** The price in USD to compare offers by; that of a typical chat when absent. */
  priceOf?: ((offer: Offer) => number | undefined) | undefined;
  /** What to assume about prices and speeds. */
  whatIfs?: WhatIfs | undefined;
}

/** Limits each factor, so that none decides alone: free beats cheap, but a dead offer never beats a live one. */
const worstRatio = 10;
/** With this many samples an offer counts half with its own mean and half with the average of all. */
const trustedSamples = 10;
/** Keeps the ratio to an uptime of zero finite. */
const leastUptime = 0.001;

/** Scores the entrants, in their order. Pure. */
export function scoreAll(entrants: readonly Entrant[], terms: ScoreTerms): Score[] {
  const columns = columnsOf(entrants, terms);
  const inForce = columns.reduce((sum, { weight }) => sum + weight, 0);
  return entrants.map(({ offer, standing }, at) => {
    const factors: Partial<Record<FactorName, Factor>> = {};
    const penalty = penaltyOf(standing.uptime.lower, terms.settings.penalisedBelowUptime);
    const priority = 1 - (offer.priority ?? 1);
    let total = penalty + priority;
    for (const { name, weight, values, ratios } of columns) {
      const factor = { value: values[at] ?? 0, ratio: ratios[at] ?? 1, weight: weight / inForce };
      factors[name] = factor;
      total += factor.weight * factor.ratio;
    }
    return { total, factors, penalty, priority };
  });
}

interface Column {
  name: FactorName;
  weight: number;
  values: number[];
  ratios: number[];
}

function columnsOf(entrants: readonly Entrant[], terms: ScoreTerms): Column[] {
  const { weights, whatIfs } = terms;
  const columns: Column[] = [];
  for (const { name, valuesOf, timesOf, ratiosOf } of measures) {
    const weight = weights[name];
    const known = weight > 0 ? valuesOf(entrants, terms) : undefined;
    if (known === undefined) continue;
    const values =
      whatIfs === undefined ? known : known.map((value, at) => value * timesOf(whatIfAt(entrants, at, whatIfs)));
    columns.push({ name, weight, values, ratios: ratiosOf(values) });
  }
  return columns;
}

/** How the values of one factor are found. */
interface Measure {
  name: FactorName;
  /** `undefined` if nothing is known of any entrant, or if the factor is irrelevant to the request. */
  valuesOf(entrants: readonly Entrant[], terms: ScoreTerms): number[] | undefined;
  /** How many times its known value an assumption makes a value. */
  timesOf(whatIf: WhatIf): number;
  ratiosOf(values: number[]): number[];
}

const measures: readonly Measure[] = [
  {
    name: 'uptime',
    valuesOf: (entrants) => entrants.map(({ standing }) => Math.max(leastUptime, standing.uptime.lower)),
    timesOf: () => 1,
    ratiosOf: higherIsBetter,
  },
  {
    name: 'throughput',
    valuesOf: (entrants) => evenedOut(entrants, ({ standing }) => standing.throughput),
    timesOf: ({ slowness = 1 }) => 1 / slowness,
    ratiosOf: higherIsBetter,
  },
  {
    name: 'price',
    valuesOf: (entrants, { priceOf = typicalPrice }) => pricesOf(entrants, priceOf),
    timesOf: ({ price = 1 }) => price,
    ratiosOf: lowerIsBetter,
  },
  {
    name: 'latency',
    valuesOf: (entrants, { streaming }) =>
      streaming ? evenedOut(entrants, ({ standing }) => standing.latency) : undefined,
    timesOf: ({ slowness = 1 }) => slowness,
    ratiosOf: lowerIsBetter,
  },
];

const whatIfAt = (entrants: readonly Entrant[], at: number, whatIfs: WhatIfs): WhatIf =>
  whatIfs.get(entrants[at]?.offer.providerId ?? '') ?? {};

/** Above 95 % nothing; at 90 % 0.07, at 75 % 1.1, at 0 % 25: no price outweighs a bad uptime. */
function penaltyOf(uptime: number, below: number): number {
  return uptime >= below ? 0 : (((below - uptime) / below) * 5) ** 2;
}

/** `undefined` without any samples. An offer with few samples is moved towards the average, to discount luck. */
function evenedOut(entrants: readonly Entrant[], meanOf: (entrant: Entrant) => Mean): number[] | undefined {
  let sum = 0;
  let weight = 0;
  for (const entrant of entrants) {
    const { mean, samples } = meanOf(entrant);
    sum += mean * samples;
    weight += samples;
  }
  if (weight < leastWeight || sum <= 0) return undefined;
  const average = sum / weight;
  return entrants.map((entrant) => {
    const { mean, samples } = meanOf(entrant);
    return (mean * samples + average * trustedSamples) / (samples + trustedSamples);
  });
}

const leastWeight = 0.5;

/** An offer without a price counts as the most expensive one. */
function pricesOf(entrants: readonly Entrant[], priceOf: typeof typicalPrice): number[] | undefined {
  const known = entrants.map(({ offer }) => priceOf(offer));
  const dearest = Math.max(...known.map((price) => price ?? 0));
  if (dearest === 0) return undefined;
  return known.map((price) => price ?? dearest);
}

function lowerIsBetter(values: number[]): number[] {
  const best = Math.min(...values);
  return values.map((value) => (value === best ? 1 : best === 0 ? worstRatio : Math.min(worstRatio, value / best)));
}

function higherIsBetter(values: number[]): number[] {
  const best = Math.max(...values);
  return values.map((value) => (value === best ? 1 : Math.min(worstRatio, best / value)));
}
