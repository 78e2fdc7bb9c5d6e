import { GatewayError, type McpServerTest } from '@tallyport/contracts';
import { mcpServerOperations as operations } from '@tallyport/management';
import type { UrlRules } from '@tallyport/outbound';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { changeMcpServer } from './change-mcp-server.ts';
import { checkServerUrls } from './check-server-urls.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { deleteMcpServer } from './delete-mcp-server.ts';
import { listMcpServers } from './list-mcp-servers.ts';
import type { McpServerTools } from './tools.ts';

export interface McpServerEndpointTools extends McpServerTools {
  announce: Pick<Announce, 'mcpServerChanged'>;
  /** Asks mcp-svc, which alone connects to servers. */
  testMcpServer(of: { accountId: string; id: string }): Promise<McpServerTest>;
  /** Which URLs servers may have. */
  targetUrls: UrlRules;
}

export function mcpServerEndpoints(tools: McpServerEndpointTools): ApiEndpoint[] {
  const { database, announce, targetUrls } = tools;
  return [
    endpoint(operations.listMcpServers, async (_input, { accountId }) => ({
      mcpServers: await listMcpServers(database, accountId),
    })),
    endpoint(operations.createMcpServer, async (input, caller) => {
      checkServerUrls(input, targetUrls);
      const created = await createMcpServer(tools, caller, input);
      announce.mcpServerChanged('created', { id: created.id, accountId: caller.accountId });
      return created;
    }),
    endpoint(operations.changeMcpServer, async ({ id, ...changes }, caller) => {
      checkServerUrls(changes, targetUrls);
      const changed = (await changeMcpServer(tools, caller, { id, changes })) ?? noSuchServer();
      announce.mcpServerChanged('changed', { id, accountId: caller.accountId });
      return changed;
    }),
    endpoint(operations.testMcpServer, ({ id }, { accountId }) => tools.testMcpServer({ accountId, id })),
    endpoint(operations.deleteMcpServer, async ({ id }, caller) => {
      const deleted = (await deleteMcpServer(tools, caller, id)) ?? noSuchServer();
      announce.mcpServerChanged('deleted', { id, accountId: caller.accountId });
      return deleted;
    }),
  ];
}

function noSuchServer(): never {
  throw new GatewayError('not_found', 'This MCP server does not exist. List all servers: GET /api/v1/mcp-servers');
}
