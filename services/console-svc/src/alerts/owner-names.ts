import type { AlertRecord } from '@tallyport/management';
import { readKeyNames } from '../screen/key-names.ts';
import { readProjectNames } from '../screen/project-names.ts';
import type { DashboardRequest } from '../screen/route.ts';
import type { OwnerNames } from './condition-text.ts';
import { ownerOf } from './offered-owners.ts';

/** Reads the names of the keys and projects that alerts watch. */
export async function readOwnerNames(
  request: Pick<DashboardRequest, 'ask' | 'caller'>,
  alerts: readonly Pick<AlertRecord, 'condition'>[],
): Promise<OwnerNames> {
  const owners = alerts.flatMap(({ condition }) => ownerOf(condition) ?? []);
  const keyIds = owners.flatMap(({ scope, id }) => (scope === 'key' ? [id] : []));
  const hasProjects = owners.some(({ scope }) => scope === 'project');
  const [key, project] = await Promise.all([
    readKeyNames(request, keyIds),
    hasProjects ? readProjectNames(request) : (id: string) => id,
  ]);
  return { key, project };
}
