import { defineConfig, port } from '@switchyard/service-kit';
import type { ConfigOf } from '@switchyard/service-kit';
import { z } from 'zod';

export const mcpConfig = defineConfig({
  MCP_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address mcp-svc listens on for edge. 0.0.0.0 in a container.',
  },
  MCP_PORT: {
    schema: port,
    default: '4002',
    description: 'Port of mcp-svc; edge finds it by MCP_URL. 0 lets the system choose.',
    contradiction: ({ MCP_PORT, PORT, ADMIN_PORT }) =>
      MCP_PORT !== 0 && (MCP_PORT === PORT || MCP_PORT === ADMIN_PORT)
        ? `is the same as ${MCP_PORT === PORT ? 'PORT' : 'ADMIN_PORT'}; they are two servers, so give it another one`
        : undefined,
  },
});

export type McpConfig = ConfigOf<typeof mcpConfig>;
