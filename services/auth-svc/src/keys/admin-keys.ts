import { GatewayError } from '@switchyard/contracts';
import type { MemberRole } from '@switchyard/database';
import { defaultAccountId } from '../accounts/account.ts';

/** An admin key does what an admin of its account may, and in the default account what an operator may: nobody hands on more than they have. */
export const mayMakeAdminKeys = ({ accountId, role }: { accountId: string; role: MemberRole }): boolean =>
  accountId === defaultAccountId ? role === 'owner' : role !== 'member';

export const notForAdminKeys = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'Admin keys are made and changed by admins and owners of the account, and in the default account by its owners. Ask one of them.',
    { param: 'admin' },
  );
