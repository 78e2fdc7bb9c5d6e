import { GatewayError } from '@tallyport/contracts';
import type { Queries, Row } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';

interface AddedClient {
  id: string;
  accountId: string;
  actor: AuditActor;
  /** The client metadata of the OAuth library, with the secret hashed. */
  payload: Readonly<Record<string, unknown>>;
}

export const maxClients = 100;

export type ClientRow = Pick<Row<'oauth_records'>, (typeof clientColumns)[number]>;

const clientColumns = ['id', 'payload', 'created_at', 'last_used_at'] as const;

/** Adds a client of an account. An account can have at most 100, created or registered. */
export async function addClient(transaction: Queries, { id, accountId, actor, payload }: AddedClient) {
  await checkRoom(transaction, accountId);
  const row = await transaction
    .insertInto('oauth_records')
    .values({ model: 'Client', id, account_id: accountId, payload: JSON.stringify(payload) })
    .returning(clientColumns)
    .executeTakeFirstOrThrow();
  const detail = { name: payload['client_name'], redirectUris: payload['redirect_uris'] };
  await recordAudit(transaction, { accountId, actor, action: 'oauth_client.created', subject: id, detail });
  return row;
}

export const clientsOf = (queries: Queries, accountId: string) =>
  queries
    .selectFrom('oauth_records')
    .select(clientColumns)
    .where('model', '=', 'Client')
    .where('account_id', '=', accountId);

/** Locks the account, so that concurrent calls cannot exceed the limit. */
async function checkRoom(transaction: Queries, accountId: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  const clients = await clientsOf(transaction, accountId).limit(maxClients).execute();
  if (clients.length < maxClients) return;
  throw new GatewayError(
    'conflict',
    `An account can have at most ${maxClients} OAuth clients. Delete one that is not used.`,
  );
}
