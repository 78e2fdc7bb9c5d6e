import type { BillLine } from '../bill/bill.ts';
import { sum } from '../bill/decimal.ts';

/** What the reports of a vendor say, from its bill. */
export type ReportLines = (vendor: string) => readonly BillLine[];

/** One group of a report, such as the lines of a day and model. */
export interface ReportGroup<Line extends BillLine = BillLine> {
  readonly first: Line;
  readonly lines: readonly Line[];
}

/** The lines by the values of these members, in order. */
export function lineGroups<Line extends BillLine>(
  lines: readonly Line[],
  members: readonly (keyof Line)[],
): ReportGroup<Line>[] {
  const groups = Map.groupBy(lines, (line) => JSON.stringify(members.map((member) => line[member])));
  return [...groups.values()].flatMap((same) => same.slice(0, 1).map((first) => ({ first, lines: same })));
}

export const countIn = (lines: readonly BillLine[], ...classes: readonly string[]): number =>
  lines.filter(({ of }) => classes.includes(of)).reduce((total, { count }) => total + count, 0);

/** A line without a price counts nothing. */
export const dollarsIn = (lines: readonly BillLine[]): string => sum(...lines.map(({ dollars = '0' }) => dollars));

/** Every line of an answer counts it, so the one that counts the most has the number of requests. */
export const requestsIn = (lines: readonly BillLine[]): number =>
  lines.reduce((most, { requests }) => Math.max(most, requests), 0);

const dayMs = 86_400_000;
/** Fewer than vendors send, so that clients must follow pages. */
const daysOfPage = 2;

interface Period {
  readonly from: number;
  /** Not included. */
  readonly until: number;
  readonly page: string | null;
}

/** One page of the days of a period. */
export function pageOfDays({ from, until, page }: Period, bucketOf: (day: string) => object): object {
  const count = Math.max(0, Math.ceil((until - from) / dayMs));
  const first = page === null ? 0 : Number(page.replace('page_', ''));
  const days = Array.from({ length: count }, (_, at) => new Date(from + at * dayMs).toISOString().slice(0, 10));
  const next = first + daysOfPage;
  return {
    data: days.slice(first, next).map(bucketOf),
    has_more: next < count,
    next_page: next < count ? `page_${next}` : null,
  };
}
