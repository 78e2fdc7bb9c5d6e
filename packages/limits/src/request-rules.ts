import type { Caller, Limits, RequestKind } from '@switchyard/contracts';

export type RuleScope = 'key' | 'account';

/** One limit that a request must stay within. */
export interface RequestRule {
  scope: RuleScope;
  /** What it is counted under, in the store. */
  name: string;
  limit: number;
}

/** The operator's: 0 is no limit. */
export type RequestDefaults = Readonly<Record<RequestKind, number>>;

/**
 * The limits a request of this kind is counted against, the tighter first. A key's that is not below its account's can
 * never be the one that is hit, and is not counted.
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
