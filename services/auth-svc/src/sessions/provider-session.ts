import { type Queries, sql } from '@tallyport/database';
import type { Secret, SecretPlace, Secrets } from '@tallyport/management-server';

/** The session at an identity provider that started a session here. */
export interface ProviderSession {
  provider: string;
  hours: number;
  /** The provider's id of the session. */
  id: string | undefined;
  idToken: string;
  /** How the provider is asked whether the person is still there; absent if it is not. */
  recheck: { refreshToken: Secret; seconds: number } | undefined;
}

/** A larger ID token is not stored: the provider then asks whom to sign out. */
const largestIdToken = 8_192;

export const providerColumns = (by: ProviderSession | undefined) =>
  by && {
    identity_provider: by.provider,
    provider_session: by.id ?? null,
    id_token: by.idToken.length <= largestIdToken ? by.idToken : null,
    check_at: by.recheck ? secondsFromNow(by.recheck.seconds) : null,
  };

export async function keepRefreshToken(
  transaction: Queries,
  secrets: Pick<Secrets, 'keep'>,
  { sessionId, by }: { sessionId: string; by: ProviderSession },
): Promise<void> {
  if (by.recheck) await secrets.keep(transaction, refreshTokenPlace(sessionId), by.recheck.refreshToken);
}

/** A refresh token has the id of its session. The database deletes it with the session. */
export const refreshTokenPlace = (sessionId: string): SecretPlace => ({ id: sessionId, purpose: 'refresh-token' });

export const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds}::float8)`;
