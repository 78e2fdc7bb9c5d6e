export type PeriodUnit = 'hour' | 'day';

/** An hour or a day of a period, by UTC. */
export interface PeriodPart {
  /** As a point of a series names it. */
  at: string;
  /** As a group of times or errors is named. */
  group: string;
  from: string;
  /** Exclusive. */
  to: string;
}

/** In milliseconds. */
export const lengthOfPart = (unit: PeriodUnit): number => (unit === 'hour' ? 3_600_000 : 86_400_000);

/** The beginning of the hour or day of a time, by UTC. */
export const startOfPart = (time: number, unit: PeriodUnit): number =>
  Math.floor(time / lengthOfPart(unit)) * lengthOfPart(unit);

/** The end of the hour or day of a time, by UTC. */
export const endOfPart = (time: number, unit: PeriodUnit): number => startOfPart(time, unit) + lengthOfPart(unit);

/** So many hours or days from a time on. */
export const partsFrom = (start: number, unit: PeriodUnit, count: number): PeriodPart[] =>
  Array.from({ length: count }, (_, at) => partOf(start + at * lengthOfPart(unit), unit));

function partOf(start: number, unit: PeriodUnit): PeriodPart {
  const from = new Date(start).toISOString();
  const to = new Date(start + lengthOfPart(unit)).toISOString();
  const at = from.replace('.000Z', 'Z');
  return { at, group: unit === 'hour' ? at : at.slice(0, 10), from, to };
}

interface Parts {
  unit: PeriodUnit;
  parts: readonly PeriodPart[];
}

/** The parameters of the usage API for hours or days. Hours are named by times, days by dates. */
export function apiPeriod({ unit, parts }: Parts): { from: string | undefined; to: string | undefined } {
  const [first, last] = [parts[0], parts.at(-1)];
  return unit === 'hour' ? { from: first?.from, to: last?.to } : { from: first?.group, to: last?.group };
}

/** The parameters of `readLatency` for the period before. */
export function apiPeriodBefore({ unit, before }: { unit: PeriodUnit; before: readonly PeriodPart[] }) {
  const { from, to } = apiPeriod({ unit, parts: before });
  return { before_from: from, before_to: to };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For the axis: `Nov 3` or `14:00`. */
export const shortName = ({ from }: PeriodPart, unit: PeriodUnit): string =>
  unit === 'hour' ? from.slice(11, 16) : `${months[Number(from.slice(5, 7)) - 1]} ${Number(from.slice(8, 10))}`;

/** For the table: `2026-11-03` or `2026-11-03 14:00`. Its column names the time zone. */
export const fullName = ({ from }: PeriodPart, unit: PeriodUnit): string =>
  unit === 'hour' ? from.slice(0, 16).replace('T', ' ') : from.slice(0, 10);
