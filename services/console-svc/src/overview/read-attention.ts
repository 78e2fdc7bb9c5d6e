import { hasRole } from '@tallyport/management';
import type { OfferStanding } from '../gateway/offer-standing.ts';
import { providerState } from '../providers/provider-state.ts';
import type { DashboardRequest } from '../screen/route.ts';
import { type Attention, runsOutPercent } from './attention.ts';

/** More than are shown, so that their number is known. */
const mostBudgets = 20;

/** Reads what needs a person now. The page does without what a service does not answer. */
export async function readAttention({ ask, api, base, caller }: DashboardRequest): Promise<Attention> {
  const unknown = () => undefined;
  const [alerts, standings, budgets] = await Promise.all([
    hasRole(caller, 'admin') ? ask('listAlerts').catch(unknown) : undefined,
    api.listStandings().catch(unknown),
    ask('listBudgets', { spentPercent: runsOutPercent, limit: mostBudgets }).catch(unknown),
  ]);
  return {
    base,
    firing: alerts?.alerts.filter(({ enabled, firing }) => enabled && firing.length > 0),
    providers: standings && degradedIn(standings),
    budgets: budgets?.budgets,
  };
}

function degradedIn(standings: readonly OfferStanding[]): Attention['providers'] {
  return [...Map.groupBy(standings, ({ provider }) => provider)]
    .map(([name, offers]) => ({ name, kind: providerState(offers).kind }))
    .filter(({ kind }) => kind === 'degraded' || kind === 'open');
}
