import { GatewayError } from '@switchyard/contracts';
import type { Database, Queries } from '@switchyard/database';
import { parseInput } from '../api/parse-input.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { guardGuess } from '../sessions/guard-guess.ts';
import { newPasswordSchema } from './password-schema.ts';
import { longestPassword, type Passwords } from './passwords.ts';
import { addUser, findPassword } from './users.ts';

export interface EnrolNeeds {
  database: Database;
  passwords: Passwords;
  attempts: Attempts;
}

export interface Newcomer {
  /** In small letters. */
  email: string;
  password: string;
  /** The client's, as edge saw it. */
  address: string;
}

/**
 * Who comes in by a link: somebody new, or somebody we know who proves it with their password. The slow part is done
 * now; the answer gives the user's id inside the transaction that uses the link up.
 */
export async function enrol(
  { database, passwords, attempts }: EnrolNeeds,
  { email, password, address }: Newcomer,
): Promise<(transaction: Queries) => Promise<string>> {
  const known = await findPassword(database.kysely, email);
  if (known) {
    await guardGuess(attempts, { email, address }, async () => {
      const { matches } = await passwords.verify(password.slice(0, longestPassword + 1), known.passwordHash);
      if (!matches) throw wrongPassword();
    });
    return async () => known.id;
  }
  const passwordHash = await passwords.hash(parseInput(newPasswordSchema, password, 'The password'));
  return async (transaction) => {
    const id = await addUser(transaction, { email, passwordHash });
    if (id === undefined) throw justAdded();
    return id;
  };
}

const wrongPassword = (): GatewayError =>
  new GatewayError('invalid_credentials', 'You have been here before, but this is not your password. Try again.', {
    param: 'password',
  });

const justAdded = (): GatewayError =>
  new GatewayError('conflict', 'Somebody with this e-mail address has just been added. Try again.');
