import { longestPassword } from '@tallyport/management';
import type { Passwords } from './passwords.ts';
import type { StoredPassword } from './users.ts';

interface RecognisedUser extends StoredPassword {
  /** Whether to hash the password again. */
  outdated: boolean;
}

/** Finds the user with this password. Takes equally long if there is no user, or several. */
export async function recognise(
  passwords: Passwords,
  { known, password }: { known: readonly StoredPassword[]; password: string },
): Promise<RecognisedUser | undefined> {
  const given = password.slice(0, longestPassword + 1);
  const found = await passwords.find(
    given,
    known.map(({ passwordHash }) => passwordHash),
  );
  const user = found && known[found.index];
  return user && { ...user, outdated: found.outdated };
}
