import type { Principal } from '@switchyard/contracts';
import type { RuleScope } from './request-rules.ts';

/** One limit that a request's tokens must stay within. */
export interface TokenRule {
  scope: RuleScope;
  name: string;
  limit: number;
}

/** As for requests, a key's limit that is not below its account's can never be reached first. */
export function tokenRules(principal: Principal, defaultLimit: number): readonly TokenRule[] {
  const { accountId, keyId, tokensPerMinute = {} } = principal;
  const { key = defaultLimit, account = defaultLimit } = tokensPerMinute;
  const rules: TokenRule[] = [];
  if (key > 0 && (account === 0 || key < account)) {
    rules.push({ scope: 'key', name: `tokens:key:${keyId}`, limit: key });
  }
  if (account > 0) rules.push({ scope: 'account', name: `tokens:account:${accountId}`, limit: account });
  return rules;
}
