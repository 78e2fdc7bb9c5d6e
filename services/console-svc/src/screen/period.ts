import type { FieldValues } from '@tallyport/pages';
import { instantIn } from './instant-in.ts';
import { endOfPart, lengthOfPart, type PeriodPart, type PeriodUnit, partsFrom, startOfPart } from './period-parts.ts';

/** The periods with a name. Those of days and months begin at midnight UTC, and end with the current day. */
export const namedPeriods = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  month: 'This month',
  'last-month': 'Last month',
} as const;

type PeriodName = keyof typeof namedPeriods;

export interface Period {
  /** `undefined` for one between two times. */
  name: PeriodName | undefined;
  from: string;
  /** Exclusive. */
  to: string;
  /** Whether requests that end from now on belong to it. */
  isOpen: boolean;
  unit: PeriodUnit;
  /** Whole hours or days by UTC that contain the period. */
  parts: readonly PeriodPart[];
  /** The period before this one, to compare with: as long, or as much of the month before. */
  before: readonly PeriodPart[];
  /** The parameters of an address that name it. */
  query: Readonly<Record<string, string>>;
  /** Why the times of the address were not used. */
  problem: string | undefined;
}

/** Parameters of an address that choose a period. `zone` says where a time without an offset was entered. */
export const periodParameters = ['period', 'from', 'to', 'zone'] as const;

/** Whether an address chooses one. */
export const hasPeriod = ({ period, from, to }: FieldValues): boolean => Boolean(from || to) || isPeriodName(period);

/** The period that an address chooses. What it says wrongly is replaced by the period that is shown without a choice. */
export function periodIn(query: FieldValues, now: number, otherwise: PeriodName = '30d'): Period {
  const { period: name, from, to } = query;
  if (!from && !to) return namedPeriod(isPeriodName(name) ? name : otherwise, now);
  const chosen = periodBetween(query, now);
  return chosen ?? { ...namedPeriod(otherwise, now), problem };
}

const problem = 'Choose a beginning that is before the end and before now, and at most 92 days before the end.';

const isPeriodName = (text: string | undefined): text is PeriodName =>
  text !== undefined && Object.hasOwn(namedPeriods, text);

const lengths = { '24h': 24, '7d': 7, '30d': 30, '90d': 90 } as const;

function namedPeriod(name: PeriodName, now: number): Period {
  const common = { name, query: { period: name }, problem: undefined };
  if (name === 'month' || name === 'last-month') return { ...common, ...monthPeriod(name, now) };
  const unit = name === '24h' ? 'hour' : 'day';
  const count = lengths[name];
  const all = partsFrom(endOfPart(now, unit) - 2 * count * lengthOfPart(unit), unit, 2 * count);
  return { ...common, ...ofParts(all.slice(count), unit), before: all.slice(0, count), isOpen: true };
}

/** The month is compared with as many days of the month before. */
function monthPeriod(name: 'month' | 'last-month', now: number): Omit<Period, 'name' | 'query' | 'problem'> {
  const startOf = (monthsAgo: number): number => {
    const today = new Date(now);
    return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1);
  };
  const isOpen = name === 'month';
  const [end, start, startBefore] = isOpen
    ? [endOfPart(now, 'day'), startOf(0), startOf(1)]
    : [startOf(0), startOf(1), startOf(2)];
  const days = (end - start) / dayMs;
  const daysBefore = (start - startBefore) / dayMs;
  const before = partsFrom(startBefore, 'day', isOpen ? Math.min(days, daysBefore) : daysBefore);
  return { ...ofParts(partsFrom(start, 'day', days), 'day'), before, isOpen };
}

const ofParts = (parts: readonly PeriodPart[], unit: PeriodUnit) => ({
  unit,
  parts,
  from: parts[0]?.from ?? '',
  to: parts.at(-1)?.to ?? '',
});

const hourMs = lengthOfPart('hour');
const dayMs = lengthOfPart('day');
const mostHours = 48;
const mostDays = 92;
const defaultDays = 30;
/** Long before any request. */
const earliest = Date.UTC(2000, 0, 1);

/** Without an end, the period ends now; without a beginning, it is thirty days long. */
function periodBetween({ from, to, zone }: FieldValues, now: number): Period | undefined {
  const until = to ? instantIn(to, zone) : now;
  if (until === undefined) return undefined;
  const since = from ? instantIn(from, zone) : until - defaultDays * dayMs;
  if (since === undefined || since < earliest || since >= Math.min(until, now)) return undefined;
  if (until - since > mostDays * dayMs) return undefined;
  const end = Math.min(until, endOfPart(now, 'hour'));
  const unit = end - since <= mostHours * hourMs ? 'hour' : 'day';
  const start = startOfPart(since, unit);
  const length = lengthOfPart(unit);
  const count = Math.ceil((end - start) / length);
  const fromText = new Date(since).toISOString();
  const toText = new Date(until).toISOString();
  return {
    name: undefined,
    from: fromText,
    to: toText,
    isOpen: until >= now,
    unit,
    parts: partsFrom(start, unit, count),
    before: partsFrom(start - count * length, unit, count),
    query: { from: fromText, ...(to && { to: toText }) },
    problem: undefined,
  };
}
