import { GatewayError } from '@tallyport/contracts';
import type { McpServerRecord, NewMcpServer } from '@tallyport/management';
import { makeId, recordAudit } from '@tallyport/management-server';
import { splitAuth } from './mcp-server-auth.ts';
import { mcpServerColumns, mcpServerPlace, mcpServerRecord } from './mcp-server-record.ts';
import { checkNameIsFree, lockServerNames } from './server-names.ts';
import type { McpServerOwner, McpServerTools } from './tools.ts';

/** A list of tools waits for each server of the account, and all servers travel to mcp-svc in one message. */
export const maxMcpServers = 20;

/** Registers a server, which is not contacted yet. */
export function createMcpServer(
  { database, secrets }: McpServerTools,
  { accountId, actor }: McpServerOwner,
  { name, url, auth, enabled }: NewMcpServer,
): Promise<McpServerRecord> {
  const id = makeId('mcp_server');
  const { shown, secret } = splitAuth(auth);
  return database.kysely.transaction().execute(async (transaction) => {
    const servers = await lockServerNames(transaction, accountId);
    if (servers.length >= maxMcpServers) throw tooMany();
    checkNameIsFree(servers, { id, name });
    if (secret !== undefined) await secrets.keep(transaction, mcpServerPlace(accountId, id), secret);
    const row = await transaction
      .insertInto('mcp_servers')
      .values({ id, account_id: accountId, name, url, auth: JSON.stringify(shown), enabled })
      .returning(mcpServerColumns)
      .executeTakeFirstOrThrow();
    const detail = { name, url, auth: shown };
    await recordAudit(transaction, { accountId, actor, action: 'mcp_server.created', subject: id, detail });
    return mcpServerRecord(row);
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `An account can have at most ${maxMcpServers} MCP servers. Delete one that is no longer used.`,
  );
