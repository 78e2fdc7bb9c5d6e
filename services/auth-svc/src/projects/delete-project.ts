import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import { newRoutesVersion } from '../database/new-routes-version.ts';
import type { ProjectOwner } from './create-project.ts';
import { noSuchProject } from '../keys/project-access.ts';
import { projectRecord, type ProjectRecord } from './project-record.ts';

/** Deletes a project without keys: without the project, its keys would have no limits of it, or stop unexpectedly. */
export function deleteProject(
  { kysely }: Database,
  { accountId, actor }: ProjectOwner,
  id: string,
): Promise<ProjectRecord> {
  return kysely.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const project = transaction.selectFrom('projects').selectAll().where('id', '=', id);
    const row = await project.where('account_id', '=', accountId).forUpdate().executeTakeFirst();
    if (row === undefined) throw noSuchProject();
    const keys = transaction.selectFrom('api_keys').select('id').where('project_id', '=', id);
    if (await keys.where('revoked_at', 'is', null).executeTakeFirst()) throw hasKeys();
    await transaction.deleteFrom('projects').where('id', '=', id).execute();
    await newRoutesVersion(transaction, accountId);
    const detail = { name: row.name };
    await recordAudit(transaction, { accountId, actor, action: 'project.deleted', subject: id, detail });
    return projectRecord(row);
  });
}

const hasKeys = (): GatewayError =>
  new GatewayError('conflict', 'The project has keys. Revoke them or move them to another project first.');
