import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { NewProject } from '@tallyport/management';
import { type AuditActor, jsonText, makeId, recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import { newRoutesVersion } from '../database/new-routes-version.ts';
import { checkProjectName } from './project-names.ts';
import { projectRecord, type ProjectRecord } from './project-record.ts';

export interface ProjectOwner {
  accountId: string;
  actor: AuditActor;
}

export const maxProjects = 1_000;

export function createProject(
  { kysely }: Database,
  { accountId, actor }: ProjectOwner,
  { name, allowedTiers, limits, budget, endUserBudget }: NewProject,
): Promise<ProjectRecord> {
  return kysely.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const projects = transaction.selectFrom('projects').select('id').where('account_id', '=', accountId);
    if ((await projects.limit(maxProjects).execute()).length === maxProjects) throw tooMany();
    await checkProjectName(transaction, { accountId, name });
    const row = await transaction
      .insertInto('projects')
      .values({
        id: makeId('project'),
        account_id: accountId,
        name,
        allowed_tiers: jsonText(allowedTiers),
        limits: jsonText(limits),
        budget: jsonText(budget),
        end_user_budget: jsonText(endUserBudget),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await newRoutesVersion(transaction, accountId);
    const detail = { name, allowedTiers, limits, budget, endUserBudget };
    await recordAudit(transaction, { accountId, actor, action: 'project.created', subject: row.id, detail });
    return projectRecord(row);
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'conflict',
    `An account can have at most ${maxProjects} projects. Delete one that is no longer used.`,
  );
