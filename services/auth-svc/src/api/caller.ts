import { GatewayError } from '@switchyard/contracts';
import type { MemberRole } from '@switchyard/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Access } from './access.ts';

/** Who asks, and for which account. */
export interface ApiCaller {
  readonly actor: AuditActor;
  readonly accountId: string;
  readonly role: MemberRole;
  /** Runs the installation: an admin key or an owner of the default account. */
  readonly operator: boolean;
  /** Absent for keys. */
  readonly userId?: string;
}

const rank = { member: 0, admin: 1, owner: 2 } as const satisfies Record<MemberRole, number>;

export const hasRole = (caller: ApiCaller, role: MemberRole): boolean => rank[caller.role] >= rank[role];

export const hasAccess = (caller: ApiCaller, access: Exclude<Access, 'anyone'>): boolean =>
  access === 'operator' ? caller.operator : hasRole(caller, access);

/** Throws when the caller may not. */
export function checkAccess(caller: ApiCaller, access: Exclude<Access, 'anyone'>): void {
  if (hasAccess(caller, access)) return;
  throw new GatewayError('permission_denied', `This needs ${whom[access]}. Ask one to do it or to give you the role.`);
}

const whom = {
  member: 'a member of the account',
  admin: 'an admin or owner of the account',
  owner: 'an owner of the account',
  operator: 'an operator of the installation',
} as const satisfies Record<Exclude<Access, 'anyone'>, string>;
