import type { Caller, Limits, RequestKind } from '@tallyport/contracts';
import { isReachable, type RuleScope, tighterLimit } from './rule-scope.ts';

/** One limit that a request must stay within. */
export interface RequestRule {
  scope: RuleScope;
  /** The key of its count in the store. */
  name: string;
  limit: number;
}

/** The operator's limits of keys and accounts; 0 means no limit. */
export type RequestDefaults = Readonly<Record<RequestKind, number>>;

/**
 * The limits that apply to a request of this kind, tightest first. A limit that is not below one of a wider scope can
 * never be reached first, so it is left out. A project has a limit only if one was set.
 */
export function requestRules(caller: Caller, kind: RequestKind, defaults: RequestDefaults): readonly RequestRule[] {
  const { accountId, projectId, keyId } = caller.principal;
  const account = perMinute(caller.limits.account, kind) ?? defaults[kind];
  const project = perMinute(caller.limits.project, kind) ?? 0;
  const key = perMinute(caller.limits.key, kind) ?? defaults[kind];
  const rules: RequestRule[] = [];
  if (isReachable(key, tighterLimit(project, account))) {
    rules.push({ scope: 'key', name: `requests:${kind}:key:${keyId}`, limit: key });
  }
  if (isReachable(project, account)) {
    rules.push({ scope: 'project', name: `requests:${kind}:project:${projectId}`, limit: project });
  }
  if (account > 0) rules.push({ scope: 'account', name: `requests:${kind}:account:${accountId}`, limit: account });
  return rules;
}

const perMinute = (limits: Limits | undefined, kind: RequestKind): number | undefined =>
  limits?.requestsPerMinute?.[kind];
