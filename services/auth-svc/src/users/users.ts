import type { Queries } from '@switchyard/database';
import { makeId } from '../database/make-id.ts';

export interface StoredPassword {
  id: string;
  passwordHash: string;
}

/** `email` in small letters, here and in all of these. */
export async function findPassword(queries: Queries, email: string): Promise<StoredPassword | undefined> {
  return queries
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst();
}

export async function keepPassword(
  queries: Queries,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await queries.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

/** The new user's id; `undefined` when the e-mail address is taken. */
export async function addUser(
  queries: Queries,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<string | undefined> {
  const row = await queries
    .insertInto('users')
    .values({ id: makeId('user'), email, password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
