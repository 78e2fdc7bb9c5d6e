/** Messages shown after an action, once. The cookie holds only the name, so that it cannot show an arbitrary text. */
const notices = {
  'batch-cancelled': 'The batch is being cancelled. Lines that run are finished.',
  'key-changed': 'The key was changed. This takes effect everywhere within a second.',
  'key-revoked': 'The key was revoked. It stops working everywhere within a second.',
  'end-user-erased': 'The name was replaced in all records and sums.',
  'project-changed': 'The project was changed. This takes effect everywhere within a second.',
  'project-created': 'The project was created. Create keys in it, or move keys to it.',
  'project-deleted': 'The project was deleted.',
  'project-member-added': 'The member was added to the project.',
  'provider-key-added': 'The provider key was encrypted and stored. It is used from the next request on.',
  'provider-key-changed': 'The provider key was changed. This takes effect everywhere within a second.',
  'provider-key-moved': 'The order of the keys was changed. This takes effect everywhere within a second.',
  'provider-key-deleted': 'The provider key was deleted.',
  'mode-changed': 'The choice of provider keys was changed.',
  'guardrails-changed': 'The rules were changed. This takes effect everywhere within a second.',
  'webhook-added': 'The webhook was added. Rules can name it now.',
  'webhook-changed': 'The webhook was changed. This takes effect everywhere within a second.',
  'webhook-deleted': 'The webhook was deleted.',
  'weights-changed': 'The weights were changed. This takes effect everywhere within a second.',
  'route-added': 'The route was added. It can be called everywhere within a second.',
  'route-changed': 'The route was changed. This takes effect everywhere within a second.',
  'route-deleted': 'The route was deleted.',
  'mcp-server-added': 'The server was added. Test it to see its tools.',
  'mcp-server-changed': 'The server was changed. This takes effect everywhere within a second.',
  'mcp-server-deleted': 'The server was deleted.',
  'role-changed': 'The role was changed.',
  'member-removed': 'The member was removed.',
  'invitation-withdrawn': 'The invitation was withdrawn. Its link no longer works.',
  'client-deleted': 'The client was deleted and all its tokens were revoked.',
  'grant-ended': 'The access of the application was ended and its tokens were revoked.',
  'account-changed': 'The account was changed. This takes effect everywhere within a second.',
  'account-created': 'The account was created.',
  'account-suspended': 'The account was suspended. This takes effect everywhere within a second.',
  'account-resumed': 'The account was resumed.',
  'time-zone-changed': 'Times are now shown in this zone.',
  'alert-changed': 'The alert was changed.',
  'alert-created': 'The alert was created. It is checked within half a minute.',
  'alert-deleted': 'The alert was deleted. Its history stays.',
  'alert-tested': 'The test was sent once to each receiver. The first line shows the result.',
  'password-changed': 'Your password was changed. You are signed out everywhere else.',
} as const satisfies Record<string, string>;

export type NoticeName = keyof typeof notices;

const cookie = 'tallyport-notice';
const attributes = 'Path=/dashboard; HttpOnly; SameSite=Lax';

/** The `Set-Cookie` header that shows a notice on the next page. */
export const noticeCookie = (name: NoticeName): string => `${cookie}=${name}; ${attributes}; Max-Age=60`;

/** The `Set-Cookie` header of the page that shows it, so that a reload does not show it again. */
export const shownNoticeCookie = `${cookie}=; ${attributes}; Max-Age=0`;

/** Reads the notice to show from a `Cookie` header. */
export function noticeIn(header: string | undefined): string | undefined {
  const [, name = ''] = new RegExp(`(?:^|; *)${cookie}=([a-z-]+)`).exec(header ?? '') ?? [];
  return Object.hasOwn(notices, name) ? notices[name as NoticeName] : undefined;
}
