import type { Budget, Limits } from '@tallyport/contracts';
import { decimalText } from '../../decimal-text.ts';
import type { LeftOvers, Path } from '../../left-over.ts';
import type { Row } from './read-dump.ts';
import { numberIn, textIn } from './row-values.ts';

const hours: Readonly<Record<string, number>> = { s: 1 / 3_600, m: 1 / 60, h: 1, d: 24, w: 168, mo: 720 };

/**
 * A period of this gateway is a day, a week, a month or for ever. Others become the next longer one, so that no key can
 * spend more than before.
 */
export function budgetOf(row: Row, path: Path, left: LeftOvers): Budget | undefined {
  const most = numberIn(row, 'max_budget');
  if (most === undefined || most < 0 || most >= 1e12) return undefined;
  const amount = decimalText(Math.round(most * 1e10) / 1e10);
  const duration = textIn(row, 'budget_duration');
  if (duration === undefined) return { amount, period: 'total' };
  const period = periodOf(duration);
  if (!period.isExact) left.add([...path, 'budget_duration'], otherPeriod, 'Choose the amount that fits the period.');
  return { amount, period: period.name };
}

const otherPeriod = 'A budget is for a day, a week, a calendar month or for ever, so it has the next longer period.';

const periods = [
  ['day', 24],
  ['week', 168],
  ['month', 744],
] as const;

function periodOf(duration: string): { name: Budget['period']; isExact: boolean } {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|mo|m|h|d|w)$/.exec(duration) ?? [];
  const length = Number(count) * (hours[unit] ?? Number.NaN);
  const [name, longest] = periods.find(([, most]) => length <= most) ?? ['total', undefined];
  return { name, isExact: name === 'month' ? length >= 672 : length === longest };
}

/** 0 is no limit here, and none at all there. */
export function limitsOf(row: Row): Limits | undefined {
  const [requests, tokens, concurrency] = ['rpm_limit', 'tpm_limit', 'max_parallel_requests'].map((name) =>
    limitIn(row, name),
  );
  const limits: Limits = {
    ...(requests && { requestsPerMinute: { chat: requests, images: requests } }),
    ...(tokens && { tokensPerMinute: tokens }),
    ...(concurrency && { concurrency }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function limitIn(row: Row, name: string): number | undefined {
  const limit = numberIn(row, name);
  return limit === undefined || limit <= 0 ? undefined : Math.min(1_000_000_000, Math.ceil(limit));
}

/** A key with a limit of 0 can do nothing. */
export const isShut = (row: Row): boolean =>
  ['rpm_limit', 'tpm_limit', 'max_parallel_requests'].some((name) => numberIn(row, name) === 0);
