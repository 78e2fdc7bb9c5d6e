import type { Administration } from '../control/administration.ts';

export const userCommandUsage = `Usage:
  npm run user -- password <e-mail>   create a link to choose a new password, valid once and for a day
`;

interface UserTool {
  users: Pick<Administration, 'makePasswordLink'>;
  /** The public address of the gateway. */
  publicUrl: string;
  close(): Promise<void>;
}

/** Runs a command and resolves with its output. */
type UserCommand = (tool: UserTool) => Promise<string>;

/** Parses the arguments; `undefined` if they are invalid. */
export function userCommand([verb, email = '', ...rest]: readonly string[]): UserCommand | undefined {
  if (verb !== 'password' || email === '' || rest.length > 0) return undefined;
  return async ({ users, publicUrl }) => {
    const { link } = await users.makePasswordLink({ email });
    if (link === null) throw new Error(`No user has the e-mail address ${email}. Check the spelling.`);
    return `${publicUrl}${link.path}\n\nAnyone with this link can set the password of ${email}, once, until ${link.expiresAt}.\n`;
  };
}
