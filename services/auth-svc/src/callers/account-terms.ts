import type { PromptCaching } from '@tallyport/contracts';
import type { ProviderKeyMode, Queries } from '@tallyport/database';
import { hasMcpServers } from './has-mcp-servers.ts';
import { hasProviderKeys } from './key-choice.ts';

/** The settings of an account that count for each of its callers. */
export interface AccountTerms {
  accountTags: string[] | null;
  accountLimits: unknown;
  accountBudget: unknown;
  accountCacheTtlSeconds: number | null;
  accountPromptCaching: PromptCaching | null;
  accountScoreWeights: unknown;
  accountGuardrails: unknown;
  accountContentLog: unknown;
  providerKeyMode: ProviderKeyMode;
  hasProviderKeys: boolean;
  hasMcpServers: boolean;
  routesVersion: string | null;
}

/** Their columns, for queries that call the table `account`. */
export const accountTermColumns = [
  'account.tags as accountTags',
  'account.limits as accountLimits',
  'account.budget as accountBudget',
  'account.cache_ttl_seconds as accountCacheTtlSeconds',
  'account.prompt_caching as accountPromptCaching',
  'account.score_weights as accountScoreWeights',
  'account.guardrails as accountGuardrails',
  'account.content_log as accountContentLog',
  'account.provider_key_mode as providerKeyMode',
  hasProviderKeys('account.id').as('hasProviderKeys'),
  hasMcpServers('account.id').as('hasMcpServers'),
  'account.routes_version as routesVersion',
] as const;

/** For callers without a key of their own; `undefined` if the account is suspended. */
export const findAccountTerms = (queries: Queries, accountId: string): Promise<AccountTerms | undefined> =>
  queries
    .selectFrom('accounts as account')
    .select(accountTermColumns)
    .where('account.id', '=', accountId)
    .where('account.suspended_at', 'is', null)
    .executeTakeFirst();
