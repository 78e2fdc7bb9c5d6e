import { GatewayError } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import { newPasswordSchema } from '@tallyport/management';
import { parseInput } from '../api/parse-input.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { guardGuess } from '../sessions/guard-guess.ts';
import type { Passwords } from './passwords.ts';
import { recognise } from './recognise.ts';
import { addUser, addUserBeside, findPasswords } from './users.ts';

export interface EnrolNeeds {
  database: Database;
  passwords: Passwords;
  attempts: Attempts;
}

export interface Enrolment {
  /** In lower case. */
  email: string;
  password: string;
  /** The client's address, as edge saw it. */
  address: string;
  /**
   * The person states that the existing users of this e-mail address are others. With a password that none of them has,
   * a new user is created.
   */
  isNewPerson?: boolean;
}

/**
 * Enrols a person who follows a link: an existing user who proves it with their password, or a new one. Passwords are
 * hashed now; the returned function yields the user's id within the transaction that uses up the link.
 */
export async function enrol(
  { database, passwords, attempts }: EnrolNeeds,
  { email, password, address, isNewPerson = false }: Enrolment,
): Promise<(transaction: Queries) => Promise<string>> {
  const known = await findPasswords(database.kysely, email);
  if (known.length > 0) {
    const found = await guardGuess(attempts, { email, address }, () => recognise(passwords, { known, password }));
    if (found) return async () => found.id;
    if (!isNewPerson) throw wrongPassword();
  }
  const passwordHash = await passwords.hash(parseInput(newPasswordSchema, password, 'The password'));
  return async (transaction) => {
    if (isNewPerson) return addUserBeside(transaction, { email, passwordHash });
    const id = await addUser(transaction, { email, passwordHash });
    if (id === undefined) throw concurrentlyAdded();
    return id;
  };
}

const wrongPassword = (): GatewayError =>
  new GatewayError(
    'invalid_credentials',
    'This e-mail address is already in use here, and the password is wrong. Try again.',
    {
      param: 'password',
    },
  );

const concurrentlyAdded = (): GatewayError =>
  new GatewayError('conflict', 'A user with this e-mail address was just added. Try again.');
