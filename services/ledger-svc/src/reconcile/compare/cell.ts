import type { DifferenceReason } from '@tallyport/contracts';
import type { Money } from '@tallyport/pricing';

/** Both sides of one day, model, class and key, and how much of their difference is explained. */
export interface Cell {
  readonly day: string;
  readonly model: string;
  readonly billedClass: string;
  readonly key: string;
  ours: Money;
  theirs: Money;
  ourQuantity: bigint;
  /** `undefined` if the vendor reports none. */
  theirQuantity: bigint | undefined;
  /** How many amounts of the bill are in `theirs`: each may be rounded. */
  lines: number;
  estimated: Money;
  unpriced: bigint;
  fromDayBefore: Money;
  toDayAfter: Money;
  readonly reasons: Map<DifferenceReason, Money>;
}

export type CellPlace = Pick<Cell, 'day' | 'model' | 'billedClass' | 'key'>;

export const emptyCell = (place: CellPlace): Cell => ({
  ...place,
  ours: 0n,
  theirs: 0n,
  ourQuantity: 0n,
  theirQuantity: undefined,
  lines: 0,
  estimated: 0n,
  unpriced: 0n,
  fromDayBefore: 0n,
  toDayAfter: 0n,
  reasons: new Map(),
});

/** The part of the difference that no reason explains yet. */
export function unexplainedIn({ ours, theirs, reasons }: Cell): Money {
  let rest = theirs - ours;
  for (const amount of reasons.values()) rest -= amount;
  return rest;
}

export function attribute({ reasons }: Cell, reason: DifferenceReason, amount: Money): void {
  if (amount !== 0n) reasons.set(reason, (reasons.get(reason) ?? 0n) + amount);
}

/** The amount with the sign of `of` and at most the size of `limit`. */
export function upTo(of: Money, limit: Money): Money {
  if (of < 0n) return -of > limit ? -limit : of;
  return of > limit ? limit : of;
}

export const absolute = (money: Money): Money => (money < 0n ? -money : money);
