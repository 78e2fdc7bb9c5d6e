import { GatewayError } from '@tallyport/contracts';
import { newestFirst } from '@tallyport/management';
import { type Html, lastDays } from '@tallyport/pages';
import { periodIn } from '../screen/period.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { readGroupCosts } from '../usage/group-costs.ts';
import { usageStrip } from '../usage/usage-strip.ts';
import { providerPage } from './provider-page.ts';
import { readWholeHistory } from './read-whole-history.ts';
import { type ProviderFigures, providersOf, providersPage } from './view.ts';

const section = 'providers';

export const providerRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/providers',
    section,
    answer: async (request) => ({ title: 'Providers', content: () => providers(request) }),
  },
  { method: 'get', path: '/providers/:id', section, answer: showProvider },
];

/** The history has so many days. */
const mostDays = 90;

async function providers(request: DashboardRequest): Promise<Html> {
  const [history, standings] = await Promise.all([readPeriod(request, {}), request.api.listStandings()]);
  const costs = await readGroupCosts(request, 'provider', providersOf({ ...history, standings }));
  return providersPage({ base: request.base, ...history, standings, costs });
}

/** Incidents are those of the provider, as in the list, and those of single models. */
async function showProvider(request: DashboardRequest): Promise<DashboardResponse> {
  const { id: provider = '' } = request.params;
  // Nearly all providers were called, and the standings of all offers take longer to read.
  const isKnown = (await wasCalled(request, provider)) || (await standingsOf(request, provider)).length > 0;
  if (!isKnown) throw noSuchProvider();
  return { title: provider, content: () => ofProvider(request) };
}

const standingsOf = async ({ api }: DashboardRequest, provider: string): Promise<ProviderFigures['standings']> =>
  (await api.listStandings()).filter((each) => each.provider === provider);

/** Whether the provider was called on any day of the history, also before the period. */
async function wasCalled({ ask }: DashboardRequest, provider: string): Promise<boolean> {
  const { days } = await ask('readProviderHistory', { provider, days: mostDays, limit: 1 });
  return days.length > 0;
}

async function ofProvider(request: DashboardRequest): Promise<Html> {
  const { id: provider = '' } = request.params;
  const [standings, ofOffers, { incidents }, usage] = await Promise.all([
    standingsOf(request, provider),
    readPeriod(request, { provider, by: 'offer', days: mostDays }),
    readPeriod(request, { provider }),
    usageStrip(request, { provider }),
  ]);
  return providerPage({
    base: request.base,
    ...ofOffers,
    name: provider,
    incidents: newestFirst([...incidents, ...ofOffers.incidents]),
    standings,
    usage,
  });
}

type PeriodHistory = Omit<ProviderFigures, 'base' | 'standings'>;

/** Reads the history of the period that the address chooses. */
async function readPeriod({ ask, query }: DashboardRequest, filter: object): Promise<PeriodHistory> {
  const now = Date.now();
  const period = periodIn(query, now, '90d');
  const dates = [...new Set(period.parts.map(({ from }) => from.slice(0, 10)))];
  const known = lastDays(mostDays, now);
  const days = known.length - Math.max(0, known.indexOf(dates[0] ?? ''));
  const history = await readWholeHistory(ask, { days, ...filter });
  return {
    period,
    dates,
    history: history.days.filter(({ day }) => dates.includes(day)),
    incidents: history.incidents.filter(
      ({ from, to }) => Date.parse(from) < Date.parse(period.to) && Date.parse(to) > Date.parse(period.from),
    ),
  };
}

const noSuchProvider = (): GatewayError =>
  new GatewayError('not_found', 'This provider does not exist, or the account may not use it. Choose one of the list.');
