import type { Metered, MeteredClass, Received } from '@tallyport/sandbox';
import { type BillItem, type Counted, itemsOf, totalDollars } from './items.ts';
import { keyLabelOf } from './key-label.ts';
import type { PriceTable } from './price-table.ts';
import { priceTables } from './prices/price-tables.ts';

/** A line of a vendor's bill. */
export interface BillLine extends BillItem {
  /** As in `2026-11-27`. */
  readonly day: string;
  readonly vendor: string;
  /** Names the vendor's key, see `keyLabel`. */
  readonly key: string;
  /** Number of answers that the line counts. */
  readonly requests: number;
}

/** What each vendor bills for what it served. */
export interface VendorBill {
  /** By day, vendor, key, model, class, tier and geo, in the order in which they were first served. */
  lines(): BillLine[];
  /** The items of one answer; none if the vendor does not bill it. */
  itemsOf(received: Received): BillItem[];
  /** The items of these counts, at the vendor's prices. */
  price(vendor: string, counted: Counted): BillItem[];
  /** Adds a line for something that was not served here. */
  add(line: BillLine): void;
}

interface VendorBillOptions {
  /** Price lists by vendor, which take precedence over the published ones. */
  readonly prices: Readonly<Record<string, PriceTable>>;
}

export function createVendorBill({ prices }: VendorBillOptions): VendorBill & { serve(received: Received): void } {
  const lines = new Map<string, BillLine>();
  const tableOf = (vendor: string): PriceTable => ({ ...priceTables[vendor], ...prices[vendor] });
  const billed = (received: Received): BillItem[] => itemsIn(received, tableOf(received.provider));
  const add = (line: BillLine): void => {
    const { day, vendor, key, model, of, tier, geo } = line;
    const name = [day, vendor, key, model, of, tier, geo].join(' ');
    const before = lines.get(name);
    lines.set(name, before === undefined ? line : together(before, line));
  };
  return {
    lines: () => [...lines.values()],
    itemsOf: billed,
    price: (vendor, counted) => itemsOf(counted, tableOf(vendor)),
    add,
    serve: (received) => {
      const day = new Date(received.endedAt ?? received.receivedAt).toISOString().slice(0, 10);
      for (const item of billed(received))
        add({ ...item, day, vendor: received.provider, key: keyLabelOf(received), requests: 1 });
    },
  };
}

const together = (one: BillLine, other: BillLine): BillLine => ({
  ...one,
  count: one.count + other.count,
  requests: one.requests + other.requests,
  dollars: totalDollars([one, other]),
});

function itemsIn(received: Received, table: PriceTable): BillItem[] {
  const { metered, model = '', outcome, status } = received;
  if (metered === undefined || outcome === 'broken' || status === undefined) return [];
  return itemsOf({ metered: { ...metered, counts: servedCounts(metered, received) }, model }, table);
}

const answered: ReadonlySet<MeteredClass> = new Set(['output', 'reasoning']);

/** The whole prompt, and of the answer what was sent before its client left. */
function servedCounts({ counts }: Metered, { outcome, contentPieces }: Received): Metered['counts'] {
  const { all, sent } = contentPieces ?? { all: 0, sent: 0 };
  if (outcome === 'answered' || all === 0 || sent === all) return counts;
  return counts.flatMap((each) => {
    const count = answered.has(each.of) ? Math.ceil((each.count * sent) / all) : each.count;
    return count === 0 ? [] : [{ ...each, count }];
  });
}
