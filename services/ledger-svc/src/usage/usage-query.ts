import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { dayMs, dayOf } from './days.ts';
import { hourMs, lastHours } from './hours.ts';
import type { UsageQuery } from './read-usage.ts';

const defaultDays = 30;
const maxDays = 400;

interface UsagePeriod {
  from?: string | undefined;
  to?: string | undefined;
  key?: string | undefined;
  project?: string | undefined;
  member?: string | undefined;
  /** The last hours up to now, instead of `from` and `to`, which are days or hours. */
  hours?: number | undefined;
}

/** The usage that an operation asks for: the caller's own keys for members. Throws `invalid_parameters`. */
export function usageQueryOf({ key, project, member, ...period }: UsagePeriod, caller: ApiCaller): UsageQuery {
  return {
    accountId: caller.accountId,
    keyId: key,
    projectId: project,
    memberId: member,
    userId: hasRole(caller, 'admin') ? undefined : (caller.userId ?? ''),
    ...spanOf(period),
  };
}

type Span = Pick<UsageQuery, 'from' | 'until'>;

/** The time of a period. Throws `invalid_parameters`. */
export function spanOf(period: UsagePeriod): Span {
  const { hours, from, to } = period;
  if (hours === undefined) return isOfHours(period) ? hoursOf(period) : daysOf(period);
  if (from !== undefined || to !== undefined) throw wrongPeriod('Send either hours, or from and to.');
  return lastHours(hours, new Date());
}

/** Whether a period is one of hours, not of days. */
export const isOfHours = ({ hours, from, to }: UsagePeriod): boolean =>
  hours !== undefined || [from, to].some((text) => text?.includes('T'));

function daysOf({ from: first, to: last }: UsagePeriod): Span {
  const to = startOf(last ?? dayOf(new Date()));
  const from = first === undefined ? to - (defaultDays - 1) * dayMs : startOf(first);
  const days = (to - from) / dayMs + 1;
  if (days < 1) throw wrongPeriod('from must not be after to.');
  if (days > maxDays) throw wrongPeriod(`from and to must be at most ${maxDays} days apart.`);
  return { from: new Date(from), until: new Date(to + dayMs) };
}

const maxHours = 14 * 24;

/** Sums by hour are many, so that a period of hours is short. */
function hoursOf({ from, to }: UsagePeriod): Span {
  const [start, end] = [from, to].map((text) => (text?.includes('T') ? Date.parse(text) : Number.NaN));
  if (start === undefined || end === undefined || [start, end].some((time) => time % hourMs !== 0))
    throw wrongPeriod('Send from and to both as days, or both as times of full hours.');
  const hours = (end - start) / hourMs;
  if (hours < 1) throw wrongPeriod('from must be before to.');
  if (hours > maxHours) throw wrongPeriod(`from and to must be at most ${maxHours} hours apart; use days for more.`);
  return { from: new Date(start), until: new Date(end) };
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const wrongPeriod = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param: 'from' });
