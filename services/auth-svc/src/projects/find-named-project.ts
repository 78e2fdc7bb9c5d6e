import { type Queries, sql } from '@tallyport/database';

/** How a document names a project: by its name, in which case does not count, or its id. */
interface NamedProject {
  accountId: string;
  project: string;
}

export const findNamedProject = (queries: Queries, { accountId, project }: NamedProject) =>
  queries
    .selectFrom('projects')
    .select(['id', 'allowed_tiers', 'limits', 'budget', 'end_user_budget'])
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('id', '=', project), sql<boolean>`lower(name) = lower(${project})`]))
    .orderBy(sql`id = ${project}`, 'desc')
    .executeTakeFirst();
