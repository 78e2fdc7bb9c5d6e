import { GatewayError, type Role } from '@tallyport/contracts';

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

/** Throws `permission_denied` if the caller lacks the access. */
export function checkAccess(caller: AccountRights, access: Exclude<Access, 'anyone'>): void {
  if (hasAccess(caller, access)) return;
  throw new GatewayError(
    'permission_denied',
    `This requires ${requirement[access]}. Ask one to do it or to give you the role.`,
  );
}

const requirement = {
  member: 'a member of the account',
  admin: 'an admin or owner of the account',
  owner: 'an owner of the account',
  operator: 'an operator of the installation',
} as const satisfies Record<Exclude<Access, 'anyone'>, string>;
