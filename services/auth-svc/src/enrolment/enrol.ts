import { GatewayError } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import { newPasswordSchema } from '@tallyport/management';
import { type Attempts, parseInput } from '@tallyport/management-server';
import { guardGuess } from '../sessions/guard-guess.ts';
import type { Passwords } from '../users/passwords.ts';
import { recognise } from '../users/recognise.ts';
import { addUser, addUserBeside, findPasswords } from '../users/users.ts';

export interface EnrolTools {
  database: Database;
  passwords: Passwords;
  attempts: Attempts;
}

interface Enrolment {
  /** In lower case. */
  email: string;
  password: string;
  /** The client's address, as edge saw it. */
  address: string;
  /**
   * The person states that they have a password here, or that they may be new: with a password that no user of this
   * e-mail address has, another user is created. Absent: they are new only if there is no user with the address.
   */
  person?: 'known' | 'new';
}

/**
 * Enrols a person who follows a link: an existing user who proves it with their password, or a new one. Passwords are
 * hashed now, equally often whether there are users with this e-mail address or not; the returned function yields the user's id within the transaction that uses up the link.
 */
export async function enrol(
  { database, passwords, attempts }: EnrolTools,
  { email, password, address, person }: Enrolment,
): Promise<(transaction: Queries) => Promise<string>> {
  const known = await findPasswords(database.kysely, email);
  const found = await guardGuess(attempts, { email, address }, () => recognise(passwords, { known, password }));
  if (found) return async () => found.id;
  if (person === 'known' || (person === undefined && known.length > 0)) throw wrongPassword();
  const passwordHash = await passwords.hash(
    parseInput(newPasswordSchema, password, 'The password'),
    known.map((user) => user.passwordHash),
  );
  return async (transaction) => {
    if (person === 'new') return addUserBeside(transaction, { email, passwordHash });
    const id = await addUser(transaction, { email, passwordHash });
    if (id === undefined) throw concurrentlyAdded();
    return id;
  };
}

const wrongPassword = (): GatewayError =>
  new GatewayError('invalid_credentials', 'No user here has this e-mail address and this password. Try again.', {
    param: 'password',
  });

const concurrentlyAdded = (): GatewayError =>
  new GatewayError('conflict', 'A user with this e-mail address was just added. Try again.');
