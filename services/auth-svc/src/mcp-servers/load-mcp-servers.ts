import { GatewayError, type McpServer } from '@tallyport/contracts';
import { joinAuth, readAuth } from './mcp-server-auth.ts';
import { mcpServerPlace } from './mcp-server-record.ts';
import type { McpServerTools } from './tools.ts';

/**
 * Returns the enabled servers of an account with their secrets in plain text, oldest first. This is the only way to
 * read the secrets; mcp-svc calls it over the bus. Throws `unavailable` if a secret cannot be decrypted.
 */
export async function loadMcpServers({ database, secrets }: McpServerTools, accountId: string): Promise<McpServer[]> {
  const rows = await database.kysely
    .selectFrom('mcp_servers as server')
    .leftJoin('secrets', 'secrets.id', 'server.id')
    .select(['server.id', 'server.name', 'server.url', 'server.auth', 'secrets.key_id', 'secrets.sealed'])
    .where('server.account_id', '=', accountId)
    .where('server.enabled', '=', true)
    .orderBy('server.created_at')
    .orderBy('server.id')
    .execute();
  return rows.map(({ id, name, url, auth, key_id, sealed }) => ({
    id,
    name,
    url,
    auth: joinAuth(readAuth(auth), () => {
      if (key_id === null || sealed === null) throw secretMissing(id);
      return secrets.unseal({ key_id, sealed }, mcpServerPlace(accountId, id));
    }),
  }));
}

const secretMissing = (id: string): GatewayError =>
  new GatewayError('unavailable', 'The secret of an MCP server is missing. An admin must set it again.', {
    detail: `there is no secret for ${id}`,
  });
