import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { identifierOf } from '../claims.ts';
import { asymmetricAlgorithms } from '../key-set.ts';

/** The sessions that a provider ends: one of its sessions, or all of a person. */
export interface LogoutRequest {
  issuer: string;
  tokenId: string;
  subject: string | undefined;
  providerSession: string | undefined;
}

interface LogoutTokenCheck {
  issuer: string;
  clientId: string;
  keys: JWTVerifyGetKey;
}

/** How old a token may be, and how long its id must be remembered. */
export const longestAgeSeconds = 300;
const skewSeconds = 30;
const eventName = 'http://schemas.openid.net/event/backchannel-logout';

/** The logout token is not valid. The message is for the operator. */
export class LogoutTokenError extends Error {}

/** Checks a token of OpenID Connect Back-Channel Logout 1.0, section 2.6. */
export async function readLogoutToken(
  text: string,
  { issuer, clientId, keys }: LogoutTokenCheck,
): Promise<LogoutRequest> {
  const { payload } = await jwtVerify(text, keys, {
    issuer,
    audience: clientId,
    algorithms: asymmetricAlgorithms,
    maxTokenAge: longestAgeSeconds,
    clockTolerance: skewSeconds,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? new LogoutTokenError(error.message) : error;
  });
  const { jti, events, nonce } = payload;
  const event = typeof events === 'object' && events !== null ? Reflect.get(events, eventName) : undefined;
  if (typeof event !== 'object' || event === null) throw new LogoutTokenError('it is not about a logout');
  if (nonce !== undefined) throw new LogoutTokenError('it has a nonce, like an ID token');
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenError('it has no id');
  return { issuer, tokenId: jti, ...namedBy(payload) };
}

/** One of the two is enough, but none may be odd. */
function namedBy({ sub, sid }: JWTPayload): Pick<LogoutRequest, 'subject' | 'providerSession'> {
  const given = [sub, sid].filter((claim) => claim !== undefined);
  if (given.length === 0 || given.some((claim) => identifierOf(claim) === undefined))
    throw new LogoutTokenError('it names neither a person nor a session');
  return { subject: identifierOf(sub), providerSession: identifierOf(sid) };
}
