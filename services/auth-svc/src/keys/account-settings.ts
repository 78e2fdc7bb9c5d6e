import type { Queries } from '@tallyport/database';
import { hasMcpServers } from '../mcp-servers/has-mcp-servers.ts';
import { hasProviderKeys } from '../provider-keys/key-choice.ts';
import type { FoundKey } from './find-key.ts';

/** The settings that every key of an account has. */
export type AccountKeySettings = Pick<
  FoundKey,
  | 'accountLimits'
  | 'accountBudget'
  | 'accountCacheTtlSeconds'
  | 'accountGuardrails'
  | 'accountContentLog'
  | 'providerKeyMode'
  | 'hasProviderKeys'
  | 'hasMcpServers'
>;

/** For callers without a key of their own; `undefined` if the account is suspended. */
export const findAccountSettings = (queries: Queries, accountId: string): Promise<AccountKeySettings | undefined> =>
  queries
    .selectFrom('accounts')
    .select(['limits as accountLimits', 'budget as accountBudget', 'cache_ttl_seconds as accountCacheTtlSeconds'])
    .select(['provider_key_mode as providerKeyMode', hasProviderKeys('accounts.id').as('hasProviderKeys')])
    .select([
      'guardrails as accountGuardrails',
      'content_log as accountContentLog',
      hasMcpServers('accounts.id').as('hasMcpServers'),
    ])
    .where('id', '=', accountId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
