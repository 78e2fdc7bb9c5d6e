import type { NeededService } from './needed-services.ts';

/** A service that is silent for this long is missed. */
const missedAfterMs = 3_000;

/** A service of which this process hears no replica. */
export interface UnheardService extends NeededService {
  /** Whether no NATS server that this process can use has a replica of it: it is away for every process. */
  isAway: boolean;
}

interface Heard {
  at: number;
  isServed: boolean;
  isAway: boolean;
}

/**
 * What a process hears of the services that it needs. Times are those of `performance.now`. A service is served from its
 * first answer until it was silent for three seconds.
 */
export class HeardServices {
  readonly #heard: ReadonlyMap<NeededService, Heard>;
  /** Silence before this time does not count: the process was disconnected or blocked. */
  #trustedFrom: number;

  constructor(needs: readonly NeededService[], now: number) {
    this.#heard = new Map(needs.map((need) => [need, { at: -Infinity, isServed: false, isAway: false }]));
    this.#trustedFrom = now;
  }

  hear(need: NeededService, now: number): void {
    const heard = this.#heard.get(need);
    if (heard) Object.assign(heard, { at: now, isServed: true, isAway: false });
  }

  trustFrom(now: number): void {
    this.#trustedFrom = now;
  }

  /** Notes which services have fallen silent, and returns all services that have been silent for three seconds. */
  missed(now: number): readonly NeededService[] {
    const missed = [...this.#heard].filter(([, { at }]) => now - Math.max(at, this.#trustedFrom) >= missedAfterMs);
    for (const [, heard] of missed) heard.isServed = false;
    return missed.map(([need]) => need);
  }

  /** Notes which of the services that are not served have no replica anywhere. */
  noteAway(isAway: (need: NeededService) => boolean): void {
    for (const [need, heard] of this.#heard) heard.isAway = !heard.isServed && isAway(need);
  }

  unheard(): readonly UnheardService[] {
    return [...this.#heard].flatMap(([need, { isServed, isAway }]) => (isServed ? [] : [{ ...need, isAway }]));
  }
}
