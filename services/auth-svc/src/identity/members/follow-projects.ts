import type { Queries } from '@tallyport/database';
import type { ProjectRole } from '@tallyport/management';
import { findNamedProject } from '../../projects/find-named-project.ts';
import { endProjectMembership, hasRoom, setProjectMember } from '../../projects/project-members.ts';
import type { WantedProjects } from './projects-of.ts';

interface ProjectFollowing {
  accountId: string;
  userId: string;
  /** The id of the provider. */
  provider: string;
}

/**
 * Makes the projects of a member follow the claims: those that this provider gave and no rule gives any more end, with
 * the keys that the person created there. Projects that do not exist, or are full, are left out. Returns the hashes of
 * keys that ended.
 */
export async function followProjects(
  transaction: Queries,
  { accountId, userId, provider }: ProjectFollowing,
  wanted: WantedProjects,
): Promise<string[]> {
  const change = { accountId, userId, actor: `identity:${provider}` } as const;
  const roles = await rolesById(transaction, accountId, wanted);
  const present = await transaction
    .selectFrom('project_members')
    .select(['project_id as projectId', 'identity_provider as by'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  for (const [projectId, role] of roles) {
    const isMember = present.some((each) => each.projectId === projectId);
    if (!isMember && !(await hasRoom(transaction, projectId))) continue;
    await setProjectMember(transaction, { ...change, projectId, provider }, role);
  }
  const ended: string[] = [];
  for (const { projectId, by } of present) {
    if (by !== provider || roles.has(projectId)) continue;
    ended.push(...(await endProjectMembership(transaction, { ...change, projectId }, { keepKeys: false })));
  }
  return ended;
}

async function rolesById(
  transaction: Queries,
  accountId: string,
  wanted: WantedProjects,
): Promise<ReadonlyMap<string, ProjectRole>> {
  const roles = new Map<string, ProjectRole>();
  for (const [project, role] of wanted) {
    const found = await findNamedProject(transaction, { accountId, project });
    // Two rules may name one project, by name and by id.
    if (found && roles.get(found.id) !== 'admin') roles.set(found.id, role);
  }
  return roles;
}
