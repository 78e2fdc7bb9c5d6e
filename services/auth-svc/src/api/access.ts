import type { MemberRole } from '@switchyard/database';

/** The access an operation requires: none, at least this role in the account, or operator of the installation. */
export type Access = 'anyone' | MemberRole | 'operator';
