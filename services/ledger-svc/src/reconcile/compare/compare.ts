import { differenceReasons, type DifferenceReason, type OwnDay, type VendorUsage } from '@tallyport/contracts';
import { type Money, signedMoneyText } from '@tallyport/pricing';
import type { BilledLine, CountedUse, ReportPeriod } from '@tallyport/providers/cost-reports';
import { billedAmount, buildCells, createCells, modelDay, type ReportToCompare } from './build-cells.ts';
import { absolute, attribute, type Cell } from './cell.ts';
import { type CellFacts, explainCell } from './explain-cell.ts';
import { explainOtherDays } from './explain-days.ts';
import { namesOfVendor, type NameMap, withOurNames } from './naming.ts';
import { shareByUse } from './share-by-use.ts';
import { smallestUnitOf } from './smallest-unit.ts';

/** Amounts are USD as decimal text. */
interface Compared {
  ours: string;
  theirs: string;
  /** Theirs less ours. */
  difference: string;
  /** Their sum is the difference, exactly. */
  reasons: Partial<Record<DifferenceReason, string>>;
}

export interface ComparedRow extends Compared {
  day: string;
  /** Our name, or the vendor's for what did not pass the gateway. Empty if the bill names none. */
  model: string;
  billedClass: string;
  /** Our id of the provider key, or the vendor's for what did not pass the gateway; empty if none is known. */
  key: string;
}

export interface Comparison extends Compared {
  /** The differences of the rows, each without its sign, as a part of the larger of both sums: 0.01 is one per cent. */
  ratio: number;
  /** In order of day, model, class and key. */
  rows: ComparedRow[];
}

interface ComparedSides {
  period: ReportPeriod;
  report: ReportToCompare;
  /** Includes the days beside the period. */
  own: VendorUsage;
  names: NameMap;
}

/** Compares a vendor's bill with the ledger and names the reason of each difference where it can be known. */
export function compareWithBill({ period, report, own, names }: ComparedSides): Comparison {
  const naming = namesOfVendor(names, own);
  const shared = shareByUse(report, names.keys !== undefined);
  const lines = withOurNames(shared, naming);
  const uses = withOurNames(report.uses, naming);
  const isInPeriod = (day: string): boolean => day >= period.from && day <= period.to;
  const cells = buildCells({ lines: lines.own, uses: uses.own }, own, naming);
  explainOtherDays(cells, isInPeriod);
  const factsOf = createFacts({
    lines: lines.own,
    uses: uses.own,
    days: own.days,
    smallestUnit: smallestUnitOf(report.lines),
  });
  const compared = cells.all().filter(({ day }) => isInPeriod(day));
  for (const cell of compared) explainCell(cell, factsOf(cell));
  return comparisonOf([...compared, ...outsideCells(lines.outside)]);
}

/** What did not pass the gateway, in the vendor's names. */
function outsideCells(lines: readonly BilledLine[]): Cell[] {
  const cells = createCells();
  for (const { day, model = '', billedClass, keyId: key = '', amount } of lines)
    cells.at({ day, model, billedClass, key }).theirs += billedAmount(amount);
  for (const cell of cells.all()) attribute(cell, 'outside_gateway', cell.theirs);
  return cells.all();
}

interface FactSources {
  lines: readonly BilledLine[];
  uses: readonly CountedUse[];
  days: readonly OwnDay[];
  smallestUnit: Money;
}

/** Tiers at the usual price. */
const usualTiers = new Set(['default', 'standard']);

function createFacts({ lines, uses, days, smallestUnit }: FactSources): (cell: Cell) => CellFacts {
  const own = new Map(days.map((each) => [modelDay(each), each]));
  const requests = new Map<string, number>();
  for (const { requests: counted, ...use } of uses) {
    if (counted !== undefined) requests.set(modelDay(use), (requests.get(modelDay(use)) ?? 0) + counted);
  }
  const tiers = Map.groupBy([...lines, ...uses], modelDay);
  return (cell) => {
    const name = modelDay(cell);
    const known = own.get(name)?.tiers ?? [];
    const isUnknown = (tier = 'default'): boolean => !usualTiers.has(tier) && !known.includes(tier);
    return {
      own: own.get(name),
      theirRequests: requests.get(name),
      unknownTiers: (tiers.get(name) ?? []).some(({ tier }) => isUnknown(tier)),
      smallestUnit,
    };
  };
}

function comparisonOf(cells: readonly Cell[]): Comparison {
  const rows = cells
    .filter(({ ours, theirs }) => ours !== 0n || theirs !== 0n)
    .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return { ...sumOf(rows), ratio: ratioOf(rows), rows: rows.map((cell) => ({ ...namesOf(cell), ...sumOf([cell]) })) };
}

const namesOf = ({ day, model, billedClass, key }: Cell) => ({ day, model, billedClass, key });

const orderOf = ({ day, model, billedClass, key }: Cell): string => [day, model, billedClass, key].join('\u0000');

function sumOf(cells: readonly Cell[]): Compared {
  const amounts = differenceReasons.map(
    (reason) => [reason, total(cells, ({ reasons }) => reasons.get(reason) ?? 0n)] as const,
  );
  const [ours, theirs] = [total(cells, (cell) => cell.ours), total(cells, (cell) => cell.theirs)];
  return {
    ours: signedMoneyText(ours),
    theirs: signedMoneyText(theirs),
    difference: signedMoneyText(theirs - ours),
    reasons: Object.fromEntries(
      amounts.filter(([, amount]) => amount !== 0n).map(([reason, amount]) => [reason, signedMoneyText(amount)]),
    ),
  };
}

const total = (cells: readonly Cell[], amountIn: (cell: Cell) => Money): Money =>
  cells.reduce((sum, cell) => sum + amountIn(cell), 0n);

const ratioDigits = 1_000_000_000n;

/** No error: the same requests on another day, and digits that the report does not have. */
const harmless = ['other_day', 'rounding'] as const satisfies readonly DifferenceReason[];

/** Differences do not cancel each other out, neither of classes nor of days. */
function ratioOf(cells: readonly Cell[]): number {
  const differences = cells.map(({ ours, theirs, reasons }) =>
    absolute(harmless.reduce((rest, reason) => rest - (reasons.get(reason) ?? 0n), theirs - ours)),
  );
  const [ours, theirs] = [total(cells, (cell) => cell.ours), total(cells, (cell) => cell.theirs)];
  const larger = ours > theirs ? ours : theirs;
  const sum = differences.reduce((one, other) => one + other, 0n);
  if (sum === 0n) return 0;
  return larger <= 0n ? 1 : Number((sum * ratioDigits) / larger) / Number(ratioDigits);
}
