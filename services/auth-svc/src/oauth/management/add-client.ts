import { GatewayError } from '@switchyard/contracts';
import type { Queries, Row } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../../audit/audit.ts';

export interface AddedClient {
  id: string;
  accountId: string;
  actor: AuditActor;
  /** As the OAuth library knows clients, its secret hashed. */
  payload: Readonly<Record<string, unknown>>;
}

export const mostClients = 100;

export type ClientRow = Pick<Row<'oauth_records'>, (typeof clientColumns)[number]>;

const clientColumns = ['id', 'payload', 'created_at', 'last_used_at'] as const;

/** A client of an account, which has at most 100, however it came. */
export async function addClient(transaction: Queries, { id, accountId, actor, payload }: AddedClient) {
  await leaveRoom(transaction, accountId);
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

/** One at a time for each account, so that no two take the last place. */
async function leaveRoom(transaction: Queries, accountId: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  const clients = await clientsOf(transaction, accountId).limit(mostClients).execute();
  if (clients.length < mostClients) return;
  throw new GatewayError(
    'conflict',
    `An account has at most ${mostClients} OAuth clients: delete one that is not used.`,
  );
}
