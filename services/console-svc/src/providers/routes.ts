import { GatewayError } from '@tallyport/contracts';
import { type Html, lastDays } from '@tallyport/pages';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { providerPage } from './provider-page.ts';
import { readWholeHistory } from './read-whole-history.ts';
import { historyPeriods, type ProviderFigures, providersPage } from './view.ts';

const section = 'providers';

export const providerRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/providers', section, title: 'Providers', content: providers },
  { method: 'get', path: '/providers/:id', section, answer: showProvider },
];

async function providers(request: DashboardRequest): Promise<Html> {
  return providersPage(await figuresOf(request, {}));
}

async function showProvider(request: DashboardRequest): Promise<DashboardResponse> {
  const { id: provider = '' } = request.params;
  const figures = await figuresOf(request, { provider, by: 'offer' });
  const standings = figures.standings.filter((each) => each.provider === provider);
  if (standings.length === 0 && figures.history.length === 0) throw noSuchProvider();
  return { title: provider, body: providerPage(provider, { ...figures, standings }) };
}

async function figuresOf({ ask, api, base, query }: DashboardRequest, filter: object): Promise<ProviderFigures> {
  const days = historyPeriods.find((period) => String(period) === query['days']) ?? 90;
  const [{ days: history, incidents }, standings] = await Promise.all([
    readWholeHistory(ask, { days, ...filter }),
    api.listStandings(),
  ]);
  return { base, days, dates: lastDays(days, Date.now()), history, incidents, standings };
}

const noSuchProvider = (): GatewayError =>
  new GatewayError('not_found', 'This provider does not exist, or the account may not use it. Choose one of the list.');
