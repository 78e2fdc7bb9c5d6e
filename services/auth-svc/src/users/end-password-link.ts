import type { Queries } from '@tallyport/database';

/**
 * Ends the password link of a user who joins or leaves an account or gets another role: the person who created the link
 * may no longer have authority over them.
 */
export async function endPasswordLink(transaction: Queries, userId: string): Promise<void> {
  await transaction.deleteFrom('password_links').where('user_id', '=', userId).execute();
}
