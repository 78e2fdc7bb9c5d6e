import type { OwnUse, VendorUsage } from '@tallyport/contracts';
import { type Money, readSignedMoney } from '@tallyport/pricing';
import { type BilledLine, type CountedUse, everyClass } from '@tallyport/providers/cost-reports';
import { type Cell, type CellPlace, emptyCell } from './cell.ts';
import type { Naming } from './naming.ts';

export interface ReportToCompare {
  readonly lines: readonly BilledLine[];
  readonly uses: readonly CountedUse[];
}

/** Puts both sides into cells. Lines and usage are in our names already. */
export function buildCells({ lines, uses }: ReportToCompare, own: VendorUsage, naming: Naming): Cells {
  const cells = createCells();
  const joined = joinedModels(lines);
  const [theirs, ours] = [lines.map(joined), own.uses.map(joined)];
  const classOf = coarsestClasses(theirs, ours);
  for (const use of ours) {
    addOwn(cells.at({ ...use, billedClass: classOf(use), key: naming.ownKey(use.keyId) }), use);
  }
  for (const line of theirs) addLine(cells.at(placeOf(line, classOf)), line);
  const placeOfUse = (use: BilledLine): CellPlace => placeOf(joined(use), classOf);
  if (lines.every(({ quantity }) => quantity === undefined)) addCounts(cells, uses, placeOfUse);
  return cells;
}

/** What a bill has without a model on a day is compared with the sum of all models. */
function joinedModels(lines: readonly BilledLine[]): <Item extends Classed>(item: Item) => Item {
  const unnamed = new Map<string, Set<string>>();
  for (const { day, model, billedClass } of lines)
    if (model === undefined) unnamed.set(day, (unnamed.get(day) ?? new Set()).add(billedClass));
  return (item) => {
    const classes = unnamed.get(item.day);
    const names = [everyClass, item.billedClass, partOf.get(item.billedClass), wholeWrites(item.billedClass)];
    return classes !== undefined && names.some((name) => name !== undefined && classes.has(name))
      ? { ...item, model: '' }
      : item;
  };
}

const wholeWrites = (billedClass: string): string | undefined =>
  isLifetime.test(billedClass) ? 'cacheWrite' : undefined;

export function createCells() {
  const byPlace = new Map<string, Cell>();
  const nameOf = ({ day, model, billedClass, key }: CellPlace): string =>
    JSON.stringify([day, model, billedClass, key]);
  return {
    find: (place: CellPlace): Cell | undefined => byPlace.get(nameOf(place)),
    at({ day, model, billedClass, key }: CellPlace): Cell {
      const place = { day, model, billedClass, key };
      const cell = byPlace.get(nameOf(place)) ?? emptyCell(place);
      byPlace.set(nameOf(place), cell);
      return cell;
    },
    all: (): Cell[] => [...byPlace.values()],
  };
}

export type Cells = ReturnType<typeof createCells>;

interface Classed {
  readonly day: string;
  readonly model?: string;
  readonly billedClass: string;
}

/** The vendor's total of a record is about all classes, too. */
const wholeClasses = new Set([everyClass, 'vendor']);
const isLifetime = /^cacheWrite./;
/** Classes that vendors may bill as part of another one. */
const partOf: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'output'],
  ['compactionIn', 'input'],
  ['compactionOut', 'output'],
  ['toolPrompt', 'input'],
  ['advisorIn', 'input'],
  ['advisorOut', 'output'],
]);

/** Where a side does not separate classes of a model on a day, neither side does. */
function coarsestClasses(lines: readonly BilledLine[], uses: readonly OwnUse[]): (classed: Classed) => string {
  const theirs = classesByModel(lines);
  const ours = classesByModel(uses);
  return (classed) => {
    const { billedClass } = classed;
    const sides = [theirs, ours].map((side) => side.get(modelDay(classed)) ?? new Set<string>());
    const has = (wanted: string): boolean => sides[0]?.has(wanted) === true;
    if (sides.some((side) => [...side].some((each) => wholeClasses.has(each)))) return everyClass;
    if (isLifetime.test(billedClass) && sides.some(hasNoLifetimes)) return 'cacheWrite';
    const whole = partOf.get(billedClass);
    return whole !== undefined && !has(billedClass) ? whole : billedClass;
  };
}

/** Cache writes without any lifetime, though the other side may have them. */
const hasNoLifetimes = (side: ReadonlySet<string>): boolean =>
  side.has('cacheWrite') && ![...side].some((each) => isLifetime.test(each));

export const modelDay = ({ day, model = '' }: Pick<Classed, 'day' | 'model'>): string => JSON.stringify([day, model]);

function classesByModel(items: readonly Classed[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const item of items) {
    const classes = found.get(modelDay(item)) ?? new Set();
    found.set(modelDay(item), classes.add(item.billedClass));
  }
  return found;
}

const placeOf = (line: BilledLine, classOf: (classed: Classed) => string): CellPlace => ({
  day: line.day,
  model: line.model ?? '',
  billedClass: classOf(line),
  key: line.keyId ?? '',
});

function addOwn(cell: Cell, use: OwnUse): void {
  cell.ours += billedAmount(use.cost);
  cell.ourQuantity += BigInt(Math.round(use.quantity));
  cell.estimated += billedAmount(use.estimated);
  cell.unpriced += BigInt(Math.round(use.unpriced));
  cell.fromDayBefore += billedAmount(use.fromDayBefore);
  cell.toDayAfter += billedAmount(use.toDayAfter);
}

function addLine(cell: Cell, { amount, quantity }: BilledLine): void {
  cell.theirs += billedAmount(amount);
  cell.lines += 1;
  if (quantity !== undefined) cell.theirQuantity = (cell.theirQuantity ?? 0n) + BigInt(quantity);
}

/** For reports that count apart from what they bill. */
function addCounts(cells: Cells, uses: readonly CountedUse[], placeOfUse: (use: BilledLine) => CellPlace): void {
  for (const { counts, ...use } of uses) {
    for (const [billedClass, count] of Object.entries(counts)) {
      const cell = cells.find(placeOfUse({ ...use, billedClass, amount: '0' }));
      if (cell !== undefined && cell.lines > 0) cell.theirQuantity = (cell.theirQuantity ?? 0n) + BigInt(count);
    }
  }
}

export const billedAmount = (text: string): Money => readSignedMoney(text) ?? 0n;
