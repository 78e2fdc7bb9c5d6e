import { GatewayError } from '@tallyport/contracts';
import { heading, type Html, html } from '@tallyport/pages';
import { apiPeriod, apiPeriodBefore } from '../screen/period-parts.ts';
import type { DashboardRequest } from '../screen/route.ts';
import { daysOfMonths, numbersOf } from '../usage/usage-numbers.ts';
import { monthNote, stripOf, unlessUnreadable } from '../usage/usage-strip.ts';

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

async function usageOf({ ask, base }: DashboardRequest, name: string): Promise<Html> {
  const read = daysOfMonths(Date.now());
  const { month, days } = read;
  const [all, ofMonth] = await Promise.all([
    ask('readEndUser', { ...apiPeriod({ unit: 'day', parts: days }), end_user: name }),
    ask('readEndUser', { ...apiPeriod(month), ...apiPeriodBefore(month), end_user: name }),
  ]);
  const href = `${base}/analytics?${new URLSearchParams({ period: 'month', end_user: name }).toString()}`;
  const strip = {
    base,
    owner: { end_user: name },
    hrefs: { cost: href, latency: href },
    more: { href, text: 'Analytics' },
    note: monthNote,
  };
  return stripOf(
    strip,
    numbersOf(read, {
      totals: new Map(all.days.map(({ day, cost, ...counts }) => [day, { ...counts, cost: Number(cost) }])),
      p95: {
        now: ofMonth.total.p95Ms,
        before: ofMonth.before?.p95Ms,
        byDay: new Map(ofMonth.days.map(({ day, p95Ms }) => [day, p95Ms])),
      },
    }),
  );
}
