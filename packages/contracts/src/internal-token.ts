import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { callerSchema } from './caller.ts';

const bearerSchema = callerSchema.pick({ principal: true, limits: true }).extend({
  /** OAuth tokens only; absent for keys, which may do everything here. */
  scopes: z.array(z.string()).optional(),
});

/** On whose behalf edge hands an HTTP request on. Over the bus the principal travels in the head instead. */
export type InternalBearer = z.infer<typeof bearerSchema>;

/** An edge of the release before says nothing of limits. */
const claimsSchema = bearerSchema.extend({
  limits: bearerSchema.shape.limits.default({}),
  requestId: z.string(),
  expiresAt: z.number(),
});

/** The header it travels in. Edge removes every `x-gw-*` a client sends. */
export const internalTokenHeader = 'x-gw-token';

/** Long enough for a slow connection between two of our processes, too short to be of use later. */
const validForMs = 30_000;

/** How far the clocks of two machines of ours may be apart. */
const clockSkewMs = 60_000;

export interface InternalTokenRequest extends InternalBearer {
  /** The token is good for this request only. */
  requestId: string;
}

/** Says that edge has authenticated a request: readable by everyone, made only by who knows the secret. */
export function signInternalToken(
  { principal, limits, scopes, requestId }: InternalTokenRequest,
  secret: string,
  now: number = Date.now(),
): string {
  const claims = { principal, limits, ...(scopes && { scopes }), requestId, expiresAt: now + validForMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${macOf(payload, secret).toString('base64url')}`;
}

export interface InternalTokenCheck {
  requestId: string | undefined;
  /** Any of them: a new secret is known everywhere before edge signs with it. */
  secrets: readonly string[];
  now?: number;
}

/**
 * `undefined` for a token that is forged or of another request. `too_old` for one that edge did sign for this request: where it
 * comes straight from edge, its clock or ours is wrong.
 */
export function readInternalToken(
  token: string,
  { requestId, secrets, now = Date.now() }: InternalTokenCheck,
): InternalBearer | 'too_old' | undefined {
  const [payload = '', mac = '', ...rest] = token.split('.');
  if (rest.length > 0 || !isSigned(payload, Buffer.from(mac, 'base64url'), secrets)) return undefined;
  const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (!claims.success || claims.data.requestId !== requestId) return undefined;
  if (claims.data.expiresAt + clockSkewMs <= now) return 'too_old';
  const { principal, limits, scopes } = claims.data;
  return { principal, limits, ...(scopes && { scopes }) };
}

function isSigned(payload: string, mac: Buffer, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    const expected = macOf(payload, secret);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  });
}

/** The purpose is part of what is signed: the same secret may one day sign something else. */
const macOf = (payload: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`switchyard-internal-1.${payload}`).digest();
