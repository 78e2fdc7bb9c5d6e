import { type Visitor, visitorSchema } from './exchange.ts';
import { type InternalTokenCheck, readClaims, signClaims } from './signed-claims.ts';

export interface VisitorTokenRequest extends Visitor {
  /** The token is valid for this request only. */
  requestId: string;
}

const purpose = 'tallyport-visitor-1';

/** Signs a token with the client's address and the public origin, for services that have no principal. */
export const signVisitorToken = (
  { address, publicOrigin, requestId }: VisitorTokenRequest,
  secret: string,
  now: number = Date.now(),
): string => signClaims({ address, publicOrigin }, { purpose, requestId, secret, now });

/**
 * `undefined` for a token that is forged or for another request; `too_old` for an expired one, see `readInternalToken`.
 */
export function readVisitorToken(token: string, check: InternalTokenCheck): Visitor | 'too_old' | undefined {
  const signed = readClaims(token, { purpose, ...check });
  return signed === 'too_old' ? signed : visitorSchema.safeParse(signed).data;
}
