const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The periods to choose from. All end now; days begin at midnight UTC. */
export const periods = {
  '24h': { title: '24 hours', unit: 'hour', count: 24 },
  '7d': { title: '7 days', unit: 'day', count: 7 },
  '30d': { title: '30 days', unit: 'day', count: 30 },
  '90d': { title: '90 days', unit: 'day', count: 90 },
} as const;

type PeriodName = keyof typeof periods;

export const periodNames = Object.keys(periods) as PeriodName[];

export const isPeriodName = (text: string): text is PeriodName => Object.hasOwn(periods, text);

/** An hour or a day of a period. */
export interface PeriodPart {
  /** As a point of a series names it. */
  at: string;
  /** As a group of times or errors is named. */
  group: string;
  from: string;
  /** Exclusive. */
  to: string;
}

export interface Period {
  name: PeriodName;
  unit: 'hour' | 'day';
  parts: readonly PeriodPart[];
  /** The period of the same length before this one. */
  before: readonly PeriodPart[];
}

export function periodOf(name: PeriodName, now: number): Period {
  const { unit, count } = periods[name];
  const length = unit === 'hour' ? hourMs : dayMs;
  const end = (Math.floor(now / length) + 1) * length;
  const parts = Array.from({ length: 2 * count }, (_, at) => partOf(end - (2 * count - at) * length, unit));
  return { name, unit, before: parts.slice(0, count), parts: parts.slice(count) };
}

function partOf(start: number, unit: Period['unit']): PeriodPart {
  const from = new Date(start).toISOString();
  const to = new Date(start + (unit === 'hour' ? hourMs : dayMs)).toISOString();
  const at = from.replace('.000Z', 'Z');
  return { at, group: unit === 'hour' ? at : at.slice(0, 10), from, to };
}

/** The parameters of the usage API for a period. */
export const apiPeriod = ({ unit, parts }: Period) =>
  unit === 'hour' ? { hours: parts.length } : { from: parts[0]?.group, to: parts.at(-1)?.group };

/** The same together with the period before. */
export const apiPeriodWithBefore = ({ unit, parts, before }: Period) =>
  unit === 'hour' ? { hours: parts.length + before.length } : { from: before[0]?.group, to: parts.at(-1)?.group };

/** The period before; `undefined` for hours, which the API counts back from now. */
export const apiPeriodBefore = ({ unit, before }: Period) =>
  unit === 'hour' ? undefined : { from: before[0]?.group, to: before.at(-1)?.group };

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For the axis: `Nov 3` or `14:00`. */
export const shortName = ({ from }: PeriodPart, unit: Period['unit']): string =>
  unit === 'hour' ? from.slice(11, 16) : `${months[Number(from.slice(5, 7)) - 1]} ${Number(from.slice(8, 10))}`;

/** For the table: `2026-11-03` or `2026-11-03 14:00`. Its column names the time zone. */
export const fullName = ({ from }: PeriodPart, unit: Period['unit']): string =>
  unit === 'hour' ? from.slice(0, 16).replace('T', ' ') : from.slice(0, 10);
