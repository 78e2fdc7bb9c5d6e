import { networkOf } from '@tallyport/limits';
import { GatewayError } from '@tallyport/contracts';
import type { Attempts } from '@tallyport/management-server';

interface Guess {
  /** In lower case. */
  email: string;
  /** The client's address, as edge saw it. */
  address: string;
}

/**
 * Counts an attempt before `check` runs, so that no guess is free: for the network, for the e-mail from this network,
 * and for the e-mail from all networks from which it has not signed in before, so that others cannot lock out its
 * owner. A correct password returns the attempt; `undefined` is a wrong one, and the attempt remains. If hashing is
 * overloaded, only the e-mail's attempt is returned: nothing was guessed, but the network caused load.
 */
export async function guardGuess<Result>(
  attempts: Attempts,
  { email, address }: Guess,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const place = `${email} ${networkOf(address)}`;
  await attempts.count('sign_in_address', address);
  await attempts.count('sign_in_place', place);
  const isKnownPlace = await attempts.hasSucceeded(place);
  if (!isKnownPlace) await attempts.count('sign_in_email', email);
  const giveBackAddress = () => attempts.giveBack('sign_in_address', address);
  async function giveBackEmail(): Promise<void> {
    await attempts.giveBack('sign_in_place', place);
    if (!isKnownPlace) await attempts.giveBack('sign_in_email', email);
  }
  try {
    const result = await check();
    if (result === undefined) return undefined;
    await giveBackEmail();
    await giveBackAddress();
    await attempts.succeeded(place);
    return result;
  } catch (error) {
    await giveBackEmail();
    if (!(error instanceof GatewayError && error.code === 'overloaded')) await giveBackAddress();
    throw error;
  }
}
