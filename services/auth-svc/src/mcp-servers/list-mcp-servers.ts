import type { Database } from '@tallyport/database';
import type { McpServerRecord } from '@tallyport/management';
import { mcpServerColumns, mcpServerRecord } from './mcp-server-record.ts';

/** Lists the servers, oldest first. */
export async function listMcpServers({ kysely }: Database, accountId: string): Promise<McpServerRecord[]> {
  const rows = await kysely
    .selectFrom('mcp_servers')
    .select(mcpServerColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(mcpServerRecord);
}
