import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';
import type { ProjectRole } from '@tallyport/management';

/** The key or the person that a project is read or changed for. */
export interface ProjectCaller {
  accountId: string;
  /** An admin of the account, who may do everything in all its projects. */
  byAdmin: boolean;
  /** Absent if the caller is a key. */
  userId?: string | undefined;
}

/** The same error for a project of another account, of others, and one that does not exist. */
export const noSuchProject = (param?: string): GatewayError =>
  new GatewayError(
    'not_found',
    'This project does not exist, or you do not belong to it. List yours: GET /api/v1/projects',
    {
      ...(param !== undefined && { param }),
    },
  );

/**
 * Checks that the caller may see the project, or with the role `admin` that they may manage its keys and members. The
 * project is not deleted before the end of the transaction.
 */
export async function checkProject(
  transaction: Queries,
  { accountId, byAdmin, userId }: ProjectCaller,
  { id, role, param }: { id: string; role: ProjectRole; param?: string },
): Promise<void> {
  const row = await transaction
    .selectFrom('projects')
    .select((select) => [
      'id',
      select
        .selectFrom('project_members')
        .select('role')
        .whereRef('project_id', '=', 'projects.id')
        .where('user_id', '=', userId ?? '')
        .as('role'),
    ])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst();
  if (row === undefined || (!byAdmin && row.role === null)) throw noSuchProject(param);
  if (byAdmin || role === 'member' || row.role === 'admin') return;
  throw new GatewayError(
    'permission_denied',
    'This requires an admin of the project or of the account. Ask one to do it.',
  );
}

/** Keys of the management API can do more than any project allows. */
export const notInProject = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'An admin key belongs to no project, because it manages the whole account. Leave projectId or admin out.',
    { param: 'projectId' },
  );
