import { GatewayError } from '@switchyard/contracts';
import { type Access, hasAccess, type AccountRights } from '@switchyard/management';
import type { AuditActor } from '../audit/audit.ts';

/** The caller of a management operation and the account they act in. */
export interface ApiCaller extends AccountRights {
  readonly actor: AuditActor;
  readonly accountId: string;
  /** Absent if the caller is a key. */
  readonly userId?: string;
}

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
