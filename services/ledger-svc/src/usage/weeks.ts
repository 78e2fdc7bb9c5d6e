import { type RawBuilder, sql } from '@tallyport/database';
import { dayMs } from './days.ts';

/** Whole days; `until` is exclusive. */
export interface DaySpan {
  from: Date;
  until: Date;
}

const weekMs = 7 * dayMs;
/** 1970 began on a Thursday. */
const firstMonday = 4 * dayMs;

/** The whole weeks of a span, from Monday to Sunday, and the days before and after them. */
export function splitWeeks({ from, until }: DaySpan): { weeks: DaySpan | undefined; days: readonly DaySpan[] } {
  const first = mondayOf(from, Math.ceil);
  const last = mondayOf(until, Math.floor);
  if (first >= last) return { weeks: undefined, days: [{ from, until }] };
  const days = [
    { from, until: first },
    { from: last, until },
  ];
  return { weeks: { from: first, until: last }, days: days.filter((span) => span.from < span.until) };
}

const mondayOf = (date: Date, round: (weeks: number) => number): Date =>
  new Date(firstMonday + round((date.getTime() - firstMonday) / weekMs) * weekMs);

/** SQL: the rows of a span, of its weeks and of the days around them, from tables whose names end in `_weeks` and `_days`. */
export function rowsOfSpan(table: string, span: DaySpan): RawBuilder<unknown> {
  const { weeks, days } = splitWeeks(span);
  const rows = (unit: 'weeks' | 'days', { from, until }: DaySpan) =>
    sql`select * from ${sql.table(`${table}_${unit}`)} where at >= ${from} and at < ${until}`;
  const parts = [...(weeks ? [rows('weeks', weeks)] : []), ...days.map((each) => rows('days', each))];
  return sql`(${sql.join(parts, sql` union all `)}) as spanned`;
}
