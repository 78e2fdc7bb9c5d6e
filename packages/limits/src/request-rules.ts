import type { Caller, Limits, RequestKind } from '@switchyard/contracts';

export type RuleScope = 'key' | 'account';

/** One limit that a request must stay within. */
export interface RequestRule {
  scope: RuleScope;
  /** The key of its count in the store. */
  name: string;
  limit: number;
}

/** The operator's limits; 0 means no limit. */
export type RequestDefaults = Readonly<Record<RequestKind, number>>;

/**
 * The limits that apply to a request of this kind, tightest first. A key's limit that is not below its account's can
 * never be reached first, so it is left out.
 */
export function requestRules(caller: Caller, kind: RequestKind, defaults: RequestDefaults): readonly RequestRule[] {
  const { accountId, keyId } = caller.principal;
  const account = perMinute(caller.limits.account, kind, defaults);
  const key = perMinute(caller.limits.key, kind, defaults);
  const rules: RequestRule[] = [];
  if (key > 0 && (account === 0 || key < account)) {
    rules.push({ scope: 'key', name: `requests:${kind}:key:${keyId}`, limit: key });
  }
  if (account > 0) rules.push({ scope: 'account', name: `requests:${kind}:account:${accountId}`, limit: account });
  return rules;
}

const perMinute = (limits: Limits | undefined, kind: RequestKind, defaults: RequestDefaults): number =>
  limits?.requestsPerMinute?.[kind] ?? defaults[kind];
