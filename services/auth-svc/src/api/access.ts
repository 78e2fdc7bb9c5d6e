import type { MemberRole } from '@switchyard/database';

/** Who may do something: everybody, members with at least this role in the account, or operators of the installation. */
export type Access = 'anyone' | MemberRole | 'operator';
