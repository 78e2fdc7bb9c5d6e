import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';

interface NamedServer {
  id: string;
  name: string;
}

/** The names of an account's servers. Locks the account, so that they do not change during the transaction. */
export async function lockServerNames(transaction: Queries, accountId: string): Promise<NamedServer[]> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  return transaction.selectFrom('mcp_servers').select(['id', 'name']).where('account_id', '=', accountId).execute();
}

/** Throws `conflict` if another server has this name. */
export function checkNameIsFree(servers: readonly NamedServer[], { id, name }: NamedServer): void {
  if (!servers.some((server) => server.name === name && server.id !== id)) return;
  throw new GatewayError('conflict', `This account already has an MCP server named ${name}. Choose another name.`, {
    param: 'name',
  });
}
