import { type GatewayError, tokenClasses } from '@tallyport/contracts';
import { type Metering, nothingUsed, type RequestReservation, type Settlement } from '@tallyport/serving/metering';

/** Reserves for one use. `neverWaits`: what holds the rest of the budget may be this session. */
type Reserve = (terms: { neverWaits?: true }) => ReturnType<Metering['reserve']>;

/**
 * Money for uses that a vendor begins by itself. One reservation is kept until the session ends: what begins although
 * nothing else is held, because a budget has just ended or the vendor began more than it was asked for, is added to it.
 */
export class HeldMoney {
  readonly #reserve: Reserve;
  #spare: RequestReservation | undefined;
  #held: RequestReservation[] = [];
  #late: Settlement | undefined;
  #isOver = false;

  constructor(reserve: Reserve) {
    this.#reserve = reserve;
  }

  /** Holds as many, besides the one that is kept. Resolves with the refusal if a limit or a budget does not allow it. */
  async ensure(count: number): Promise<GatewayError | undefined> {
    while (!this.#isOver && (this.#spare === undefined || this.#held.length < count)) {
      const reserved = await this.#reserve(this.#spare === undefined ? {} : { neverWaits: true });
      if ('error' in reserved) return reserved.error;
      if (this.#isOver) reserved.settle(nothingUsed);
      else if (this.#spare === undefined) this.#spare = reserved;
      else this.#held.push(reserved);
    }
    return undefined;
  }

  /** Whether `ensure` would wait. */
  lacks(count: number): boolean {
    return this.#spare === undefined || this.#held.length < count;
  }

  /** What settles the next use. */
  take(): Pick<RequestReservation, 'settle'> {
    return this.#held.shift() ?? { settle: (settlement) => (this.#late = sumOf(this.#late, settlement)) };
  }

  /** Gives back what is held, once nothing that was taken is left to be settled. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const reserved of this.#held.splice(0)) reserved.settle(nothingUsed);
    this.#spare?.settle(this.#late ?? nothingUsed);
  }
}

function sumOf(before: Settlement | undefined, settlement: Settlement): Settlement {
  if (before === undefined) return settlement;
  return {
    ...settlement,
    counted: addedTokens(before.counted, settlement.counted),
    audioSeconds: before.audioSeconds + settlement.audioSeconds,
    limitTokens: before.limitTokens + settlement.limitTokens,
    durationMs: before.durationMs + settlement.durationMs,
  };
}

type Counted = Settlement['counted'];

function addedTokens(a: Counted, b: Counted): Counted {
  if (a === undefined || b === undefined) return a ?? b;
  const tokens = { ...a.tokens };
  for (const name of tokenClasses) tokens[name] += b.tokens[name];
  return { tokens, adjusted: a.adjusted || b.adjusted };
}
