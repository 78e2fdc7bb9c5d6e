import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** MCP servers of accounts, and which of them a key may use. */
export const mcpServers: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('mcp_servers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('auth', 'jsonb', (column) => column.notNull())
      .addColumn('enabled', 'boolean', (column) => column.notNull().defaultTo(true))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addUniqueConstraint('mcp_servers_account_id_name', ['account_id', 'name'])
      .execute();
    await database.schema.alterTable('api_keys').addColumn('allowed_mcp_tools', 'jsonb').execute();
  },
};
