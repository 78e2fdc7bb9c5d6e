/** What is said after something was done. Addresses carry only the name, so that nobody can put words into our mouth. */
const notices = {
  'key-changed': 'The key is changed, everywhere within a second.',
  'key-revoked': 'The key is revoked. It stops working everywhere within a second.',
  'provider-key-added': 'The provider key is kept, encrypted, and used from the next request on.',
  'provider-key-changed': 'The provider key is changed, everywhere within a second.',
  'provider-key-deleted': 'The provider key is forgotten.',
  'mode-changed': 'Requests now choose between provider keys as you said.',
  'role-changed': 'The role is changed.',
  'member-removed': 'The member is removed.',
  'invitation-withdrawn': 'The invitation is withdrawn: its link works no more.',
  'client-deleted': 'The client and all its tokens have ended.',
  'grant-ended': 'The application may no longer act here: its tokens have ended.',
  'account-changed': 'The account is changed, everywhere within a second.',
  'account-created': 'The account is there.',
  'account-suspended': 'The account is suspended, everywhere within a second.',
  'account-resumed': 'The account works again.',
  'password-changed': 'Your password is changed, and you are signed out everywhere else.',
} as const satisfies Record<string, string>;

export type NoticeName = keyof typeof notices;

export const noticeOf = (name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(notices, name) ? notices[name as NoticeName] : undefined;
