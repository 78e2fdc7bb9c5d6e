import { type GatewayError, tokenClasses } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import { type Metering, nothingUsed, type RequestReservation, type Settlement } from '@tallyport/serving/metering';

/** Reserves for one use. `neverWaits`: what holds the rest of the budget may be this session. */
type Reserve = (terms: { neverWaits?: true }) => ReturnType<Metering['reserve']>;

/** For which a reservation is made. One that a killed replica has left ends by itself. */
export const heldMs = 45_000;
const renewEveryMs = heldMs / 3;

/**
 * Money for uses that a vendor begins by itself, held for as long as the session lasts. One reservation is kept: what begins
 * although nothing else is held, because a budget has just ended or the vendor began more than it was asked for, is added to
 * it, and paid when the next one takes its place.
 */
export class HeldMoney {
  readonly #reserve: Reserve;
  #spare: RequestReservation | undefined;
  #held: RequestReservation[] = [];
  #late: Settlement | undefined;
  #isOver = false;
  /** Of what was settled. */
  readonly #unwritten = new Set<Promise<void>>();
  readonly #everyMs: number;
  /** While something is held. */
  #stopRenewing: (() => void) | undefined;

  constructor(reserve: Reserve, everyMs = renewEveryMs) {
    this.#reserve = reserve;
    this.#everyMs = everyMs;
  }

  /** Holds as many, besides the one that is kept. Resolves with the refusal if a limit or a budget does not allow it. */
  async ensure(count: number): Promise<GatewayError | undefined> {
    while (!this.#isOver && this.lacks(count)) {
      const reserved = await this.#reserve(this.#spare === undefined ? {} : { neverWaits: true });
      if ('error' in reserved) return reserved.error;
      this.#renewFromNow();
      this.#keep(reserved);
    }
    return undefined;
  }

  /** Whether `ensure` would wait. */
  lacks(count: number): boolean {
    return this.#spare === undefined || this.#late !== undefined || this.#held.length < count;
  }

  /** What settles the next use. */
  take(): Pick<RequestReservation, 'settle'> {
    const reserved = this.#held.shift();
    if (reserved === undefined) return { settle: (settlement) => (this.#late = sumOf(this.#late, settlement)) };
    return { settle: (settlement) => this.#settle(reserved, settlement) };
  }

  /** Resolves once the records of what was settled are written; `undefined` if they are. Never rejects. */
  recorded(): Promise<unknown> | undefined {
    return this.#unwritten.size === 0 ? undefined : Promise.all(this.#unwritten);
  }

  /** Gives back what is held, once nothing that was taken is left to be settled. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopRenewing?.();
    for (const reserved of this.#held.splice(0)) reserved.settle(nothingUsed);
    this.#settleSpare();
  }

  #settle(reserved: RequestReservation, settlement: Settlement): void {
    reserved.settle(settlement);
    const written = reserved.recorded().finally(() => this.#unwritten.delete(written));
    this.#unwritten.add(written);
  }

  #keep(reserved: RequestReservation): void {
    if (this.#isOver) return reserved.settle(nothingUsed);
    if (this.#spare !== undefined && this.#late === undefined) return void this.#held.push(reserved);
    this.#settleSpare();
    this.#spare = reserved;
  }

  #settleSpare(): void {
    if (this.#spare !== undefined) this.#settle(this.#spare, this.#late ?? nothingUsed);
    this.#late = undefined;
  }

  #renewFromNow(): void {
    if (this.#isOver) return;
    // What cannot be held again ends by itself.
    this.#stopRenewing ??= repeat({ everyMs: this.#everyMs, onFailed: () => undefined }, () => this.#renew());
  }

  /** Holds the same again before it ends, and gives back what was held before. */
  async #renew(): Promise<void> {
    for (const held of [this.#spare, ...this.#held]) {
      if (held === undefined) continue;
      const again = await this.#reserve({ neverWaits: true });
      // Others may have used the rest of the budget.
      if ('error' in again) return;
      (this.#replace(held, again) ? held : again).settle(nothingUsed);
    }
  }

  /** `false` if it is not held any more. */
  #replace(held: RequestReservation, again: RequestReservation): boolean {
    const at = this.#held.indexOf(held);
    if (this.#isOver || (at < 0 && this.#spare !== held)) return false;
    if (at < 0) this.#spare = again;
    else this.#held[at] = again;
    return true;
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
