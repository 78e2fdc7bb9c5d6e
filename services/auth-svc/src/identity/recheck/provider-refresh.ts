import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { refreshTokenGrant, ResponseBodyError } from 'openid-client';
import { Secret } from '@tallyport/management-server';
import { ResponseFault } from '../bounded-fetch.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import { asymmetricAlgorithms } from '../key-set.ts';
import type { ProviderKeySets } from '../provider-key-sets.ts';
import { type IdentifiedPerson, identifyPerson } from '../sign-in/identify-person.ts';
import { skewSeconds, type ProviderClients } from '../sign-in/provider-clients.ts';

/** What a provider answered to a refresh token. */
type Refreshed =
  /** The token is no longer valid, or the person must sign in again. */
  | { outcome: 'refused'; code: string }
  | {
      outcome: 'accepted';
      /** Replaces the one that was sent. */
      refreshToken: Secret | undefined;
      /** Checks the ID token of the response. `undefined` if there is none. */
      identify(): Promise<IdentifiedPerson | undefined>;
    };

/** Sends a refresh token to its provider. Rejects if the provider does not answer, or not with tokens. */
export type ProviderRefresh = (provider: SignInProvider, refreshToken: Secret) => Promise<Refreshed>;

/** OAuth's code, and that of Entra ID for people who must prove something again. */
const refusals = ['invalid_grant', 'interaction_required'];

/**
 * The ID token is checked apart, because the keys for that may not be available: a new refresh token must be stored
 * first, as the previous one is no longer valid.
 */
export function createProviderRefresh(clients: ProviderClients, keysOf: ProviderKeySets): ProviderRefresh {
  return async (provider, refreshToken) => {
    const client = await clients(provider);
    try {
      const tokens = await refreshTokenGrant(client, refreshToken.reveal());
      const { refresh_token: rotated, id_token: idToken, access_token: accessToken } = tokens;
      return {
        outcome: 'accepted',
        refreshToken: rotated === undefined ? undefined : new Secret(rotated),
        async identify() {
          if (idToken === undefined) return undefined;
          const { issuer } = client.serverMetadata();
          const check = { issuer, audience: provider.clientId, keys: keysOf(provider, client) };
          const claims = await verifiedClaims(idToken, check);
          return identifyPerson({ client, provider, claims, idToken, accessToken });
        },
      };
    } catch (error) {
      return refusalOf(error);
    }
  };
}

function refusalOf(error: unknown): Refreshed {
  if (error instanceof ResponseBodyError && refusals.includes(error.error))
    return { outcome: 'refused', code: error.error };
  throw error;
}

interface TokenCheck {
  issuer: string;
  audience: string;
  keys: JWTVerifyGetKey;
}

async function verifiedClaims(
  idToken: string,
  { keys, ...expected }: TokenCheck,
): Promise<JWTPayload & { iss: string; sub: string }> {
  const options = { ...expected, algorithms: asymmetricAlgorithms, clockTolerance: skewSeconds };
  const { payload } = await jwtVerify(idToken, keys, options).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? new ResponseFault(`the ID token is not valid: ${error.message}`) : error;
  });
  const { iss = '', sub = '' } = payload;
  return { ...payload, iss, sub };
}
