import { type Tally, addTo, emptyTally, fromVector, scale, toVector, weightAfter } from './tally.ts';

/**
 * The health of offers as this replica knows it: the shared sums of all replicas, and its own that are not shared yet.
 */
export interface Health {
  /** Adds to an offer's sums. */
  record(offerKey: string, sample: Partial<Tally>): void;
  /** The sums of an offer, faded to the current time. */
  tally(offerKey: string): Tally;
  /** The keys of all offers with sums. */
  keys(): ReadonlySet<string>;
  /** The sums that were not shared yet. They count locally until `confirm` is called. */
  unshared(): ReadonlyMap<string, readonly number[]>;
  /** Replaces the unshared sums by those of all replicas, ours included; `undefined` keeps them, because sharing failed. */
  confirm(sums: ReadonlyMap<string, readonly number[]> | undefined): void;
}

interface HealthOptions {
  halfLifeMs: number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

type Tallies = Map<string, Tally>;

/** Keys are offers of the catalogue, so there are few. Faded sums are dropped in every round of sharing. */
export function createHealth({ halfLifeMs, now }: HealthOptions): Health {
  let shared: Tallies = new Map();
  let own: Tallies = new Map();
  let inFlight: Tallies = new Map();
  let asOf = now();

  /** Moves all sums to one reference time, which advances with every round of sharing. Newer samples weigh more. */
  function fadeAll(at = now()): void {
    const elapsedMs = at - asOf;
    if (elapsedMs <= 0) return;
    asOf += elapsedMs;
    const left = weightAfter(elapsedMs, halfLifeMs);
    for (const tallies of [shared, own, inFlight]) {
      for (const tally of tallies.values()) scale(tally, left);
    }
  }

  return {
    record(offerKey, sample) {
      // Reads the clock once: between two reads the process may be suspended, and the sample's weight would overflow.
      const at = now();
      if (at - asOf > halfLifeMs) fadeAll(at);
      const weight = weightAfter(asOf - at, halfLifeMs);
      addTo(tallyIn(own, offerKey), sample, weight);
    },
    tally(offerKey) {
      const sum = emptyTally();
      for (const tallies of [shared, own, inFlight]) {
        const tally = tallies.get(offerKey);
        if (tally !== undefined) addTo(sum, tally);
      }
      scale(sum, weightAfter(Math.max(0, now() - asOf), halfLifeMs));
      return sum;
    },
    keys: () => new Set([...shared.keys(), ...own.keys(), ...inFlight.keys()]),
    unshared() {
      fadeAll();
      for (const [key, tally] of own) addTo(tallyIn(inFlight, key), tally);
      own = new Map();
      return new Map([...inFlight].map(([key, tally]) => [key, toVector(tally)]));
    },
    confirm(sums) {
      fadeAll();
      // Shared again next time. If the first attempt did arrive, it counts twice: more weight, the same ratio.
      if (sums === undefined) return void (inFlight = withoutFaded(inFlight));
      shared = new Map([...sums].map(([key, vector]) => [key, fromVector(vector)]));
      inFlight = new Map();
    },
  };
}

function tallyIn(tallies: Tallies, key: string): Tally {
  const known = tallies.get(key);
  if (known !== undefined) return known;
  const tally = emptyTally();
  tallies.set(key, tally);
  return tally;
}

const nothing = 0.001;

const withoutFaded = (tallies: Tallies): Tallies =>
  new Map([...tallies].filter(([, tally]) => toVector(tally).some((value) => Math.abs(value) >= nothing)));
