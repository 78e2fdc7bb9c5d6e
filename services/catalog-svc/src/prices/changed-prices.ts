import type { OfferEntry, PriceRow } from '../data-file.ts';
import { priceRows } from './prices-in-force.ts';

type PriceMembers = Pick<OfferEntry, 'pricing' | 'priceTiers' | 'prices' | 'source' | 'asOf'>;

/** The source of prices for which the operator names none. */
const operator = 'the operator of this gateway';

/**
 * An offer's prices with an operator's over them: `pricing` at all times, a row of `prices` from its date on. Members
 * that the operator leaves out keep their values, and change at the dates of the entry below.
 */
export function changedPrices(before: OfferEntry | undefined, change: Partial<OfferEntry>): Partial<PriceMembers> {
  const changes = changesOf(change);
  if (changes.length === 0) return before === undefined ? { pricing: {} } : {};
  const base = before === undefined ? [] : priceRows(before);
  const rows = datesOf([...base, ...changes]).map((from) => rowAt(from, base, changes));
  // What the operator sets for all times was not read on the day of the entry below.
  const origin = changes[0]?.from === undefined ? { source: change.source ?? operator, asOf: change.asOf } : {};
  return { ...membersOf(rows), ...origin };
}

type PriceChange = Partial<PriceRow>;

function changesOf({ pricing, priceTiers, prices = [], source = operator }: Partial<OfferEntry>): PriceChange[] {
  const always = { ...(pricing && { pricing }), ...(priceTiers && { priceTiers }) };
  return [...(Object.keys(always).length > 0 ? [always] : []), ...prices].map((row) => ({ source, ...row }));
}

/** Ascending; `''` is before all. */
const datesOf = (rows: readonly PriceChange[]): string[] =>
  [...new Set(rows.map(({ from = '' }) => from))].toSorted((left, right) => (left < right ? -1 : 1));

function rowAt(date: string, base: readonly PriceRow[], changes: readonly PriceChange[]): PriceRow {
  const holds = ({ from = '' }: PriceChange) => from <= date;
  const { from: _from, ...below }: PriceRow = base.findLast(holds) ?? base[0] ?? { pricing: {} };
  const row = changes
    .filter(holds)
    .reduce<PriceRow>((under, over) => ({ ...under, ...over, pricing: { ...under.pricing, ...over.pricing } }), below);
  return { ...row, ...(date !== '' && { from: date }) };
}

/** A single price without a date needs no rows. */
function membersOf([first, ...later]: readonly PriceRow[]): Partial<PriceMembers> {
  if (first === undefined) return {};
  if (later.length > 0 || first.from !== undefined) {
    return { pricing: undefined, priceTiers: undefined, prices: [first, ...later] };
  }
  return { pricing: first.pricing, priceTiers: first.priceTiers, prices: undefined };
}
