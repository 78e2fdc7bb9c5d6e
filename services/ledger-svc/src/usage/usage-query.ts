import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import type { UsageQuery } from './read-usage.ts';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const defaultDays = 30;
const maxDays = 400;

interface UsagePeriod {
  from?: string | undefined;
  to?: string | undefined;
  key?: string | undefined;
  project?: string | undefined;
  /** The last hours up to now, instead of `from` and `to`. */
  hours?: number | undefined;
}

/** The usage that an operation asks for: the caller's own keys for members. Throws `invalid_parameters`. */
export function usageQueryOf({ key, project, ...period }: UsagePeriod, caller: ApiCaller): UsageQuery {
  return {
    accountId: caller.accountId,
    keyId: key,
    projectId: project,
    userId: hasRole(caller, 'admin') ? undefined : (caller.userId ?? ''),
    ...(period.hours === undefined ? daysOf(period) : lastHours(period.hours, period)),
  };
}

type Span = Pick<UsageQuery, 'from' | 'until'>;

function daysOf({ from: first, to: last }: UsagePeriod): Span {
  const to = startOf(last ?? dayOf(new Date()));
  const from = first === undefined ? to - (defaultDays - 1) * dayMs : startOf(first);
  const days = (to - from) / dayMs + 1;
  if (days < 1) throw wrongPeriod('from must not be after to.');
  if (days > maxDays) throw wrongPeriod(`from and to must be at most ${maxDays} days apart.`);
  return { from: new Date(from), until: new Date(to + dayMs) };
}

/** Whole hours; the last one is the current hour. */
function lastHours(hours: number, { from, to }: UsagePeriod): Span {
  if (from !== undefined || to !== undefined) throw wrongPeriod('Send either hours, or from and to.');
  const until = (Math.floor(Date.now() / hourMs) + 1) * hourMs;
  return { from: new Date(until - hours * hourMs), until: new Date(until) };
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const wrongPeriod = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param: 'from' });
