import { mcpServerTestSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { mcpServerChangesSchema, newMcpServerSchema } from './mcp-server-input.ts';
import { mcpServerRecordSchema } from './mcp-server-record.ts';

const serverId = { id: z.string().min(1).max(100) };

/** Members can list servers, admins manage them. No caller can read a secret again. */
export const mcpServerOperations = {
  listMcpServers: {
    method: 'GET',
    path: '/mcp-servers',
    summary: "Lists the account's MCP servers, oldest first.",
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ mcpServers: z.array(mcpServerRecordSchema) }),
  },
  createMcpServer: {
    method: 'POST',
    path: '/mcp-servers',
    summary:
      'Registers an MCP server (streamable HTTP). /mcp offers its tools as <name>__<tool>; its secret is stored encrypted and never shown again.',
    access: 'admin',
    input: newMcpServerSchema,
    output: mcpServerRecordSchema,
    status: 201,
  },
  changeMcpServer: {
    method: 'PATCH',
    path: '/mcp-servers/{id}',
    summary:
      'Changes an MCP server, everywhere within a second. Omitted members stay unchanged; a new URL needs the secret again.',
    access: 'admin',
    input: mcpServerChangesSchema.extend(serverId),
    output: mcpServerRecordSchema,
  },
  testMcpServer: {
    method: 'POST',
    path: '/mcp-servers/{id}/test',
    summary: 'Connects to an enabled MCP server and lists its tools, or returns why that fails.',
    access: 'admin',
    input: z.strictObject(serverId),
    output: mcpServerTestSchema,
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: '/mcp-servers/{id}',
    summary: 'Deletes an MCP server and its secret, everywhere within a second.',
    access: 'admin',
    input: z.strictObject(serverId),
    output: mcpServerRecordSchema,
  },
} as const satisfies ApiOperations;
