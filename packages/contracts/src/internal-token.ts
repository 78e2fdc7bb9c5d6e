import { z } from 'zod';
import { callerSchema } from './caller.ts';
import { type InternalTokenCheck, readClaims, signClaims } from './signed-claims.ts';

const bearerSchema = callerSchema.pick({ principal: true, limits: true }).extend({
  /** OAuth tokens only; absent for keys, which have every scope. */
  scopes: z.array(z.string()).optional(),
});

/** The caller of an HTTP request that edge forwards. On the bus the principal is part of the head instead. */
export type InternalTokenClaims = z.infer<typeof bearerSchema>;

/** The previous release of edge does not send limits. */
const claimsSchema = bearerSchema.extend({ limits: bearerSchema.shape.limits.default({}) });

export interface InternalTokenRequest extends InternalTokenClaims {
  /** The token is valid for this request only. */
  requestId: string;
}

const purpose = 'tallyport-internal-1';

/** Signs a token that proves that edge has authenticated a request. Anyone can read it; making one needs the secret. */
export function signInternalToken(
  { principal, limits, scopes, requestId }: InternalTokenRequest,
  secret: string,
  now: number = Date.now(),
): string {
  return signClaims({ principal, limits, ...(scopes && { scopes }) }, { purpose, requestId, secret, now });
}

/**
 * `undefined` for a token that is forged or was signed for another request. `too_old` for an expired token that edge
 * did sign for this request: if edge sent it just now, the clock of edge or of this machine is wrong.
 */
export function readInternalToken(
  token: string,
  check: InternalTokenCheck,
): InternalTokenClaims | 'too_old' | undefined {
  const signed = readClaims(token, { purpose, ...check });
  if (signed === 'too_old') return signed;
  const claims = claimsSchema.safeParse(signed);
  if (!claims.success) return undefined;
  const { principal, limits, scopes } = claims.data;
  return { principal, limits, ...(scopes && { scopes }) };
}
