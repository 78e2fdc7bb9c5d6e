import { defaultAccountId, type Role } from '@tallyport/contracts';

/**
 * An admin key has the permissions of an admin of its account, and in the default account those of an operator. No
 * caller may create a key with more permissions than their own.
 */
export const mayMakeAdminKeys = ({ accountId, role }: { accountId: string; role: Role }): boolean =>
  accountId === defaultAccountId ? role === 'owner' : role !== 'member';
