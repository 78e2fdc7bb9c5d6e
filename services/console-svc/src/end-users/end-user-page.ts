import { GatewayError } from '@tallyport/contracts';
import type { OneEndUser } from '@tallyport/management';
import { heading, type Html, html, moment } from '@tallyport/pages';
import { shareOf } from '../analytics/totals.ts';
import { apiPeriod } from '../screen/period-parts.ts';
import { requestsAddress } from '../screen/request-links.ts';
import type { DashboardRequest } from '../screen/route.ts';
import { daysOfMonths, monthTotals, type UsageNumbers } from '../usage/usage-numbers.ts';
import { stripOf, unlessUnreadable } from '../usage/usage-strip.ts';

/** The name is a parameter, because a path cannot have every name. */
export const endUserAddress = (base: string, name: string): string =>
  `${base}/end-users/named?${new URLSearchParams({ name }).toString()}`;

export async function endUserPage(request: DashboardRequest): Promise<{ title: string; body: Html }> {
  const { base, query } = request;
  const { name = '' } = query;
  if (name === '' || name.length > longestName) throw new GatewayError('not_found', 'No end user has this name.');
  const back = { href: `${base}/end-users`, text: 'End users' };
  const strip = await unlessUnreadable(async () => usageOf(request, name));
  return {
    title: name,
    body: html`${heading({ title: name, text: 'An end user of your applications.', back })} ${strip}`,
  };
}

/** As long as the API takes. */
const longestName = 200;

/** Analytics has no sums of end users, so that the numbers lead to the requests. */
async function usageOf({ ask, base }: DashboardRequest, name: string): Promise<Html> {
  const read = daysOfMonths(Date.now());
  const usage = await ask('readEndUser', { ...apiPeriod({ unit: 'day', parts: read.days }), end_user: name });
  const requests = requestsAddress(base, { from: read.month.from, end_user: name });
  const strip = {
    base,
    owner: { end_user: name },
    hrefs: { cost: `${requests}&sort=cost`, latency: `${requests}&sort=duration` },
    more: { href: `${base}/end-users`, text: 'All end users' },
    note: noteOf(usage),
  };
  return stripOf(strip, numbersOf(read, usage));
}

/** Sums of end users have no times and errors: these are of records, which are many. */
const noteOf = ({ newest: { since } }: OneEndUser): Html =>
  html`Of this month by UTC, against the same days of the month before. p95 and failures
  ${
    since === undefined
      ? 'are of all requests of this month.'
      : html`are of the newest requests, since ${moment(since)}.`
  }`;

function numbersOf(read: ReturnType<typeof daysOfMonths>, { days, newest }: OneEndUser): UsageNumbers {
  const totals = new Map(days.map(({ day, cost, requests }) => [day, { cost: Number(cost), requests }]));
  const unknown = { before: undefined, days: [] };
  return {
    ...monthTotals(read, totals, { cost: 0, requests: 0 }),
    p95: { now: newest.p95Ms, ...unknown },
    failed: { now: shareOf(newest.failed, newest.requests), ...unknown },
  };
}
