import type { ProjectRole } from '@tallyport/management';
import type { Claims } from '../claims.ts';
import type { AccessRule } from '../document/identity-schema.ts';
import { ruleFits } from './roles-of.ts';

/** The projects of an account that rules give, by name or id, each with its role. */
export type WantedProjects = ReadonlyMap<string, ProjectRole>;

/** The projects that the rules open to a person with these claims, by account, each with the highest role. */
export function projectsOf(claims: Claims, rules: readonly AccessRule[]): ReadonlyMap<string, WantedProjects> {
  const found = new Map<string, Map<string, ProjectRole>>();
  for (const { account, project, projectRole = 'member', ...condition } of rules) {
    if (project === undefined || !ruleFits(claims, condition)) continue;
    const projects = found.get(account) ?? new Map<string, ProjectRole>();
    if (projects.get(project) !== 'admin') projects.set(project, projectRole);
    found.set(account, projects);
  }
  return found;
}
