import { type Queries, sql } from '@tallyport/database';

/** The first words of actions that change what a gateway document may describe. */
const changing = [
  'account',
  'alert',
  'guard_webhook',
  'invitation',
  'key',
  'mcp_server',
  'member',
  'oauth_client',
  'project',
  'provider_key',
  'route',
];

/** The id of the last change. The audit log only grows, and a change is stored together with its entry. */
export async function readRevision(queries: Queries): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    select id::text as revision from audit_log
    where split_part(action, '.', 1) in (${sql.join(changing)}) and action not like '%.tested'
    order by id desc limit 1`.execute(queries);
  return rows[0]?.revision ?? '0';
}
