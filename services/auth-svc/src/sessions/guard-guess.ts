import { GatewayError } from '@switchyard/contracts';
import type { Attempts } from './attempts.ts';

interface Guess {
  /** In small letters. */
  email: string;
  /** The client's, as edge saw it. */
  address: string;
}

/**
 * Counts an attempt before `check` judges it, so that no guess is free. A right password gives it back. When hashing is full,
 * only the e-mail gets it back: nothing was guessed, but the address did ask for work.
 */
export async function guardGuess<Result>(
  attempts: Attempts,
  { email, address }: Guess,
  check: () => Promise<Result>,
): Promise<Result> {
  await attempts.count('sign_in_address', address);
  await attempts.count('sign_in_email', email);
  const giveBackEmail = () => attempts.giveBack('sign_in_email', email);
  const giveBackAddress = () => attempts.giveBack('sign_in_address', address);
  try {
    const result = await check();
    await giveBackEmail();
    await giveBackAddress();
    return result;
  } catch (error) {
    const code = error instanceof GatewayError ? error.code : undefined;
    if (code !== 'invalid_credentials') await giveBackEmail();
    if (code !== 'invalid_credentials' && code !== 'overloaded') await giveBackAddress();
    throw error;
  }
}
