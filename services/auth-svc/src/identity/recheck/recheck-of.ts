import type { Secret, Secrets } from '@tallyport/management-server';
import type { ProviderSession } from '../../sessions/provider-session.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import type { CheckEvents } from './check-events.ts';
import { untilNextCheck } from './until-next-check.ts';

interface RecheckTools {
  secrets: Pick<Secrets, 'obstacle'>;
  events: Pick<CheckEvents, 'sessionNotChecked'>;
}

/** A larger refresh token is not stored. */
const largestRefreshToken = 8_192;

/** How a new session is checked; `undefined` without a refresh token, or if it cannot be stored. */
export function recheckOf(
  { secrets, events }: RecheckTools,
  provider: SignInProvider,
  refreshToken: Secret | undefined,
): ProviderSession['recheck'] {
  if (provider.recheckMinutes === 0 || refreshToken === undefined) return undefined;
  const problem = tooLarge(refreshToken) ?? secrets.obstacle();
  if (problem === undefined) return { refreshToken, seconds: untilNextCheck(provider) };
  events.sessionNotChecked(provider.id, problem);
  return undefined;
}

const tooLarge = (refreshToken: Secret): string | undefined =>
  refreshToken.reveal().length > largestRefreshToken
    ? `The refresh token has more than ${largestRefreshToken} characters.`
    : undefined;
