import type { Principal } from '@tallyport/contracts';
import { isReachable, type RuleScope, tighterLimit } from './rule-scope.ts';

/** One limit that a request's tokens must stay within. */
export interface TokenRule {
  scope: RuleScope;
  name: string;
  limit: number;
}

/** As for requests, a limit that is not below one of a wider scope can never be reached first. */
export function tokenRules(principal: Principal, defaultLimit: number): readonly TokenRule[] {
  const { accountId, projectId, keyId, tokensPerMinute = {} } = principal;
  const { key = defaultLimit, project = 0, account = defaultLimit } = tokensPerMinute;
  const rules: TokenRule[] = [];
  if (isReachable(key, tighterLimit(project, account))) {
    rules.push({ scope: 'key', name: `tokens:key:${keyId}`, limit: key });
  }
  if (isReachable(project, account)) {
    rules.push({ scope: 'project', name: `tokens:project:${projectId}`, limit: project });
  }
  if (account > 0) rules.push({ scope: 'account', name: `tokens:account:${accountId}`, limit: account });
  return rules;
}
