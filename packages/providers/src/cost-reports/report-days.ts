import type { ReportPeriod } from './cost-report.ts';

const dayMs = 86_400_000;

/** Milliseconds since 1970 at the beginning of a UTC day. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** When a period ends, which is where the day after it begins. */
export const endOfPeriod = ({ to }: Pick<ReportPeriod, 'to'>): number => startOfDay(to) + dayMs;

export function daysOf(period: ReportPeriod): string[] {
  const first = startOfDay(period.from);
  const count = (endOfPeriod(period) - first) / dayMs;
  return Array.from({ length: count }, (_, at) => new Date(first + at * dayMs).toISOString().slice(0, 10));
}
