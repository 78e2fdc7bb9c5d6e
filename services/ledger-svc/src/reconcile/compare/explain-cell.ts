import type { OwnDay } from '@tallyport/contracts';
import type { Money } from '@tallyport/pricing';
import { absolute, attribute, type Cell, unexplainedIn, upTo } from './cell.ts';

/** What is known about the day and model of a cell. */
export interface CellFacts {
  readonly own: OwnDay | undefined;
  /** Requests that the vendor counted; `undefined` if it reports none. */
  readonly theirRequests: number | undefined;
  /** Tiers of the report that the ledger has not billed. */
  readonly unknownTiers: boolean;
  /** The value of the last digit of the report. */
  readonly smallestUnit: Money;
}

/** Explains the rest of a difference. The first reasons that fit take what they explain, the last one takes the rest. */
export function explainCell(cell: Cell, facts: CellFacts): void {
  explainRounding(cell, facts);
  explainPrices(cell, facts);
  explainVolume(cell, facts);
  explainRounding(cell, facts);
  attribute(cell, 'unexplained', unexplainedIn(cell));
}

/** Each amount of a bill may lack less than its last digit. */
function explainRounding(cell: Cell, { smallestUnit }: CellFacts): void {
  const rest = unexplainedIn(cell);
  if (absolute(rest) < allowance(cell, smallestUnit)) attribute(cell, 'rounding', rest);
}

const allowance = ({ lines }: Cell, smallestUnit: Money): Money => smallestUnit * BigInt(lines);

/** Prices explain what our quantity costs at the vendor's price, less what the ledger has. */
function explainPrices(cell: Cell, facts: CellFacts): void {
  const part = pricePart(cell, facts);
  if (part === undefined) return explainMissingPrice(cell, facts);
  const unpriced = part > 0n ? upTo(part, atTheirPrice(cell, cell.unpriced)) : 0n;
  attribute(cell, 'unpriced', unpriced);
  attribute(cell, facts.unknownTiers ? 'unknown_tier' : 'other_price', part - unpriced);
}

/**
 * The part of the difference that is due to prices; the rest is due to quantities. `undefined` without both quantities. With
 * requests of another day, the quantities are not of the same requests.
 */
function pricePart(cell: Cell, { smallestUnit }: CellFacts): Money | undefined {
  if (cell.theirQuantity === undefined || cell.theirQuantity === 0n || cell.ourQuantity === 0n) return undefined;
  if (cell.reasons.has('other_day')) return 0n;
  const part = atTheirPrice(cell, cell.ourQuantity) - cell.ours;
  if (absolute(part) <= allowance(cell, smallestUnit)) return 0n;
  return cell.ourQuantity === cell.theirQuantity ? unexplainedIn(cell) : part;
}

const atTheirPrice = ({ theirs, theirQuantity = 1n }: Cell, quantity: bigint): Money =>
  (theirs * quantity) / theirQuantity;

/** A class of which the ledger has neither cost nor quantity, while records say that they have usage without a price. */
function explainMissingPrice(cell: Cell, { own }: CellFacts): void {
  const isFlagged = own !== undefined && own.unpriced > 0;
  const isMissing = cell.ours === 0n || cell.theirQuantity === undefined;
  if (isFlagged && isMissing && unexplainedIn(cell) > 0n) attribute(cell, 'unpriced', unexplainedIn(cell));
}

/** What remains is a difference of quantities. */
function explainVolume(cell: Cell, { own, theirRequests }: CellFacts): void {
  const { requests, failed } = own ?? { requests: 0, failed: 0 };
  const countedMore = theirRequests === undefined ? undefined : theirRequests > requests;
  const explainFailures = (): void => {
    if (failed > 0 && unexplainedIn(cell) > 0n) attribute(cell, 'failed_after_count', unexplainedIn(cell));
  };
  if (countedMore === true) explainFailures();
  // An estimate may be wrong by as much as was estimated.
  attribute(cell, 'estimated', upTo(unexplainedIn(cell), cell.estimated));
  if (countedMore === undefined) explainFailures();
}
