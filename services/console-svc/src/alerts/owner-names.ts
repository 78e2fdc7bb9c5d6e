import type { AlertRecord } from '@switchyard/management';
import { readKeyNames } from '../screen/key-names.ts';
import { readProjectNames } from '../screen/project-names.ts';
import type { DashboardRequest } from '../screen/route.ts';
import type { OwnerNames } from './condition-text.ts';

/** Reads the names of the keys and projects that alerts watch. */
export async function readOwnerNames(
  request: Pick<DashboardRequest, 'ask' | 'caller'>,
  alerts: readonly Pick<AlertRecord, 'condition'>[],
): Promise<OwnerNames> {
  const owners = alerts.flatMap(({ condition }) => ownerOf(condition));
  const keyIds = owners.flatMap(({ scope, id }) => (scope === 'key' ? [id] : []));
  const hasProjects = owners.some(({ scope }) => scope === 'project');
  const [key, project] = await Promise.all([
    readKeyNames(request, keyIds),
    hasProjects ? readProjectNames(request) : (id: string) => id,
  ]);
  return { key, project };
}

function ownerOf(condition: AlertRecord['condition']): { scope: 'key' | 'project'; id: string }[] {
  if (condition.type === 'key_expiry' && condition.key !== undefined) return [{ scope: 'key', id: condition.key }];
  if (condition.type !== 'budget' || condition.scope === 'account' || condition.id === undefined) return [];
  return [{ scope: condition.scope, id: condition.id }];
}
