import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { GatewayError } from './errors.ts';
import { type Visitor, visitorSchema } from './exchange.ts';

/** The header with the token that edge signed. Edge removes the one that a client sends. */
export const visitorTokenHeader = 'x-gw-token';

/** The header with which edge says beside the token, with `yes` or `no`, whether it serves `/status`. */
export const statusPageHeader = 'x-gw-status-page';

/** Long enough for a slow connection between two of our processes, too short for a stolen token to be useful. */
const validForMs = 30_000;

/** How far the clocks of two of our machines may differ. */
const clockSkewMs = 60_000;

const claimsSchema = visitorSchema.extend({ requestId: z.string(), expiresAt: z.number() });

interface VisitorTokenRequest extends Visitor {
  /** The token is valid for this request only. */
  requestId: string;
}

/**
 * Signs, with HMAC-SHA-256, the client's address and the public origin for a service that edge reaches by HTTP. Anyone
 * can read the token; making one needs the secret.
 */
export function signVisitorToken(
  { address, publicOrigin, requestId }: VisitorTokenRequest,
  secret: string,
  now: number = Date.now(),
): string {
  const claims = { address, publicOrigin, requestId, expiresAt: now + validForMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${macOf(payload, secret).toString('base64url')}`;
}

interface VisitorTokenCheck {
  requestId: string | undefined;
  /** Any of them may match: during rotation, a new secret is deployed everywhere before edge signs with it. */
  secrets: readonly string[];
  now?: number;
}

/**
 * `undefined` for a token that is forged or was signed for another request. `too_old` for an expired token that edge
 * did sign for this request: if edge sent it just now, the clock of edge or of this machine is wrong.
 */
export function readVisitorToken(
  token: string,
  { requestId, secrets, now = Date.now() }: VisitorTokenCheck,
): Visitor | 'too_old' | undefined {
  const [payload = '', mac = '', ...rest] = token.split('.');
  const givenMac = Buffer.from(mac, 'base64url');
  const isSigned = secrets.some((secret) => isSame(givenMac, macOf(payload, secret)));
  if (rest.length > 0 || !isSigned) return undefined;
  const { data } = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (data === undefined || data.requestId !== requestId) return undefined;
  const { address, publicOrigin, expiresAt } = data;
  return expiresAt + clockSkewMs <= now ? 'too_old' : { address, publicOrigin };
}

/** Not a 401: clients would discard their session although it is valid. */
export const clockDifferenceError = (service: string): GatewayError =>
  new GatewayError(
    'unavailable',
    `The clocks of the gateway's machines differ by more than a minute. Operator: synchronise the clocks of edge and ${service}.`,
  );

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

/** The prefix says what the signature is for. */
const macOf = (payload: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`tallyport-visitor-1.${payload}`).digest();
