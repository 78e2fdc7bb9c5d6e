import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { countUnit, dollarUnit, type Html, html, percentUnit, sparkline, timeUnit } from '@tallyport/pages';
import { totalOfNumbers } from '../analytics/totals.ts';
import { numberTile } from '../screen/number-tile.ts';
import { requestsAddress } from '../screen/request-links.ts';
import type { DashboardRequest } from '../screen/route.ts';
import { readUsageNumbers, type UsageNumbers, type UsageOwner } from './usage-numbers.ts';

type StripRequest = Pick<DashboardRequest, 'ask' | 'base' | 'caller'>;

/** The usage of what a page is about, with links to its requests and analytics. */
export const usageStrip = (request: StripRequest, owner: UsageOwner): Promise<Html> =>
  unlessUnreadable(async () => {
    const { base, caller } = request;
    const numbers = await readUsageNumbers(request, owner, Date.now());
    const href = `${base}/analytics?${new URLSearchParams({ period: 'month', ...owner }).toString()}`;
    const note = hasRole(caller, 'admin')
      ? monthNote
      : `${monthNote} Only keys you created and applications that act for you are counted.`;
    const hrefs = { cost: href, latency: href };
    return stripOf({ base, owner, hrefs, more: { href, text: 'Analytics' }, note }, numbers);
  });

/** What the numbers of a month are of. */
export const monthNote = 'Of this month by UTC, against the same days of the month before; small charts are of days.';

/** What a page is about is shown also if its usage cannot be read. */
export async function unlessUnreadable(read: () => Promise<Html>): Promise<Html> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return html`<p class="note warn">Its usage cannot be read at the moment. Reload the page to try again.</p>`;
  }
}

interface Strip {
  base: string;
  owner: UsageOwner | { end_user: string };
  /** Where these numbers lead. */
  hrefs: { cost: string; latency: string };
  /** The page with more about this usage. */
  more: { href: string; text: string };
  note: string;
}

export function stripOf({ base, owner, hrefs, more, note }: Strip, numbers: UsageNumbers): Html {
  const { now, before, today, yesterday, days, p95, failed, month } = numbers;
  const requestsSince = (from: string | undefined, error?: string) => requestsAddress(base, { from, ...owner, error });
  const requests = requestsSince(month.from);
  return html`<section class="usage-strip" aria-label="Usage">
    <dl class="totals">
      ${numberTile({
        title: html`<a href="${hrefs.cost}">Cost this month</a>`,
        unit: dollarUnit,
        now: totalOfNumbers(now.map(({ cost }) => cost)),
        before: totalOfNumbers(before.map(({ cost }) => cost)),
        growth: 'neutral',
        chart: sparkline(days.map(({ cost }) => cost)),
      })}
      ${numberTile({
        title: html`<a href="${requestsSince(month.parts.at(-1)?.from)}">Cost today</a>`,
        unit: dollarUnit,
        now: today.cost,
        before: undefined,
        growth: 'neutral',
        note: `yesterday ${dollarUnit.exact(yesterday.cost)}`,
      })}
      ${numberTile({
        title: html`<a href="${requests}">Requests this month</a>`,
        unit: countUnit,
        now: totalOfNumbers(now.map((day) => day.requests)),
        before: totalOfNumbers(before.map((day) => day.requests)),
        growth: 'neutral',
        chart: sparkline(days.map((day) => day.requests)),
      })}
      ${numberTile({
        title: html`<a href="${hrefs.latency}">Latency p95</a>`,
        unit: timeUnit,
        now: p95.now,
        before: p95.before,
        growth: 'worse',
        chart: sparkline(p95.days),
      })}
      ${numberTile({
        title: html`<a href="${requestsSince(month.from, 'any')}">Failed</a>`,
        unit: percentUnit,
        now: failed.now,
        before: failed.before,
        growth: 'worse',
        chart: sparkline(failed.days),
      })}
    </dl>
    <p class="quiet small">${note} <a href="${requests}">Requests</a> · <a href="${more.href}">${more.text}</a></p>
  </section>`;
}
