import { listen, stopServer } from '@switchyard/service-kit';
import type { Kit, Part } from '@switchyard/service-kit';
import { answer } from './answer.ts';
import type { McpConfig } from './config.ts';
import { mcpEvents } from './events.ts';
import { httpServer } from './http-server.ts';

export { mcpConfig } from './config.ts';
export type { McpConfig } from './config.ts';

export interface McpModule extends Part {
  /** Where it listens, once it has started. */
  address(): string;
}

/** The MCP server, over HTTP: edge hands `/mcp` on to it. */
export function mcpModule(kit: Kit<McpConfig>): McpModule {
  const events = mcpEvents(kit);
  const server = httpServer((request) => answer(request, events));
  let address = '';
  return {
    name: 'mcp-svc',
    async start() {
      address = await listen(server, { host: kit.config.MCP_HOST, port: kit.config.MCP_PORT });
    },
    stop: (deadlineMs) => stopServer(server, deadlineMs),
    address: () => address,
  };
}
