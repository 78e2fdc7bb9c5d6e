import type { IncomingHttpHeaders } from 'node:http';
import { checkKey, GatewayError, hashKey, looksLikeKey } from '@switchyard/contracts';

const bearer = /^Bearer +(\S+) *$/i;
/** Longer than any key of ours or of an operator's choosing. */
const maxKeyLength = 512;

/**
 * The SHA-256 of the key a request carries, in either of the two documented ways; `undefined` when there is none. Throws
 * for what cannot be a key, so that typing errors cost no look-up.
 */
export function keyHashOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key'];
  const key = typeof own === 'string' && own !== '' ? own : bearer.exec(headers.authorization ?? '')?.[1];
  if (key === undefined) return refuseOtherSchemes(headers.authorization);
  if (key.length > maxKeyLength) throw tooLong;
  if (looksLikeKey(key) && !checkKey(key)) throw mistyped;
  return hashKey(key);
}

const secretParameter = /(?:^|&)(?:x[-_])?(?:api[-_]?key|key|access[-_]?token|token|authorization|bearer)=[^&]/i;

/** Addresses end up in logs, histories and proxies: a key that is sent there is refused even when it is right. */
export function refuseKeyInQuery(query: string): void {
  if (query !== '' && secretParameter.test(query)) throw keyInQuery;
}

function refuseOtherSchemes(authorization: string | undefined): undefined {
  if (authorization) throw otherScheme;
}

/** Made once: in a flood, taking down where each was thrown would cost more than everything else we do about it. */
const wrongKey = (message: string): GatewayError => new GatewayError('invalid_api_key', message);
const tooLong = wrongKey('This API key is too long to be one. Check what you copied.');
const mistyped = wrongKey('This API key is mistyped: its checksum is wrong. Copy it again.');
const otherScheme = wrongKey('The Authorization header must be "Bearer <key>". Send the key so, or in x-api-key.');
const keyInQuery = wrongKey(
  'Do not send a key in the address: it ends up in logs. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>", and replace this one.',
);
const noKey = wrongKey('This needs an API key. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>".');

export const missingApiKey = (): GatewayError => noKey;
