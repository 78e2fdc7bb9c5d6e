import { GatewayError } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { OAuthGrant } from '@tallyport/management';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { tokenModels } from '../records.ts';

export interface GrantScope {
  accountId: string;
  /** The user whose grants are meant; undefined for all users of the account. */
  userId: string | undefined;
}

const most = 1_000;

/** Lists grants, newest first. */
export async function listGrants({ kysely }: Database, { accountId, userId }: GrantScope): Promise<OAuthGrant[]> {
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

/** Deletes a grant. Returns the hashes of its access tokens. */
export function deleteGrant(
  { kysely }: Database,
  { id, actor, accountId, userId }: GrantScope & { id: string; actor: AuditActor },
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

/** Ends all grants of a user in an account. Returns the hashes of their access tokens. */
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

/** Ends all grants of a user in every account. Returns the hashes of their access tokens. */
export async function endEveryGrantOf(transaction: Queries, userId: string): Promise<string[]> {
  const places = await transaction
    .selectFrom('oauth_records')
    .select('account_id')
    .distinct()
    .where('user_id', '=', userId)
    .execute();
  const ended: string[] = [];
  for (const { account_id: accountId } of places) {
    if (accountId === null) continue;
    ended.push(...(await endGrantsOf(transaction, { accountId, userId, actor: `user:${userId}` })));
  }
  return ended;
}

const tokensAmong = (ended: readonly { model: string; id: string }[]): string[] =>
  ended.filter(({ model }) => tokenModels.includes(model)).map(({ id }) => id);

const noSuchGrant = (): GatewayError =>
  new GatewayError('not_found', 'This grant does not exist. List all grants: GET /api/v1/oauth-grants');
