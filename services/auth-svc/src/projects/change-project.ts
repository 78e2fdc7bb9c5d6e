import { type Database, type Queries, sql } from '@tallyport/database';
import type { ProjectChanges } from '@tallyport/management';
import { jsonText, recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import type { ProjectOwner } from './create-project.ts';
import { noSuchProject } from '../keys/project-access.ts';
import { newRoutesVersion } from '../database/new-routes-version.ts';
import { checkProjectName } from './project-names.ts';
import { renameInRoutes } from './rename-in-routes.ts';
import { projectRecord, type ProjectRecord } from './project-record.ts';

export function changeProject(
  { kysely }: Database,
  { accountId, actor }: ProjectOwner,
  { id, changes }: { id: string; changes: ProjectChanges },
): Promise<ProjectRecord> {
  return kysely.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    await checkProjectName(transaction, { accountId, name: changes.name, id });
    const before = changes.name === undefined ? undefined : await nameOf(transaction, { accountId, id });
    const row = await transaction
      .updateTable('projects')
      .set({
        // An update must set at least one column, even if nothing changes.
        id: sql`id`,
        name: changes.name,
        allowed_tiers: jsonText(changes.allowedTiers),
        limits: jsonText(changes.limits),
        budget: jsonText(changes.budget),
        end_user_budget: jsonText(changes.endUserBudget),
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw noSuchProject();
    if (before !== undefined && before !== row.name)
      await renameInRoutes(transaction, { accountId, before, name: row.name });
    await newRoutesVersion(transaction, accountId);
    await recordAudit(transaction, { accountId, actor, action: 'project.changed', subject: id, detail: changes });
    return projectRecord(row);
  });
}

async function nameOf(queries: Queries, { accountId, id }: { accountId: string; id: string }) {
  const project = await queries
    .selectFrom('projects')
    .select('name')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return project?.name;
}
