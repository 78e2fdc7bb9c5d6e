import type { Queries } from '@tallyport/database';
import type { Passwords } from './passwords.ts';
import { passwordsBeside } from './users.ts';

/** Hashes a password of a user, with the salt of others who have the same e-mail address. */
export const hashNewPassword = async (
  passwords: Pick<Passwords, 'hash'>,
  queries: Queries,
  { userId, password }: { userId: string; password: string },
): Promise<string> => passwords.hash(password, await passwordsBeside(queries, userId));
