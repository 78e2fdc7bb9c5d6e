import { hasRole } from '@tallyport/management';
import type { DashboardRequest } from '../screen/route.ts';

/** What the fields of the filters suggest: what the person's requests of the last thirty days were about. */
export interface Suggestions {
  models: readonly string[];
  providers: readonly string[];
  /** Names of keys. */
  keys: readonly string[];
  endUsers: readonly string[];
}

const mostSuggested = 50;

/** End users may be personal data, so that members do not see them. */
export async function readSuggestions({ ask, caller }: DashboardRequest): Promise<Omit<Suggestions, 'keys'>> {
  const used = async (by: 'model' | 'provider') => {
    const { points } = await ask('readUsageSeries', { interval: 'period', by, top: mostSuggested });
    return points.flatMap((point) => point[by] || []).toSorted();
  };
  const [models, providers, { endUsers }] = await Promise.all([
    used('model'),
    used('provider'),
    hasRole(caller, 'admin') ? ask('listEndUsers', { limit: mostSuggested }) : { endUsers: [] },
  ]);
  return { models, providers, endUsers: endUsers.map(({ endUser }) => endUser) };
}
