import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { GatewayError } from './errors.ts';

/** The header with the token that edge signed. Edge removes every `x-gw-*` header that a client sends. */
export const internalTokenHeader = 'x-gw-token';

/** Long enough for a slow connection between two of our processes, too short for a stolen token to be useful. */
const validForMs = 30_000;

/** How far the clocks of two of our machines may differ. */
const clockSkewMs = 60_000;

const envelopeSchema = z.looseObject({ requestId: z.string(), expiresAt: z.number() });

export interface ClaimsSigner {
  /** Included in the signature: a token for one purpose is invalid for any other. */
  purpose: string;
  /** The token is valid for this request only. */
  requestId: string;
  secret: string;
  now: number;
}

/** Signs claims with HMAC-SHA-256. Anyone can read the token; making one needs the secret. */
export function signClaims(claims: object, { purpose, requestId, secret, now }: ClaimsSigner): string {
  const envelope = { ...claims, requestId, expiresAt: now + validForMs };
  const payload = Buffer.from(JSON.stringify(envelope)).toString('base64url');
  return `${payload}.${macOf(payload, { purpose, secret }).toString('base64url')}`;
}

export interface InternalTokenCheck {
  requestId: string | undefined;
  /** Any of them may match: during rotation, a new secret is deployed everywhere before edge signs with it. */
  secrets: readonly string[];
  now?: number;
}

/**
 * `undefined` for a token that is forged or for another request or purpose; `too_old` for a genuine one that has
 * expired.
 */
export function readClaims(
  token: string,
  { purpose, requestId, secrets, now = Date.now() }: InternalTokenCheck & Pick<ClaimsSigner, 'purpose'>,
): object | 'too_old' | undefined {
  const [payload = '', mac = '', ...rest] = token.split('.');
  const givenMac = Buffer.from(mac, 'base64url');
  const isSigned = secrets.some((secret) => isSame(givenMac, macOf(payload, { purpose, secret })));
  if (rest.length > 0 || !isSigned) return undefined;
  const claims = envelopeSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (!claims.success || claims.data.requestId !== requestId) return undefined;
  return claims.data.expiresAt + clockSkewMs <= now ? 'too_old' : claims.data;
}

/** Not a 401: clients would discard their key although it is valid. */
export const clockDifferenceError = (service: string): GatewayError =>
  new GatewayError(
    'unavailable',
    `The clocks of the gateway's machines differ by more than a minute. Operator: synchronise the clocks of edge and ${service}.`,
  );

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

const macOf = (payload: string, { purpose, secret }: Pick<ClaimsSigner, 'purpose' | 'secret'>): Buffer =>
  createHmac('sha256', secret).update(`${purpose}.${payload}`).digest();
