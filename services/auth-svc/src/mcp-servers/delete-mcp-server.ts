import type { McpServerRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { mcpServerColumns, mcpServerRecord } from './mcp-server-record.ts';
import type { McpServerOwner, McpServerTools } from './tools.ts';

/** Deletes a server and its secret. Resolves with `undefined` if the account has no such server. */
export function deleteMcpServer(
  { database }: McpServerTools,
  { accountId, actor }: McpServerOwner,
  id: string,
): Promise<McpServerRecord | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('mcp_servers')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(mcpServerColumns)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    const detail = { name: row.name, url: row.url };
    await recordAudit(transaction, { accountId, actor, action: 'mcp_server.deleted', subject: id, detail });
    return mcpServerRecord(row);
  });
}
