import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';
import type { McpServerChanges, McpServerRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { readAuth, splitAuth, type StoredAuth } from './mcp-server-auth.ts';
import { mcpServerColumns, mcpServerPlace, mcpServerRecord } from './mcp-server-record.ts';
import { checkNameIsFree, lockServerNames } from './server-names.ts';
import type { McpServerOwner, McpServerTools } from './tools.ts';

interface McpServerChange {
  id: string;
  changes: McpServerChanges;
}

/** Changes a server. Resolves with `undefined` if the account has no such server. */
export function changeMcpServer(
  { database, secrets }: McpServerTools,
  { accountId, actor }: McpServerOwner,
  { id, changes }: McpServerChange,
): Promise<McpServerRecord | undefined> {
  const { name, url, enabled } = changes;
  const auth = changes.auth && splitAuth(changes.auth);
  return database.kysely.transaction().execute(async (transaction) => {
    const servers = await lockServerNames(transaction, accountId);
    if (!servers.some((server) => server.id === id)) return undefined;
    if (name !== undefined) checkNameIsFree(servers, { id, name });
    if (url !== undefined && auth === undefined) await checkUrlKept(transaction, id, url);
    const row = await transaction
      .updateTable('mcp_servers')
      .set((set) => ({
        updated_at: set.fn<Date>('now'),
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(enabled !== undefined && { enabled }),
        ...(auth !== undefined && { auth: JSON.stringify(auth.shown) }),
      }))
      .where('id', '=', id)
      .returning(mcpServerColumns)
      .executeTakeFirstOrThrow();
    await replaceSecret(transaction, auth);
    const detail = { name, url, enabled, auth: auth?.shown };
    await recordAudit(transaction, { accountId, actor, action: 'mcp_server.changed', subject: id, detail });
    return mcpServerRecord(row);
  });

  async function replaceSecret(transaction: Queries, replaced: StoredAuth | undefined): Promise<void> {
    if (replaced === undefined) return;
    if (replaced.secret !== undefined) {
      await secrets.keep(transaction, mcpServerPlace(accountId, id), replaced.secret);
    } else {
      await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    }
  }
}

/** A stored secret cannot be read, so an admin must not be able to have it sent to another server. */
async function checkUrlKept(transaction: Queries, id: string, url: string): Promise<void> {
  const query = transaction.selectFrom('mcp_servers').select(['url', 'auth']).where('id', '=', id);
  const before = await query.executeTakeFirstOrThrow();
  if (before.url === url || readAuth(before.auth).type === 'none') return;
  throw new GatewayError(
    'invalid_parameters',
    'The stored secret belongs to the current URL. Send auth with the URL.',
    {
      param: 'auth',
    },
  );
}
