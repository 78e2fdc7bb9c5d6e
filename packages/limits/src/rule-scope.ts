/** Who has a limit or a budget. A request counts for its key, the project of the key if it has one, and the account. */
export type RuleScope = 'key' | 'project' | 'account';

/**
 * Whether a limit can be the first one that is reached: it is below those of wider scopes, which count the same requests
 * and more. 0 means no limit.
 */
export const isReachable = (limit: number, wider: number): boolean => limit > 0 && (wider === 0 || limit < wider);

/** The smaller of two limits. 0 means no limit. */
export const tighterLimit = (one: number, other: number): number =>
  one === 0 || other === 0 ? one + other : Math.min(one, other);
