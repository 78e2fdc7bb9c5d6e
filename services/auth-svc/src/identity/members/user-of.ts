import { type Queries, sql } from '@tallyport/database';
import { emailSchema } from '@tallyport/management';
import { unusablePassword } from '@tallyport/management-server';
import { replacePassword } from '../../users/replace-password.ts';
import { addUserBeside, findPasswords, keepEmail } from '../../users/users.ts';
import type { IdentifiedPerson } from '../sign-in/identify-person.ts';

interface Search {
  person: IdentifiedPerson;
  email: string;
  /** Whether an unknown person becomes a user. */
  isNew: boolean;
  /** Whether a person takes over the user with their verified e-mail address. */
  linkVerified: boolean;
}

interface FoundUser {
  userId: string;
  /** The hashes of tokens that ended. */
  ended: string[];
}

/** Finds the user of a person at an identity provider, or creates one. */
export async function userOf(transaction: Queries, search: Search): Promise<FoundUser | undefined> {
  const { person, email, isNew } = search;
  const known = await transaction
    .updateTable('user_identities')
    .set({ last_sign_in_at: sql<Date>`now()` })
    .where('issuer', '=', person.issuer)
    .where('subject', '=', person.subject)
    .returning('user_id')
    .executeTakeFirst();
  if (known) {
    await keepEmail(transaction, { userId: known.user_id, email });
    return { userId: known.user_id, ended: [] };
  }
  if (!isNew) return undefined;
  const linked = search.linkVerified ? await link(transaction, search) : undefined;
  const found = linked ?? {
    userId: await addUserBeside(transaction, {
      email,
      passwordHash: unusablePassword(await hashesOf(transaction, email)),
    }),
    ended: [],
  };
  const values = { issuer: person.issuer, subject: person.subject, user_id: found.userId };
  await transaction.insertInto('user_identities').values(values).execute();
  return found;
}

const hashesOf = async (transaction: Queries, email: string): Promise<string[]> =>
  (await findPasswords(transaction, email)).map(({ passwordHash }) => passwordHash);

/** `email_verified` is about the claim `email`, which may differ from the claim with the address of the user. */
function verifiedEmailOf({ claims }: IdentifiedPerson): string | undefined {
  return claims['email_verified'] === true ? emailSchema.safeParse(claims['email']).data : undefined;
}

/**
 * Takes over the only user with this e-mail address. The address of a user is not verified: their password, sessions and
 * applications may belong to another person, so all of them end.
 */
async function link(transaction: Queries, { person, email }: Search): Promise<FoundUser | undefined> {
  if (verifiedEmailOf(person) !== email) return undefined;
  const [user, another] = await findPasswords(transaction, email);
  if (user === undefined || another !== undefined) return undefined;
  const identity = transaction.selectFrom('user_identities').select('subject').where('user_id', '=', user.id);
  if (await identity.where('issuer', '=', person.issuer).executeTakeFirst()) return undefined;
  const replacement = { userId: user.id, passwordHash: unusablePassword(), disconnectApplications: true };
  return { userId: user.id, ended: await replacePassword(transaction, replacement) };
}
