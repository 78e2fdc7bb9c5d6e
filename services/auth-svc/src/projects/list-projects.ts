import { budgetPeriod } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { ProjectOverview, ProjectRole } from '@tallyport/management';
import { noSuchProject, type ProjectCaller } from '../keys/project-access.ts';
import { projectRecord } from './project-record.ts';
import { projectsSpent } from './projects-spent.ts';

/** Lists the projects that the caller may see, oldest first. */
export async function listProjects({ kysely }: Database, caller: ProjectCaller, now: Date): Promise<ProjectOverview[]> {
  return overviewsOf(kysely, caller.accountId, { rows: await visibleProjects(kysely, caller), now });
}

export async function readProject(
  { kysely }: Database,
  caller: ProjectCaller,
  { id, now }: { id: string; now: Date },
): Promise<ProjectOverview> {
  const rows = await visibleProjects(kysely, caller, id);
  const [project] = await overviewsOf(kysely, caller.accountId, { rows, now });
  if (project === undefined) throw noSuchProject();
  return project;
}

type FoundProject = Awaited<ReturnType<typeof visibleProjects>>[number];

function visibleProjects(queries: Queries, { accountId, byAdmin, userId = '' }: ProjectCaller, id?: string) {
  return queries
    .selectFrom('projects')
    .leftJoin('project_members as own', (join) =>
      join.onRef('own.project_id', '=', 'projects.id').on('own.user_id', '=', userId),
    )
    .selectAll('projects')
    .select('own.role')
    .select(
      sql<number>`(select count(*)::int from api_keys
      where project_id = projects.id and revoked_at is null)`.as('keys'),
    )
    .select(sql<number>`(select count(*)::int from project_members where project_id = projects.id)`.as('members'))
    .where('projects.account_id', '=', accountId)
    .$if(!byAdmin, (query) => query.where('own.role', 'is not', null))
    .$if(id !== undefined, (query) => query.where('projects.id', '=', id ?? ''))
    .orderBy('projects.created_at')
    .orderBy('projects.id')
    .execute();
}

async function overviewsOf(
  queries: Queries,
  accountId: string,
  { rows, now }: { rows: readonly FoundProject[]; now: Date },
): Promise<ProjectOverview[]> {
  const found = rows.map((row) => {
    const project = projectRecord(row);
    return { row, project, period: budgetPeriod(project.budget?.period ?? 'month', now) };
  });
  const spent = await projectsSpent(
    queries,
    accountId,
    found.map(({ project: { id, budget }, period }) => ({ id, since: period.from, amount: budget?.amount })),
  );
  return found.map(({ row: { role, keys, members }, project, period }) => ({
    ...project,
    ...roleOf(role),
    keys,
    members,
    ...(spent.get(project.id) ?? { spent: '0' }),
    ...(period.until && { resetsAt: period.until.toISOString() }),
  }));
}

const roleOf = (role: ProjectRole | null): { role?: ProjectRole } => (role === null ? {} : { role });
