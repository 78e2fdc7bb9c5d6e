import { GatewayError } from '@tallyport/contracts';
import type { RequestSums } from '@tallyport/management';
import { totalsOf } from '../analytics/totals.ts';
import { apiPeriod } from '../screen/period-parts.ts';
import type { DashboardRequest } from '../screen/route.ts';
import { inputOfView, type ListView } from './filters.ts';

type Asking = Pick<DashboardRequest, 'ask'>;

/** Counts and adds up the requests of a view. `undefined` if a service of the version before answers, which cannot. */
export async function readRequestSums({ ask }: Asking, view: ListView): Promise<RequestSums | undefined> {
  try {
    const sums = await ask('sumRequests', inputOfView(view));
    return sums.since !== undefined && isOfUsage(view) ? await sumsOfUsage({ ask }, view) : sums;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const usageFilters: readonly string[] = ['model', 'provider', 'key', 'project'];

/** Whether the sums of hours and days know the view, which may have too many requests to count. */
const isOfUsage = ({ filters, period }: ListView): boolean =>
  period.name !== undefined && Object.keys(filters).every((name) => usageFilters.includes(name));

async function sumsOfUsage({ ask }: Asking, { filters, period }: ListView): Promise<RequestSums> {
  const { points } = await ask('readUsageSeries', { ...apiPeriod(period), ...filters, interval: 'period' });
  const [point] = points;
  if (point === undefined) return { requests: 0, tokens: 0, cost: '0' };
  const { requests, refused, tokensIn, tokensOut } = totalsOf(point);
  return { requests: requests + refused, tokens: tokensIn + tokensOut, cost: point.cost };
}
