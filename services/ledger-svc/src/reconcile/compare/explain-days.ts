import type { Money } from '@tallyport/pricing';
import type { Cells } from './build-cells.ts';
import { absolute, attribute, type Cell, unexplainedIn, upTo } from './cell.ts';
import { dayMs, dayOf } from '../../usage/days.ts';

const dayAfter = (day: string): string => dayOf(new Date(Date.parse(day) + dayMs));

/**
 * Requests around midnight may be counted on another day: at most by what they cost, and only where one day has what the
 * other lacks. Days beside the period are only in the ledger, so at its ends the cost of these requests is the bound.
 */
export function explainOtherDays(cells: Cells, isInPeriod: (day: string) => boolean): void {
  const all = cells.all();
  for (const cell of all.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const next = cells.find({ ...cell, day: dayAfter(cell.day) });
    if (next === undefined) {
      if (isInPeriod(cell.day) && !isInPeriod(dayAfter(cell.day))) leave(cell, cell.toDayAfter);
      continue;
    }
    const sides = { before: isInPeriod(cell.day) ? cell : undefined, after: isInPeriod(next.day) ? next : undefined };
    move(sides, { back: next.fromDayBefore, forth: cell.toDayAfter });
  }
  for (const cell of all) {
    const isFirst = isInPeriod(cell.day) && !isInPeriod(dayBefore(cell.day));
    if (isFirst && cells.find({ ...cell, day: dayBefore(cell.day) }) === undefined) leave(cell, cell.fromDayBefore);
  }
}

const dayBefore = (day: string): string => dayOf(new Date(Date.parse(day) - dayMs));

/** We recorded it in the period, and the vendor counted it beside the period. */
function leave(cell: Cell, most: Money): void {
  const rest = unexplainedIn(cell);
  if (rest < 0n) attribute(cell, 'other_day', upTo(rest, most));
}

interface Sides {
  before: Cell | undefined;
  after: Cell | undefined;
}

/** `back`: what the vendor may have counted earlier than we did; `forth`: later. */
function move({ before, after }: Sides, { back, forth }: { back: Money; forth: Money }): void {
  const first = before && unexplainedIn(before);
  const second = after && unexplainedIn(after);
  const lead = first ?? (second === undefined ? 0n : -second);
  const follow = second === undefined ? lead : -second;
  // One has what the other lacks only if both have the same sign here.
  if (lead === 0n || lead > 0n !== follow > 0n) return;
  const amount = upTo(upTo(lead, absolute(follow)), lead > 0n ? back : forth);
  if (before !== undefined) attribute(before, 'other_day', amount);
  if (after !== undefined) attribute(after, 'other_day', -amount);
}
