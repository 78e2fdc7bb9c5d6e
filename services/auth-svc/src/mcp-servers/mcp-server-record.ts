import type { Row } from '@tallyport/database';
import type { McpServerRecord } from '@tallyport/management';
import type { SecretPlace } from '@tallyport/management-server';
import { readAuth } from './mcp-server-auth.ts';

export const mcpServerColumns = [
  'id',
  'name',
  'url',
  'auth',
  'enabled',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row<'mcp_servers'>)[];

type McpServerRow = Pick<Row<'mcp_servers'>, (typeof mcpServerColumns)[number]>;

export const mcpServerRecord = (row: McpServerRow): McpServerRecord => ({
  id: row.id,
  name: row.name,
  url: row.url,
  auth: readAuth(row.auth),
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** The place of a server's secret among the secrets. */
export const mcpServerPlace = (accountId: string, id: string): SecretPlace => ({
  id,
  accountId,
  purpose: 'mcp-server',
});
