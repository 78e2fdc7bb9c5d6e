import type { Role } from '@switchyard/contracts';

/** The access an operation requires: none, at least this role in the account, or operator of the installation. */
export type Access = 'anyone' | Role | 'operator';

/** What a caller may do in an account. */
export interface AccountRights {
  readonly role: Role;
  /** Operators of the installation: admin keys and owners of the default account. */
  readonly operator: boolean;
}

const rank = { member: 0, admin: 1, owner: 2 } as const satisfies Record<Role, number>;

export const hasRole = (caller: Pick<AccountRights, 'role'>, role: Role): boolean => rank[caller.role] >= rank[role];

export const hasAccess = (caller: AccountRights, access: Exclude<Access, 'anyone'>): boolean =>
  access === 'operator' ? caller.operator : hasRole(caller, access);
