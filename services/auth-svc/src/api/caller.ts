import { GatewayError } from '@switchyard/contracts';
import type { MemberRole } from '@switchyard/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Access } from './access.ts';

/** The caller of a management operation and the account they act in. */
export interface ApiCaller {
  readonly actor: AuditActor;
  readonly accountId: string;
  readonly role: MemberRole;
  /** Operators of the installation: admin keys and owners of the default account. */
  readonly operator: boolean;
  /** Absent if the caller is a key. */
  readonly userId?: string;
}

const rank = { member: 0, admin: 1, owner: 2 } as const satisfies Record<MemberRole, number>;

export const hasRole = (caller: ApiCaller, role: MemberRole): boolean => rank[caller.role] >= rank[role];

export const hasAccess = (caller: ApiCaller, access: Exclude<Access, 'anyone'>): boolean =>
  access === 'operator' ? caller.operator : hasRole(caller, access);

/** Throws `permission_denied` if the caller lacks the access. */
export function checkAccess(caller: ApiCaller, access: Exclude<Access, 'anyone'>): void {
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
