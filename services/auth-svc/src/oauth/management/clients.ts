import { randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import type { OAuthClient } from '@tallyport/management';
import { type AuditActor, makeId, recordAudit } from '@tallyport/management-server';
import { hashClientSecret } from '../client-secret.ts';
import { tokenModels } from '../records.ts';
import { addClient, type ClientRow, clientsOf, maxClients } from './add-client.ts';

interface NewOAuthClient {
  accountId: string;
  actor: AuditActor;
  name: string;
  redirectUris: readonly string[];
}

export async function listOAuthClients({ kysely }: Database, accountId: string): Promise<OAuthClient[]> {
  const rows = await clientsOf(kysely, accountId).orderBy('created_at').orderBy('id').limit(maxClients).execute();
  return rows.map(clientRecord);
}

/** Creates a client. The secret is only returned here. */
export function createOAuthClient(
  { kysely }: Database,
  { accountId, actor, name, redirectUris }: NewOAuthClient,
): Promise<{ secret: string; client: OAuthClient }> {
  const id = makeId('client');
  const secret = randomBytes(32).toString('base64url');
  const forPeople = redirectUris.length > 0;
  const payload = {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    client_secret: hashClientSecret(secret),
    client_secret_expires_at: 0,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: [...(forPeople ? ['authorization_code', 'refresh_token'] : []), 'client_credentials'],
    response_types: forPeople ? ['code'] : [],
    redirect_uris: redirectUris,
    account_id: accountId,
  };
  return kysely.transaction().execute(async (transaction) => {
    const row = await addClient(transaction, { id, accountId, actor, payload });
    return { secret, client: clientRecord(row) };
  });
}

/** Deletes a client and all its records. Returns the hashes of its access tokens. */
export function deleteOAuthClient(
  { kysely }: Database,
  { accountId, actor, id }: { accountId: string; actor: AuditActor; id: string },
): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const client = transaction.deleteFrom('oauth_records').where('model', '=', 'Client').where('id', '=', id);
    const gone = await client.where('account_id', '=', accountId).returning('id').executeTakeFirst();
    if (gone === undefined) throw noSuchClient();
    const ended = await transaction
      .deleteFrom('oauth_records')
      .where(sql<string>`payload ->> 'clientId'`, '=', id)
      .returning(['model', 'id'])
      .execute();
    await recordAudit(transaction, { accountId, actor, action: 'oauth_client.deleted', subject: id });
    return ended.filter(({ model }) => tokenModels.includes(model)).map(({ id: tokenHash }) => tokenHash);
  });
}

const clientRecord = (row: ClientRow): OAuthClient => ({
  id: row.id,
  name: String(row.payload['client_name'] ?? ''),
  redirectUris: [row.payload['redirect_uris']].flat().map(String),
  createdAt: row.created_at.toISOString(),
  ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
});

const noSuchClient = (): GatewayError =>
  new GatewayError('not_found', 'This OAuth client does not exist. List all clients: GET /api/v1/oauth-clients');
