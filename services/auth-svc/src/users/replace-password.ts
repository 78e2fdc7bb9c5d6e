import type { Queries } from '@switchyard/database';
import { endPasswordLink } from './make-password-link.ts';
import { keepPassword } from './users.ts';

/** A new password, with which everything ends that could be done without knowing it: sessions, and a link to choose another. */
export async function replacePassword(
  transaction: Queries,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await keepPassword(transaction, { userId, passwordHash });
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await endPasswordLink(transaction, userId);
}
