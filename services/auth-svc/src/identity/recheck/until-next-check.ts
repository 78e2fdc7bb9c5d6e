import type { SignInProvider } from '../document/read-identity.ts';

/** Up to a tenth earlier or later: people who signed in at once are not checked at once. */
const spread = 0.2;
const retrySeconds = 60;

const around = (seconds: number, chance: number): number => seconds * (1 + spread * (chance - 0.5));

/** The seconds until the provider is asked about a session again. */
export const untilNextCheck = ({ recheckMinutes }: Pick<SignInProvider, 'recheckMinutes'>, chance = Math.random()) =>
  around(recheckMinutes * 60, chance);

/** The same after it has not answered. */
export const untilRetry = (chance = Math.random()): number => around(retrySeconds, chance);
