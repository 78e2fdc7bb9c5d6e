import { longestPassword } from '@tallyport/management';
import type { Passwords } from './passwords.ts';
import type { StoredPassword } from './users.ts';

export interface RecognisedUser extends StoredPassword {
  /** Whether to hash the password again, because the parameters have grown. */
  outdated: boolean;
}

/** Finds the user with this password. Takes equally long if there is no user. */
export async function recognise(
  passwords: Passwords,
  { known, password }: { known: readonly StoredPassword[]; password: string },
): Promise<RecognisedUser | undefined> {
  const given = password.slice(0, longestPassword + 1);
  if (known.length === 0) await passwords.verify(given, undefined);
  for (const user of known) {
    const { matches, outdated } = await passwords.verify(given, user.passwordHash);
    if (matches) return { ...user, outdated };
  }
  return undefined;
}
