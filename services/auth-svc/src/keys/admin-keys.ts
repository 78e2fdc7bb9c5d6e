import { GatewayError } from '@switchyard/contracts';
import type { MemberRole } from '@switchyard/database';
import { defaultAccountId } from '../accounts/account.ts';

/**
 * An admin key has the permissions of an admin of its account, and in the default account those of an operator. No
 * caller may create a key with more permissions than their own.
 */
export const mayMakeAdminKeys = ({ accountId, role }: { accountId: string; role: MemberRole }): boolean =>
  accountId === defaultAccountId ? role === 'owner' : role !== 'member';

export const notForAdminKeys = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'Only admins and owners can create and change admin keys, and in the default account only owners. Ask one of them.',
    { param: 'admin' },
  );
