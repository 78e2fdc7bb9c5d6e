import { sql } from '@tallyport/database';

/** SQL: whether the account in this column has enabled MCP servers. Part of the query that finds a caller. */
export const hasMcpServers = (accountId: string) =>
  sql<boolean>`exists (select from mcp_servers where account_id = ${sql.ref(accountId)} and enabled)`;
