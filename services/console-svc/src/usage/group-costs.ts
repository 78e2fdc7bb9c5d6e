import { GatewayError } from '@tallyport/contracts';
import type { UsageDimension } from '@tallyport/management';
import { dollars, html, type HtmlContent } from '@tallyport/pages';
import { periodIn } from '../screen/period.ts';
import { apiPeriod, type PeriodPart } from '../screen/period-parts.ts';
import { requestsAddress } from '../screen/request-links.ts';
import type { DashboardRequest } from '../screen/route.ts';

/** What a list shows the cost of. */
type Listed = UsageDimension | 'member';

/** The cost of keys, projects, models, providers or members in this month and today, by UTC, by their ids. */
export interface GroupCosts {
  month: ReadonlyMap<string, string>;
  today: ReadonlyMap<string, string>;
}

type Asking = Pick<DashboardRequest, 'ask'>;

/** As many groups as one read of the usage API may name. */
const mostGroups = 100;

/** Reads the costs for a list; `undefined` if they cannot be read, because the list is useful without them. */
export async function readGroupCosts(
  { ask }: Asking,
  by: Listed,
  ids: readonly string[],
): Promise<GroupCosts | undefined> {
  const { parts } = periodIn({ period: 'month' }, Date.now());
  const portions = portionsOf(ids.filter((id) => !id.includes(',')));
  const read = async (days: readonly PeriodPart[]) => {
    const period = apiPeriod({ unit: 'day', parts: days });
    const answers = await Promise.all(portions.map((only) => readCosts(ask, { by, only, period })));
    return new Map(answers.flat());
  };
  try {
    const [month, today] = await Promise.all([read(parts), read(parts.slice(-1))]);
    return { month, today };
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

type Cost = readonly [id: string, cost: string];

interface WantedCosts {
  by: Listed;
  /** Ids, separated by commas. */
  only: string;
  period: object;
}

async function readCosts(ask: Asking['ask'], { by, only, period }: WantedCosts): Promise<Cost[]> {
  if (by === 'member') {
    const { members } = await ask('readMemberUsage', { ...period, members: only });
    return members.map(({ userId, cost }) => [userId, cost]);
  }
  const { points } = await ask('readUsageSeries', { ...period, interval: 'period', by, only });
  return points.flatMap(({ [by]: id, cost }) => (id ? [[id, cost]] : []));
}

const portionsOf = (ids: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(ids.length / mostGroups) }, (_, at) =>
    ids.slice(at * mostGroups, (at + 1) * mostGroups).join(),
  );

/** The ids of the keys of the highest cost in this month, highest first. */
export async function readDearestKeys({ ask }: Asking): Promise<string[]> {
  const month = apiPeriod(periodIn({ period: 'month' }, Date.now()));
  const { points } = await ask('readUsageSeries', { ...month, interval: 'period', by: 'key', top: mostGroups });
  return points
    .toSorted((one, other) => Number(other.cost) - Number(one.cost))
    .map(({ key = '' }) => key)
    .filter((id) => id !== '' && !id.includes(','));
}

/** The columns of `costCells`. */
export const costColumns = [
  { title: 'This month', kind: 'number' },
  { title: 'Today', kind: 'number' },
] as const;

interface CostOwner {
  base: string;
  by: Listed;
  id: string;
}

/** The cost of the month leads to Analytics, that of today to the requests. */
export function costCells({ base, by, id }: CostOwner, costs: GroupCosts | undefined): HtmlContent[] {
  if (costs === undefined) return costColumns.map(() => html`<span class="quiet">–</span>`);
  const owner = { [by]: id };
  const month = `${base}/analytics?${new URLSearchParams({ period: 'month', ...owner }).toString()}`;
  const today = requestsAddress(base, { from: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`, ...owner });
  return [
    html`<a href="${month}">${dollars(costs.month.get(id) ?? '0')}</a>`,
    html`<a href="${today}">${dollars(costs.today.get(id) ?? '0')}</a>`,
  ];
}
