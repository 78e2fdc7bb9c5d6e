import type { Caller } from '@tallyport/contracts';
import { isReachable, type RuleScope, tighterLimit } from './rule-scope.ts';

/** A limit on the running requests of a key, a project or an account. */
export interface ConcurrencyRule {
  scope: RuleScope;
  id: string;
  limit: number;
}

/**
 * The limits that apply to a request. As for requests per minute, a limit that is not below one of a wider scope can never
 * be reached first. The default is the account's: a key or a project has a limit only if one was set.
 */
export function concurrencyRules({ principal, limits }: Caller, defaultLimit: number): readonly ConcurrencyRule[] {
  const { accountId, projectId, keyId } = principal;
  const account = limits.account?.concurrency ?? defaultLimit;
  const project = limits.project?.concurrency ?? 0;
  const key = limits.key?.concurrency ?? 0;
  const rules: ConcurrencyRule[] = [];
  if (isReachable(key, tighterLimit(project, account))) rules.push({ scope: 'key', id: keyId, limit: key });
  if (projectId !== undefined && isReachable(project, account)) {
    rules.push({ scope: 'project', id: projectId, limit: project });
  }
  if (account > 0) rules.push({ scope: 'account', id: accountId, limit: account });
  return rules;
}
