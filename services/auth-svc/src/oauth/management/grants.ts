import { GatewayError } from '@switchyard/contracts';
import { type Database, type Queries, sql } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../../audit/audit.ts';
import { tokenModels } from '../records.ts';
import type { OAuthGrant } from './client-operations.ts';

export interface GrantsOf {
  accountId: string;
  /** Absent: of everybody in the account. */
  userId: string | undefined;
}

const most = 1_000;

/** What people allowed, the newest first. */
export async function listGrants({ kysely }: Database, { accountId, userId }: GrantsOf): Promise<OAuthGrant[]> {
  const query = kysely
    .selectFrom('oauth_records as grant')
    .leftJoin('oauth_records as client', (join) =>
      join.on('client.model', '=', 'Client').on(sql`client.id`, '=', sql`"grant".payload ->> 'clientId'`),
    )
    .select(['grant.id', 'grant.payload', 'grant.user_id', 'grant.created_at', 'client.payload as client'])
    .where('grant.model', '=', 'Grant')
    .where('grant.account_id', '=', accountId)
    .where('grant.expires_at', '>', sql<Date>`now()`);
  const own = userId === undefined ? query : query.where('grant.user_id', '=', userId);
  const rows = await own.orderBy('grant.created_at', 'desc').limit(most).execute();
  return rows.map(({ id, payload, user_id, created_at, client }) => ({
    id,
    clientId: String(payload['clientId']),
    ...(typeof client?.['client_name'] === 'string' && { clientName: client['client_name'] }),
    userId: user_id ?? '',
    createdAt: created_at.toISOString(),
  }));
}

/** The hashes of the access tokens that ended with it. */
export function deleteGrant(
  { kysely }: Database,
  { id, actor, accountId, userId }: GrantsOf & { id: string; actor: AuditActor },
): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const query = transaction
      .deleteFrom('oauth_records')
      .where('model', '=', 'Grant')
      .where('id', '=', id)
      .where('account_id', '=', accountId);
    const own = userId === undefined ? query : query.where('user_id', '=', userId);
    const gone = await own.returning('payload').executeTakeFirst();
    if (gone === undefined) throw noSuchGrant();
    const tokens = transaction.deleteFrom('oauth_records').where('grant_id', '=', id);
    const ended = await tokens.returning(['model', 'id']).execute();
    const detail = { clientId: gone.payload['clientId'] };
    await recordAudit(transaction, { accountId, actor, action: 'oauth_client.grant_deleted', subject: id, detail });
    return tokensAmong(ended);
  });
}

/** All that applications may do for somebody in an account. The hashes of the access tokens that ended with it. */
export async function endGrantsOf(
  transaction: Queries,
  { accountId, userId, actor }: { accountId: string; userId: string; actor: AuditActor },
): Promise<string[]> {
  const ended = await transaction
    .deleteFrom('oauth_records')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .returning(['model', 'id', 'payload'])
    .execute();
  for (const { id: subject, payload } of ended.filter(({ model }) => model === 'Grant')) {
    const detail = { clientId: payload['clientId'] };
    await recordAudit(transaction, { accountId, actor, action: 'oauth_client.grant_deleted', subject, detail });
  }
  return tokensAmong(ended);
}

const tokensAmong = (ended: readonly { model: string; id: string }[]): string[] =>
  ended.filter(({ model }) => tokenModels.includes(model)).map(({ id }) => id);

const noSuchGrant = (): GatewayError =>
  new GatewayError('not_found', 'Nothing like this was allowed here. See what was: GET /api/v1/oauth-grants');
