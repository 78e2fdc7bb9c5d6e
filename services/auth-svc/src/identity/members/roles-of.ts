import type { Role } from '@tallyport/contracts';
import { type Claims, hasClaim } from '../claims.ts';
import type { AccessRule } from '../document/identity-schema.ts';

const rank: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** The accounts that the rules open to a person with these claims, each with the highest role. */
export function rolesOf(claims: Claims, rules: readonly AccessRule[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const { account, role, ...condition } of rules) {
    if (!ruleFits(claims, condition)) continue;
    const before = roles.get(account);
    if (before === undefined || rank[before] < rank[role]) roles.set(account, role);
  }
  return roles;
}

/** Whether a rule is for a person with these claims. */
export const ruleFits = (
  claims: Claims,
  { claim, value, everyone }: Pick<AccessRule, 'claim' | 'value' | 'everyone'>,
): boolean => everyone === true || (claim !== undefined && value !== undefined && hasClaim(claims, claim, value));
