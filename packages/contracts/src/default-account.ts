import type { Principal } from './principal.ts';

/** The account of keys that belong to no other. Its owners operate the installation. */
export const defaultAccountId = 'default';

/** Whether a caller belongs to the account that operates the installation; so does one without a key. */
export const isOfOperator = (principal: Pick<Principal, 'accountId'> | undefined): boolean =>
  principal === undefined || principal.accountId === defaultAccountId;
