import type { Administration } from './administration.ts';

export const userCommandUsage = `Usage:
  npm run user -- password <e-mail>   make a link with which they choose a new password, once, within a day
`;

export interface UserTool {
  users: Pick<Administration, 'makePasswordLink'>;
  /** How people reach the gateway. */
  publicUrl: string;
  close(): Promise<void>;
}

/** Does it and tells what to show. */
export type UserCommand = (tool: UserTool) => Promise<string>;

/** What these words ask for; `undefined` when they cannot be understood. */
export function userCommand([verb, email = '', ...rest]: readonly string[]): UserCommand | undefined {
  if (verb !== 'password' || email === '' || rest.length > 0) return undefined;
  return async ({ users, publicUrl }) => {
    const { link } = await users.makePasswordLink({ email });
    if (link === null) throw new Error(`Nobody has the e-mail address ${email}. Check it for typing errors.`);
    return `${publicUrl}${link.path}\n\nWhoever opens it chooses the password of ${email}, once, until ${link.expiresAt}.\n`;
  };
}
