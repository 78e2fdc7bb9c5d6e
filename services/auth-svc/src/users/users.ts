import { type Queries, sql } from '@tallyport/database';
import { makeId } from '@tallyport/management-server';

export interface StoredPassword {
  id: string;
  passwordHash: string;
}

/** Several users share an e-mail address only if several accounts invited different people by it. */
const maxUsersPerEmail = 10;

/** The e-mail address of a user. */
export const emailColumn = sql<string>`coalesce(users.shared_email, users.email)`;

const isOf = (email: string) => sql<boolean>`(users.email = ${email} or users.shared_email = ${email})`;

/**
 * Finds all users with this e-mail address, oldest first. E-mail addresses are not verified, so there may be several
 * users; they differ in their passwords. `email` must be in lower case, here and below.
 */
export async function findPasswords(queries: Queries, email: string): Promise<StoredPassword[]> {
  return queries
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where(isOf(email))
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxUsersPerEmail)
    .execute();
}

/** The stored passwords of other users with the e-mail address of this one, oldest first. */
export async function passwordsBeside(queries: Queries, userId: string): Promise<string[]> {
  const own = queries.selectFrom('users').select(emailColumn.as('email')).where('id', '=', userId);
  const { email } = await own.executeTakeFirstOrThrow();
  const others = (await findPasswords(queries, email)).filter(({ id }) => id !== userId);
  return others.map(({ passwordHash }) => passwordHash);
}

export async function keepPassword(
  queries: Queries,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await queries.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

interface NewUser {
  email: string;
  passwordHash: string;
}

/** Adds a user and returns the id; `undefined` if the e-mail address is in use. */
export async function addUser(queries: Queries, { email, passwordHash }: NewUser): Promise<string | undefined> {
  const row = await queries
    .insertInto('users')
    .values({ id: makeId('user'), email, password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Adds a user even if others have the e-mail address. Users with that address who no longer belong to any account are
 * removed.
 */
export async function addUserBeside(transaction: Queries, user: NewUser): Promise<string> {
  const { email, passwordHash } = user;
  await transaction
    .deleteFrom('users')
    .where(isOf(email))
    .where(sql<boolean>`not exists (select from memberships where memberships.user_id = users.id)`)
    .execute();
  const alone = await addUser(transaction, user);
  if (alone !== undefined) return alone;
  const id = makeId('user');
  const values = { id, email: generatedEmail(id), shared_email: email, password_hash: passwordHash };
  await transaction.insertInto('users').values(values).execute();
  return id;
}

/** The value of the unique column for a user whose address others may have. */
const generatedEmail = (id: string): string => `${id.toLowerCase()}@shared.invalid`;

/** Stores a user's e-mail address if it has changed. Others may have the address as well. */
export async function keepEmail(queries: Queries, { userId, email }: { userId: string; email: string }): Promise<void> {
  await queries
    .updateTable('users')
    .set({ email: generatedEmail(userId), shared_email: email })
    .where('id', '=', userId)
    .where(emailColumn, '!=', email)
    .execute();
}
