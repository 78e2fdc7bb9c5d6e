import type { AlertCondition } from '@tallyport/management';
import type { FieldValues } from '@tallyport/pages';
import { readKeyNames } from '../screen/key-names.ts';
import type { DashboardRequest } from '../screen/route.ts';
import type { ConditionType } from './condition-text.ts';

export interface Owner {
  scope: 'key' | 'project';
  id: string;
}

interface OfferedOwner {
  id: string;
  name: string;
}

/** What the form offers to watch. */
export interface OfferedOwners {
  keys: readonly OfferedOwner[];
  projects: readonly OfferedOwner[];
  /** The text in the names of the keys that are offered. */
  search: string | undefined;
  /** Whether there are more keys than are offered. */
  hasMoreKeys: boolean;
}

/** As many keys as a choice offers. */
export const mostKeys = 200;

const hasOwner: Readonly<Record<ConditionType, boolean>> = {
  budget: true,
  daily_cost: true,
  error_rate: true,
  key_expiry: true,
  latency: false,
  provider_uptime: false,
  vendor_difference: false,
};

/**
 * Reads the newest keys, or those that match the search of the page, and the projects. What is `chosen` is always among
 * them: a form without it would change what the alert watches.
 */
export async function readOfferedOwners(
  request: Pick<DashboardRequest, 'ask' | 'caller' | 'query'>,
  type: ConditionType,
  chosen: Owner | undefined,
): Promise<OfferedOwners> {
  const search = request.query['q']?.trim().slice(0, 100) || undefined;
  if (!hasOwner[type]) return { keys: [], projects: [], search, hasMoreKeys: false };
  const [{ keys, nextCursor }, { projects }] = await Promise.all([
    request.ask('listKeys', { search, state: 'working', order: 'newest', limit: mostKeys }),
    request.ask('listProjects'),
  ]);
  const chosenIn = (scope: Owner['scope']): string[] => (chosen?.scope === scope ? [chosen.id] : []);
  const nameOf = await readKeyNames(request, chosenIn('key'));
  return {
    keys: withChosen(keys, chosenIn('key'), nameOf),
    projects: withChosen(projects, chosenIn('project'), String),
    search,
    hasMoreKeys: nextCursor !== undefined,
  };
}

function withChosen(
  offered: readonly OfferedOwner[],
  chosen: readonly string[],
  nameOf: (id: string) => string,
): OfferedOwner[] {
  const missing = chosen.filter((id) => offered.every((owner) => owner.id !== id));
  return [...missing.map((id) => ({ id, name: nameOf(id) })), ...offered];
}

/** The key or project that a condition names. */
export function ownerOf(condition: AlertCondition): Owner | undefined {
  if ('scope' in condition) {
    const { scope, id } = condition;
    return scope === 'account' || id === undefined ? undefined : { scope, id };
  }
  return 'key' in condition && condition.key !== undefined ? { scope: 'key', id: condition.key } : undefined;
}

/** The key or project that was chosen in a posted form. */
export function ownerIn(values: FieldValues): Owner | undefined {
  const [scope, id] = (values['of'] ?? '').split(':');
  if ((scope === 'key' || scope === 'project') && id) return { scope, id };
  const key = values['condition.key'];
  return key ? { scope: 'key', id: key } : undefined;
}
