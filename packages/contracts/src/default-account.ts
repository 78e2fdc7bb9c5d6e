/** The account of keys that belong to no other. Its owners operate the installation. */
export const defaultAccountId = 'default';
