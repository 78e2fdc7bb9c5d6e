import { type Tally, addTallies, emptyTally, fadeTally, fromVector, toVector } from './tally.ts';

/** What this replica knows of how offers do: what all replicas told, and what it has not told yet. */
export interface Health {
  /** Adds to an offer's sums. */
  record(offerKey: string, sample: Partial<Tally>): void;
  /** As of now. */
  tally(offerKey: string): Tally;
  /** What the others do not know yet. Counts here all the same until `told` says what became of it. */
  untold(): ReadonlyMap<string, readonly number[]>;
  /** All replicas' sums, ours included; `undefined` when nobody could be told. */
  told(sums: ReadonlyMap<string, readonly number[]> | undefined): void;
}

export interface HealthOptions {
  halfLifeMs: number;
  /** Milliseconds that never go back. */
  now(): number;
}

type Tallies = Map<string, Tally>;

/** Keys are offers of the catalogue, so there are few; what has faded is dropped with every round of telling. */
export function createHealth({ halfLifeMs, now }: HealthOptions): Health {
  let shared: Tallies = new Map();
  let own: Tallies = new Map();
  let onTheWay: Tallies = new Map();
  let asOf = now();

  /** All sums are as of one time, which moves on with every round of telling; between them what is new weighs more. */
  function fadeAll(at = now()): void {
    const elapsedMs = at - asOf;
    if (elapsedMs <= 0) return;
    asOf += elapsedMs;
    for (const tallies of [shared, own, onTheWay]) {
      for (const [key, tally] of tallies) tallies.set(key, fadeTally(tally, elapsedMs, halfLifeMs));
    }
  }

  return {
    record(offerKey, sample) {
      // Looked at once: between two looks a process may stand still, and what is new would weigh beyond all numbers.
      const at = now();
      if (at - asOf > halfLifeMs) fadeAll(at);
      const asOfThen = fadeTally({ ...emptyTally, ...sample }, asOf - at, halfLifeMs);
      own.set(offerKey, addTallies(own.get(offerKey) ?? emptyTally, asOfThen));
    },
    tally(offerKey) {
      let sum = shared.get(offerKey) ?? emptyTally;
      for (const more of [own.get(offerKey), onTheWay.get(offerKey)])
        if (more !== undefined) sum = addTallies(sum, more);
      return fadeTally(sum, Math.max(0, now() - asOf), halfLifeMs);
    },
    untold() {
      fadeAll();
      onTheWay = merged(onTheWay, own);
      own = new Map();
      return new Map([...onTheWay].map(([key, tally]) => [key, toVector(tally)]));
    },
    told(sums) {
      fadeAll();
      // Told again next time. Should it have arrived after all it counts twice: more weight, the same ratio.
      if (sums === undefined) return void (onTheWay = withoutFaded(onTheWay));
      shared = new Map([...sums].map(([key, vector]) => [key, fromVector(vector)]));
      onTheWay = new Map();
    },
  };
}

function merged(one: Tallies, other: Tallies): Tallies {
  const all = new Map(one);
  for (const [key, tally] of other) all.set(key, addTallies(all.get(key) ?? emptyTally, tally));
  return all;
}

const nothing = 0.001;

const withoutFaded = (tallies: Tallies): Tallies =>
  new Map([...tallies].filter(([, tally]) => toVector(tally).some((value) => Math.abs(value) >= nothing)));
