import type { Access } from '@tallyport/management';

interface KnownPlace {
  kind: 'Screen' | 'Action';
  text: string;
  /** Other words that people search for. */
  words?: string;
  /** Below the pages of the account. */
  path: string;
  /** What the page requires. */
  access: Exclude<Access, 'anyone'>;
}

/** Pages that the menu does not list, and what people open the dashboard to do. */
export const knownPlaces: readonly KnownPlace[] = [
  { kind: 'Action', text: 'Create a key', words: 'new add api', path: '/keys/new', access: 'member' },
  { kind: 'Action', text: 'Create a project', words: 'new add', path: '/projects/new', access: 'admin' },
  { kind: 'Action', text: 'Add a provider key', words: 'new create', path: '/provider-keys/new', access: 'admin' },
  { kind: 'Action', text: 'Invite a member', words: 'new add person user', path: '/members/invite', access: 'admin' },
  { kind: 'Action', text: 'Create an alert', words: 'new add', path: '/alerts/new', access: 'admin' },
  { kind: 'Action', text: 'Add an MCP server', words: 'new create', path: '/mcp-servers/new', access: 'admin' },
  {
    kind: 'Action',
    text: 'Register an application',
    words: 'new create add oauth client',
    path: '/oauth-clients/new',
    access: 'admin',
  },
  { kind: 'Action', text: 'Change the guardrails', words: 'edit rules', path: '/guardrails/edit', access: 'owner' },
  { kind: 'Action', text: 'Create an account', words: 'new add', path: '/accounts/new', access: 'operator' },
  { kind: 'Action', text: 'Change your password', words: 'edit profile', path: '/profile', access: 'member' },
  { kind: 'Action', text: 'Change the time zone', words: 'edit', path: '/time-zone', access: 'member' },
  { kind: 'Action', text: 'Make images', words: 'playground', path: '/playground/images', access: 'member' },
  { kind: 'Screen', text: 'End Users', path: '/end-users', access: 'admin' },
  { kind: 'Screen', text: 'History of Alerts', path: '/alerts/history', access: 'admin' },
];
