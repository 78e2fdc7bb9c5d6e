import type { Queries } from '@tallyport/database';
import { endEveryGrantOf } from '../oauth/management/grants.ts';
import { endPasswordLink } from './end-password-link.ts';
import { keepPassword } from './users.ts';

export interface PasswordReplacement {
  userId: string;
  passwordHash: string;
  /** Also ends the access of applications, which someone with the old password could have granted. */
  disconnectApplications: boolean;
}

/**
 * Replaces a password, and ends all sessions and the password link, which do not prove that the new one is known.
 * Returns the hashes of revoked access tokens.
 */
export async function replacePassword(
  transaction: Queries,
  { userId, passwordHash, disconnectApplications }: PasswordReplacement,
): Promise<string[]> {
  await keepPassword(transaction, { userId, passwordHash });
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await endPasswordLink(transaction, userId);
  return disconnectApplications ? endEveryGrantOf(transaction, userId) : [];
}
